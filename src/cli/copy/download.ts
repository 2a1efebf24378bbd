import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { lstat, mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { NotFoundError, type Session, SessionNotFoundError } from '../../client/index.ts'
import { CliError } from '../failure.ts'
import { eachAtOnce } from './all-at-once.ts'
import { FILE_TIMEOUT_MS, FILES_AT_ONCE, MAX_FILES } from './limits.ts'
import { nameOf } from './place.ts'
import { bytesOf } from './response-bytes.ts'
import type { Copied, Report } from './upload.ts'

interface Download {
  readonly from: string
  readonly to: string
  /** Directory above it, below which no link is followed. */
  readonly root: string
  /** Bytes; null where the answer says it. */
  readonly size: number | null
}

/**
 * Takes a file or a directory out of a session, each file streamed, and put in its place when it is whole.
 * @param from path in the session, '' for all files
 * @param to path here; a directory that is there gets it
 * @throws CliError, or what the client throws: files that were taken before stay
 */
export async function download(
  session: Session,
  from: string,
  to: string,
  { report, signal }: { report: Report; signal: AbortSignal },
): Promise<Copied> {
  const isDirectory = await stat(to).then(
    (found) => found.isDirectory(),
    () => false,
  )
  const name = from === '' ? session.name : nameOf(from)
  const target = isDirectory || to.endsWith('/') || to.endsWith(sep) ? within(to, name) : resolve(to)
  const { downloads, leftOut } = await wanted(session, from, target, signal)
  let total = downloads.reduce((sum, { size }) => sum + (size ?? 0), 0)
  let done = 0
  await eachAtOnce(downloads, FILES_AT_ONCE, async (one) => {
    await takeFile(session, one, signal, (bytes, length) => {
      if (one.size === null) total = length
      done += bytes
      report(done, total)
    })
  })
  return { files: downloads.length, bytes: done, left_out: leftOut }
}

/** Files to take: those below a directory, else the one of that path. */
async function wanted(session: Session, from: string, target: string, signal: AbortSignal) {
  const downloads: Download[] = []
  const leftOut: string[] = []
  const directory = await entriesBelow(session, from, signal)
  if (directory === null) {
    downloads.push({ from, to: target, root: dirname(target), size: null })
    return { downloads, leftOut }
  }
  await mkdir(target, { recursive: true })
  const start = from === '' ? 0 : from.length + 1
  for (const { path, type, size } of directory) {
    const to = within(target, path.slice(start))
    if (type === 'directory') await makeDirectory(target, to)
    else if (type === 'file') downloads.push({ from: path, to, root: target, size })
    else leftOut.push(path)
  }
  return { downloads, leftOut }
}

/** All below a directory of a session; null for a path that is none. */
async function entriesBelow(session: Session, from: string, signal: AbortSignal) {
  try {
    const entries = await session.files.list(from, { recursive: true, limit: 1_000 }, { signal }).take(MAX_FILES + 1)
    if (entries.length <= MAX_FILES) return entries
  } catch (error) {
    if (error instanceof SessionNotFoundError || from === '') throw error
    if (error instanceof NotFoundError || (error as { code?: string }).code === 'invalid_input') return null
    throw error
  }
  throw new CliError(
    `more than ${MAX_FILES} files`,
    'copy parts of it, or an archive that a command in the session makes',
  )
}

/** Path below a directory of this machine. @throws CliError for a name that leads elsewhere: names come from the server */
function within(directory: string, name: string): string {
  const root = resolve(directory)
  const path = join(root, name)
  const way = relative(root, path)
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || resolve(root, way) !== path || name.includes('\0'))
    throw new CliError(`the name "${name}" leads out of ${directory}`, 'copy the other files one by one')
  return path
}

/** Makes the directories from one that is there to one below it. @throws CliError for a link on the way, which may lead anywhere */
async function makeDirectory(root: string, directory: string): Promise<void> {
  let path = root
  for (const segment of relative(root, directory).split(sep).filter(Boolean)) {
    path = join(path, segment)
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    if ((await lstat(path)).isSymbolicLink())
      throw new CliError(`${path} is a link, which may lead anywhere`, 'take it away, or copy to another directory')
  }
}

/**
 * Takes one file. Its name has it when it is whole: until then another name beside it.
 * @param count gets the bytes of each piece, and those of the whole file
 */
async function takeFile(
  session: Session,
  { from, to, root }: Download,
  signal: AbortSignal,
  count: (bytes: number, length: number) => void,
): Promise<void> {
  const answer = await session.files.open(from, { signal, timeoutMs: FILE_TIMEOUT_MS })
  const length = Number(answer.headers.get('Content-Length') ?? 0)
  await mkdir(root, { recursive: true })
  await makeDirectory(root, dirname(to))
  const draft = join(dirname(to), `.${basename(to).slice(0, 100)}.${randomUUID().slice(0, 8)}`)
  const source = bytesOf(answer)
  source.on('data', (chunk: Uint8Array) => count(chunk.length, length))
  try {
    await pipeline(source, createWriteStream(draft, { flags: 'wx' }), { signal })
    await rename(draft, to)
  } catch (error) {
    await rm(draft, { force: true })
    // The name of the draft says nothing to a user.
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall !== undefined) throw new CliError(`${to} cannot be written (${code})`, 'check the path')
    throw error
  }
}
