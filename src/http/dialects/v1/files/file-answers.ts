import type { ConditionFailed, FileAnswer, FileFacts } from '../../../../session/api.ts'
import { attachment } from '../../../attachment.ts'
import { mediaType } from '../../../media-type.ts'
import { type Problem, problemResponse, toProblem } from '../../../problem.ts'
import { digestField } from './digests.ts'
import { tagOf } from './entity-tags.ts'
import { contentRange } from './ranges.ts'

type Found = Extract<FileAnswer, { state: 'found' }>

/** Answer with a file or a part of it, which browsers save and never show. */
export function fileResponse({ file, part, body }: Found): Response {
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

export const notModified = (file: FileFacts) => new Response(null, { status: 304, headers: validators(file) })

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
          : `${wantedNone ? 'there is a file already' : 'the file is another one by now'}: its ETag is ${etag}`,
      hint: wantedNone
        ? 'take another path, or replace the file: send its ETag in If-Match instead of If-None-Match'
        : 'get the file as it is now, make the change in it, and send it with its ETag in If-Match',
    }),
    etag === null ? {} : { ETag: etag },
  )
}

export const noSuchRange = (file: FileFacts, requestId: string): Response =>
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
