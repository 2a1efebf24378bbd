import { fail } from '../../../../core/failure.ts'
import { MAX_HELD_UPLOAD_BYTES } from '../../../../core/limits/files.ts'
import { MAX_FILE_BYTES } from '../../../../core/limits/workspace.ts'
import type { SessionApi } from '../../../../session/api.ts'
import type { FileContent, FileWritten } from '../../../../session/files-api.ts'
import { discardBody, readBody } from '../../../json.ts'

/**
 * Stores the body of a request as a file. What cannot be stored is refused before it is sent to the session, and read to its end, if it
 * is not too long: many clients read no answer before they have sent all.
 * @param maxBytes greatest size, where it is less than that of any file
 * @throws FailureError `limit_exceeded`, before the body is read where its size says so; as SessionFilesApi's `put`
 */
export async function sendFile(
  request: Request,
  { files }: Pick<SessionApi, 'files'>,
  change: Parameters<SessionApi['files']['put']>[0],
  maxBytes = MAX_FILE_BYTES,
): Promise<FileWritten> {
  try {
    const content = await fileBody(request, maxBytes)
    const refused = content instanceof Uint8Array ? null : await files.mayPut(change)
    if (!refused) return await files.put(change, content)
    await discardBody(request)
    return refused
  } catch (thrown) {
    await discardBody(request)
    throw thrown
  }
}

/**
 * Content of a file that is sent as a body: a large one as a stream, if its size was announced. One of unknown size is read whole, up
 * to MAX_BODY_BYTES.
 * @throws FailureError `limit_exceeded`, before the body is read where its size says so
 */
async function fileBody(request: Request, maxBytes: number): Promise<FileContent> {
  const stated = request.headers.get('Content-Length')
  const size = Number(stated)
  if (stated !== null && size > maxBytes) tooLarge(size, maxBytes)
  if (stated !== null && size > MAX_HELD_UPLOAD_BYTES && request.body) return { stream: request.body, size }
  const bytes = await readBody(request)
  return bytes.length > maxBytes ? tooLarge(bytes.length, maxBytes) : bytes
}

function tooLarge(size: number, max: number): never {
  const limit = max === MAX_FILE_BYTES ? 'MAX_FILE_BYTES' : 'max_bytes'
  fail('limit_exceeded', `the file has ${size} bytes; at most ${max} are taken here (${limit}); send it in parts`, {
    data: { limit, max },
  })
}
