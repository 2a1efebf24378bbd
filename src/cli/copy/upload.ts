import { openAsBlob } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { Session } from '../../client/index.ts'
import { CliError } from '../failure.ts'
import { eachAtOnce } from './all-at-once.ts'
import { FILE_TIMEOUT_MS, FILES_AT_ONCE, MAX_FILES } from './limits.ts'
import { below } from './place.ts'

/** Result of a copy. */
export interface Copied {
  readonly files: number
  readonly bytes: number
  /** Paths that were left out: links, sockets and the like. */
  readonly left_out: readonly string[]
}

/** How far a copy is. */
export type Report = (bytes: number, total: number) => void

interface Upload {
  readonly from: string
  readonly to: string
  readonly size: number
}

/**
 * Puts a file or a directory of this machine into a session, each file streamed.
 * @param to path in the session; with `isInto` the directory that gets it
 * @throws CliError, or what the client throws: files that were put before stay
 */
export async function upload(
  session: Session,
  from: string,
  { to, isInto, report, signal }: { to: string; isInto: boolean; report: Report; signal: AbortSignal },
): Promise<Copied> {
  const found = await stat(from).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${from} cannot be read (${error.code})`, 'check the path')
  })
  const target = isInto ? below(to, basename(resolve(from))) : to
  const leftOut: string[] = []
  const uploads: Upload[] = []
  if (found.isDirectory()) await collect(from, target, uploads, leftOut)
  else if (found.isFile()) uploads.push({ from, to: target, size: found.size })
  else throw new CliError(`${from} is neither a file nor a directory`, 'copy a file or a directory')
  const total = uploads.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  await eachAtOnce(uploads, FILES_AT_ONCE, async ({ from: path, to: file }) => {
    const before = await openAsBlob(path)
    let sent = 0
    const counted = counting(before, (bytes) => {
      sent += bytes
      done += bytes
      report(done, total)
    })
    await session.files.write(file, counted, { signal, timeoutMs: FILE_TIMEOUT_MS })
    // A repeated request sends the file again.
    done += before.size - sent
  })
  return { files: uploads.length, bytes: total, left_out: leftOut }
}

/** Files below a directory. Links are not followed: they may lead anywhere. */
async function collect(directory: string, to: string, uploads: Upload[], leftOut: string[]): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    const target = below(to, entry.name)
    if (entry.isDirectory()) await collect(path, target, uploads, leftOut)
    else if (entry.isFile()) uploads.push({ from: path, to: target, size: (await lstat(path)).size })
    else leftOut.push(path)
    if (uploads.length > MAX_FILES)
      throw new CliError(`more than ${MAX_FILES} files`, 'copy parts of it, or an archive that the session unpacks')
  }
}

/** The blob, whose bytes are counted while it is sent. `fetch` takes its size, and reads its stream anew for each attempt. */
function counting(blob: Blob, count: (bytes: number) => void): Blob {
  const stream = () =>
    blob.stream().pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          count(chunk.length)
          controller.enqueue(chunk)
        },
      }),
    )
  return Object.defineProperty(blob.slice(), 'stream', { value: stream })
}
