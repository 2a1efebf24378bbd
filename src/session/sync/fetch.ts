import { FailureError, fail } from '../../core/failure.ts'
import { MAX_FILE_BYTES, MAX_INLINE_BLOB_BYTES } from '../../core/limits/workspace.ts'
import { sha256 } from '../../core/sha256.ts'
import { readTarFiles, type TarFile } from '../../core/tar.ts'
import { pathFromBytes, SANDBOX_ROOT, type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import { type Sandbox, SandboxGone } from '../../ports/sandbox.ts'
import type { StoreContent } from '../../ports/workspace.ts'
import { STATE_DIRECTORY } from '../machine/place.ts'
import { fromBase64, toBase64 } from './base64.ts'
import type { Content } from './decide.ts'
import { gunzip, streamOf } from './gzip.ts'
import type { Listed } from './listing.ts'
import { pathList } from './plan.ts'

/** Packing 5 GB. */
const FETCH_TIMEOUT_MS = 15 * 60_000
/** Contents up to this size together come back in the command's own output. */
const MAX_INLINE_BYTES = 256 * 1024
/** A list of paths up to this size travels inside the command. */
const MAX_INLINE_LIST_BYTES = 24 * 1024
/** Larger files pass through without being held in memory. */
const MAX_HELD_BYTES = 1024 * 1024
/** Small contents of one pull that are held in memory together; further ones go to the store first. */
const MAX_HELD_SMALL_BYTES = 16 * 1024 * 1024

export interface Fetched {
  /** Files that vanished meanwhile, or cannot be read, are absent. */
  readonly contents: ReadonlyMap<WorkspacePath, Content>
  /** Those that are there and cannot be read, as people write them, with the reason. */
  readonly unreadable: readonly string[]
}

/** Brings the contents of files over, in one stream. */
export async function fetchContents(
  files: readonly Listed[],
  from: { readonly sandbox: Sandbox; readonly signal: AbortSignal },
  store: StoreContent,
): Promise<Fetched> {
  const contents = new Map<WorkspacePath, Content>()
  if (files.length === 0) return { contents, unreadable: [] }
  const wanted = new Set(files.map(({ path }) => path))
  let held = 0
  const { archive, unreadable } = await openArchive(files, from)
  const take = async ({ name, size, content }: TarFile) => {
    const path = workspacePath(pathFromBytes(name))
    if (!wanted.has(path) || size > MAX_FILE_BYTES) return
    if (size > MAX_HELD_BYTES) {
      contents.set(path, { stored: await store({ stream: content.stream(), size }) })
      return
    }
    const bytes = await content.bytes()
    if (size <= MAX_INLINE_BLOB_BYTES && held + size <= MAX_HELD_SMALL_BYTES) {
      held += size
      contents.set(path, { bytes, stored: { hash: sha256(bytes), size } })
    } else {
      contents.set(path, { stored: await store(bytes) })
    }
  }
  try {
    await readTarFiles(gunzip(archive), take)
  } catch (cause) {
    if (cause instanceof FailureError || cause instanceof SandboxGone) throw cause
    fail('upstream', 'the changed files did not arrive whole from the sandbox; call again', { cause })
  }
  return { contents, unreadable }
}

async function openArchive(
  files: readonly Listed[],
  { sandbox, signal }: { readonly sandbox: Sandbox; readonly signal: AbortSignal },
): Promise<{ readonly archive: ReadableStream<Uint8Array>; readonly unreadable: readonly string[] }> {
  const list = pathList(files.map(({ path }) => path))
  const bytes = files.reduce((total, { size }) => total + size, 0)
  const inline = bytes <= MAX_INLINE_BYTES && list.length <= MAX_INLINE_LIST_BYTES
  const name = `${STATE_DIRECTORY}/pull-${crypto.randomUUID()}`
  if (!inline) await sandbox.write([{ path: `${name}.list`, content: list }], signal)
  const read = inline ? `base64 -d <<< '${toBase64(list)}'` : `cat ${name}.list`
  // 1 is "file changed as we read it": its next stamp will differ, and it is pulled again.
  const script = `set -o pipefail; cd ${SANDBOX_ROOT} || exit 90
pack() { ${read} | LC_ALL=C tar --null --no-recursion --hard-dereference --verbatim-files-from --ignore-failed-read --format=gnu -T - -cf -; [ $? -le 1 ]; }
${inline ? 'pack | gzip -1 | base64 -w0' : `rm -f ${STATE_DIRECTORY}/pull-*.tgz; pack | gzip -1 > ${name}.tgz; code=$?; rm -f ${name}.list; exit $code`}`
  const { exitCode, stdout, stderr } = await sandbox.run(script, { timeoutMs: FETCH_TIMEOUT_MS, signal })
  if (exitCode !== 0) fail('upstream', 'the changed files could not be packed in the sandbox; its disk may be full')
  const unreadable = readRefused(stderr)
  if (inline) return { archive: streamOf(fromBase64(stdout)), unreadable }
  const packed = await sandbox.readStream(`${name}.tgz`, signal)
  if (!packed) fail('upstream', 'the packed files vanished from the sandbox; call again')
  return { archive: packed.pipeThrough(endingWith(() => removeFile(`${name}.tgz`, sandbox, signal))), unreadable }
}

const REFUSED = 'tar: ./'
/** What tar says of a file that it may not open; it vanished when it says that there is none. */
const readRefused = (stderr: string) =>
  stderr.split('\n').flatMap((line) => {
    const said = /: (?:Warning: )?Cannot open: /.exec(line)
    if (said === null || !line.startsWith(REFUSED)) return []
    const why = line.slice(said.index + said[0].length)
    return why.startsWith('No such file') ? [] : [`${line.slice(REFUSED.length, said.index)} (${why})`]
  })

const endingWith = (work: () => Promise<void>) => new TransformStream<Uint8Array, Uint8Array>({ flush: work })

async function removeFile(file: string, sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  await sandbox.run(`rm -f ${file}`, { timeoutMs: 10_000, signal })
}
