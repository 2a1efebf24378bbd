import type { ConditionFailed, FileAnswer, FileFacts } from '../../../../session/files-api.ts'
import { attachment } from '../../../attachment.ts'
import { mediaType } from '../../../media-type.ts'
import { type Problem, problemResponse, toProblem } from '../../../problem.ts'
import { digestField } from './digests.ts'
import { ifRangeOf, readConditionsOf, tagOf } from './entity-tags.ts'
import { contentRange, rangeOf } from './ranges.ts'

type Found = Extract<FileAnswer, { state: 'found' }>

/** A request for a file as its session reads it, by its conditions and its range; HEAD asks for no content. */
export const readingOf = ({ headers, method }: Request) => ({
  ...readConditionsOf(headers),
  range: method === 'HEAD' ? null : rangeOf(headers),
  ifRange: ifRangeOf(headers),
  content: method !== 'HEAD',
})

/** Answer to a request for a file; null for a directory, which each route answers in its own way. */
export function answerOfFile(answer: FileAnswer, request: Request, requestId: string): Response | null {
  switch (answer.state) {
    case 'found':
      return fileResponse(answer)
    case 'unchanged':
      return notModified(answer.file)
    case 'no such range':
      return noSuchRange(answer.file, requestId)
    case 'condition failed':
      return conditionFailed(answer, requestId, request.headers)
    case 'directory':
      return null
  }
}

/** Answer with a file or a part of it, which browsers save and never show. */
function fileResponse({ file, part, body }: Found): Response {
  const size = file.size ?? 0
  const length = part?.length ?? size
  const name = file.path.slice(file.path.lastIndexOf('/') + 1)
  const content = body && withLength(body, length)
  const { headers } = attachment({ name, body: null }, mediaType(name))
  for (const [field, value] of Object.entries(validators(file))) headers.set(field, value)
  headers.set('Accept-Ranges', 'bytes')
  headers.set('Content-Length', String(length))
  headers.set('Cache-Control', 'private, no-cache')
  if (file.hash) headers.set('Repr-Digest', digestField(file.hash))
  if (file.hash && !part) headers.set('Content-Digest', digestField(file.hash))
  if (part) headers.set('Content-Range', contentRange(part, size))
  return new Response(content, { status: part ? 206 : 200, headers })
}

const notModified = (file: FileFacts) => new Response(null, { status: 304, headers: validators(file) })

/**
 * Answer to conditions that do not hold, with the tag of what is there.
 * @param sent headers of the request, whose conditions the answer names
 */
export const conditionFailed = ({ file }: ConditionFailed, requestId: string, sent: Headers): Response => {
  const etag = file?.hash ? tagOf(file.hash) : null
  const wantedNone = etag !== null && sent.has('If-None-Match') && !sent.has('If-Match')
  return problemResponse(
    special(requestId, {
      status: 412,
      title: 'Precondition failed',
      code: 'precondition_failed',
      detail:
        etag === null
          ? 'there is no such file, or it is no file'
          : `${wantedNone ? 'there is a file already' : whyOther(file, sent)}: its ETag is ${etag}`,
      hint: wantedNone
        ? 'take another path, or replace the file: send its ETag in If-Match instead of If-None-Match'
        : 'get the file as it is now, make the change in it, and send it with its ETag in If-Match',
    }),
    etag === null ? {} : { ETag: etag },
  )
}

const whyOther = (file: FileFacts | null, sent: Headers) =>
  file && sent.has('If-Unmodified-Since') && !sent.has('If-Match')
    ? `the file was changed at ${new Date(file.modifiedAt).toUTCString()}`
    : 'the file is another one by now'

const noSuchRange = (file: FileFacts, requestId: string): Response =>
  problemResponse(
    special(requestId, {
      status: 416,
      title: 'No such range',
      code: 'range_not_satisfiable',
      detail: `the file has ${file.size} bytes, and the range has none of them`,
      hint: 'ask for a range within the file',
    }),
    { ...validators(file), 'Content-Range': `bytes */${file.size}` },
  )

/** A problem whose status no code of failures has. */
export const special = (
  requestId: string,
  own: Pick<Problem, 'status' | 'title' | 'code' | 'detail' | 'hint'>,
): Problem => ({
  ...toProblem({ code: 'conflict', message: own.detail }, requestId),
  ...own,
})

const validators = ({ hash, modifiedAt }: FileFacts): Record<string, string> => ({
  ...(hash && { ETag: tagOf(hash) }),
  'Last-Modified': new Date(modifiedAt).toUTCString(),
})

/** The stream with a length that the client is told, so that it sees a broken one. Without the platform's stream, as in Node, as it is. */
const withLength = (body: ReadableStream<Uint8Array>, length: number) =>
  typeof FixedLengthStream === 'undefined' ? body : body.pipeThrough(new FixedLengthStream(length))
