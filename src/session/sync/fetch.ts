import { Deadline } from '../../core/deadline.ts'
import { FailureError, fail } from '../../core/failure.ts'
import { MAX_REASON_CHARS } from '../../core/limits/sandbox.ts'
import {
  MAX_ARCHIVE_PART_BYTES,
  MAX_ENTRY_OVERHEAD_BYTES,
  MAX_GROWTH_BYTES,
  MAX_PACKED_SHARE,
  MIN_SAMPLED_BYTES,
  MIN_TRANSFER_BYTES_PER_MS,
  SAMPLE_BYTES,
  SAMPLE_SECONDS,
  SAMPLED_FILE_BYTES,
  SYNC_PACK_MS,
  TRANSFER_BASE_MS,
} from '../../core/limits/sync.ts'
import { MAX_FILE_BYTES, MAX_INLINE_BLOB_BYTES, MAX_WORKSPACE_BYTES } from '../../core/limits/workspace.ts'
import { DIRECTORY, say } from '../../core/saying/saying.ts'
import { sha256 } from '../../core/sha256.ts'
import { streamOfPieces } from '../../core/stream-of-pieces.ts'
import { type ReadEntry, readTar } from '../../core/tar.ts'
import { withinDeadline } from '../../core/within-deadline.ts'
import { pathFromBytes, SANDBOX_ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import { SandboxGone } from '../../ports/sandbox.ts'
import type { StoreContent } from '../../ports/workspace.ts'
import { STATE_DIRECTORY } from '../sandbox/place.ts'
import { fromBase64, toBase64 } from './base64.ts'
import type { Content } from './decide.ts'
import { gunzip, streamOf } from './gzip.ts'
import type { Listed } from './listing.ts'
import { MAX_INLINE_LIST_BYTES, pathList } from './plan.ts'
import type { Sides } from './push.ts'

/** Total size of contents that come back in the command's own output. */
const MAX_INLINE_BYTES = 256 * 1024
/** Size above which a file passes through without being held in memory. */
const MAX_HELD_BYTES = 1024 * 1024
/** Total size of the small contents of one pull held in memory; further ones go to the store first. */
const MAX_HELD_SMALL_BYTES = 16 * 1024 * 1024

/** Longest time in which so many bytes are read and packed in a sandbox, or transferred. */
export const patienceMs = (bytes: number) => TRANSFER_BASE_MS + bytes / MIN_TRANSFER_BYTES_PER_MS

export interface Fetched {
  /** Contents by path. Files that vanished meanwhile, or cannot be read, are absent. */
  readonly contents: ReadonlyMap<WorkspacePath, Content>
  /** Existing files that cannot be read, as people write their paths, with the reason. */
  readonly unreadable: readonly string[]
}

/** The other side of a fetch. */
type From = Pick<Sides, 'sandbox' | 'signal' | 'logError'>

/**
 * Fetches the contents of files, in one stream for each group of them: the disk of the sandbox needs room for one packed group. Code of the task
 * may have put something else in its place, so no more is read than was requested, and the stream is cancelled then.
 * @param partBytes size of one file of an archive in the sandbox, and of a group, unless it is a single file
 * @throws FailureError `limit_exceeded` for more than a workspace may have, `upstream` for another archive
 */
export async function fetchContents(
  files: readonly Listed[],
  from: From,
  store: StoreContent,
  partBytes = MAX_ARCHIVE_PART_BYTES,
): Promise<Fetched> {
  const bytes = sizeOf(files)
  if (bytes > MAX_WORKSPACE_BYTES) {
    fail(
      'limit_exceeded',
      `the files that changed in the sandbox have ${bytes} bytes together; at most ${MAX_WORKSPACE_BYTES} are allowed ` +
        '(MAX_WORKSPACE_BYTES); delete some there, or keep them in a directory that .toolyardignore names',
    )
  }
  const contents = new Map<WorkspacePath, Content>()
  const unreadable: string[] = []
  const take = taking(contents, store)
  for (const group of groupsOf(files, partBytes)) unreadable.push(...(await fetchGroup(group, from, take, partBytes)))
  return { contents, unreadable }
}

const sizeOf = (files: readonly Listed[]) => files.reduce((total, { size }) => total + size, 0)

/** Groups of files, in order, each of at most so many bytes, or of one file. */
function groupsOf(files: readonly Listed[], bytes: number): Listed[][] {
  const groups: Listed[][] = []
  let room = 0
  for (const file of files) {
    if (groups.length === 0 || file.size > room) {
      groups.push([])
      room = bytes
    }
    groups.at(-1)?.push(file)
    room -= file.size
  }
  return groups
}

type Take = (path: WorkspacePath, entry: ReadEntry) => Promise<void>

/** Stores what comes, or holds it where it is small. */
function taking(contents: Map<WorkspacePath, Content>, store: StoreContent): Take {
  let held = 0
  return async (path, { isFile, size, content }) => {
    if (!isFile || size > MAX_FILE_BYTES) return
    if (size > MAX_HELD_BYTES) {
      contents.set(path, { stored: await store({ stream: content.stream(), size }) })
      return
    }
    const whole = await content.bytes()
    if (size <= MAX_INLINE_BLOB_BYTES && held + size <= MAX_HELD_SMALL_BYTES) {
      held += size
      contents.set(path, { bytes: whole, stored: { hash: sha256(whole), size } })
    } else {
      contents.set(path, { stored: await store(whole) })
    }
  }
}

/** @returns files that cannot be read, as in {@link Fetched} */
async function fetchGroup(
  files: readonly Listed[],
  from: From,
  take: Take,
  partBytes: number,
): Promise<readonly string[]> {
  const bytes = sizeOf(files)
  const awaited = new Map<string, WorkspacePath>(files.map(({ path }) => [`./${path}`, path]))
  const takeEntry = async (entry: ReadEntry) => {
    const path = awaited.get(pathFromBytes(entry.name))
    if (path === undefined) throw new Error('the archive has an entry that was not asked for')
    awaited.delete(`./${path}`)
    await take(path, entry)
  }
  const maxBytes = bytes + files.length * MAX_ENTRY_OVERHEAD_BYTES + MAX_GROWTH_BYTES
  const archive = await packed(files, { bytes, partBytes }, from)
  const deadline = new Deadline(patienceMs(maxBytes), from.signal)
  try {
    const stream = await archive.open(deadline.signal)
    const unpacked = archive.isPlain ? withinDeadline(stream, deadline) : gunzip(stream, deadline)
    await readTar(unpacked, takeEntry, maxBytes)
  } catch (cause) {
    if (cause instanceof FailureError || cause instanceof SandboxGone) throw cause
    from.signal.throwIfAborted()
    const left = `${awaited.size} of ${files.length} files, ${bytes} bytes together, had not come`
    from.logError(new Error(`the archive of changed files broke off: ${left}`, { cause }))
    fail('upstream', 'the changed files did not arrive whole from the sandbox; call again', { cause })
  } finally {
    deadline.settle()
    await archive.discard()
  }
  return archive.unreadable
}

/** An archive in the sandbox, or one that came with the command's output already. */
interface Packed {
  open(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
  /** Drops the archive, which is not read any more. */
  discard(): Promise<void>
  readonly unreadable: readonly string[]
  /** Whether it is a tar as it is, and not one in gzip. */
  readonly isPlain: boolean
}

async function packed(
  files: readonly Listed[],
  { bytes, partBytes }: { readonly bytes: number; readonly partBytes: number },
  { sandbox, signal, logError }: From,
): Promise<Packed> {
  const list = pathList(files.map(({ path }) => path))
  const inline = bytes <= MAX_INLINE_BYTES && list.length <= MAX_INLINE_LIST_BYTES
  const name = `${STATE_DIRECTORY}/pull-${crypto.randomUUID()}`
  const file = `${name}.tgz`
  const isCut = bytes > partBytes
  if (!inline) await sandbox.write([{ path: `${name}.list`, content: list }], signal)
  const read = inline ? `base64 -d <<< '${toBase64(list)}'` : `cat ${name}.list`
  const packer = bytes < MIN_SAMPLED_BYTES ? 'gzip -1' : '$packer'
  // 1 is "file changed as we read it": its next stamp will differ, and it is pulled again.
  const script = `set -o pipefail; cd ${SANDBOX_ROOT} || exit 90
pack() { ${read} | LC_ALL=C tar --null --no-recursion --hard-dereference --verbatim-files-from --ignore-failed-read --format=gnu -T - -cf -; [ $? -le 1 ]; }
${bytes < MIN_SAMPLED_BYTES ? '' : choosePacker(read)}
${inline ? 'pack | gzip -1 | base64 -w0' : `rm -rf ${STATE_DIRECTORY}/pull-*.tgz*; pack | ${packer} ${isCut ? `| split -b ${partBytes} -d -a ${PART_DIGITS} - ${file}.` : `> ${file}`}; code=$?; rm -f ${name}.list; ${isCut ? `set -- ${file}.*; echo $#; ` : ''}echo ${packer}; exit $code`}`
  const { exitCode, stdout, stderr } = await sandbox.run(script, {
    timeoutMs: Math.max(SYNC_PACK_MS, patienceMs(bytes)),
    signal,
  })
  if (exitCode !== 0) {
    const reason = stderr.trimEnd().split('\n').at(-1)?.slice(0, MAX_REASON_CHARS)
    logError(new Error(`packing ${bytes} bytes of changed files ended with ${exitCode}: ${reason}`))
    if (stderr.includes('No space left on device')) {
      const wayOut = say`delete what you do not need there, such as large files outside of the ${DIRECTORY}, then call again`
      fail(
        'limit_exceeded',
        say`insufficient storage: the sandbox's disk is full, so changed files stay there; ${wayOut}`,
      )
    }
    fail('upstream', 'the changed files could not be packed in the sandbox; call again')
  }
  const unreadable = readRefused(stderr)
  if (inline)
    return {
      open: async () => streamOf(fromBase64(stdout)),
      discard: async () => undefined,
      unreadable,
      isPlain: false,
    }
  const openFile = async (path: string, limited: AbortSignal) =>
    (await sandbox.readStream(path, limited)) ??
    fail('upstream', 'the packed files vanished from the sandbox; call again')
  const printed = stdout.split('\n')
  const parts = isCut ? partNumber(printed[0] ?? '', Math.ceil((2 * bytes) / partBytes)) : 1
  async function* openParts(limited: AbortSignal) {
    for (let at = 0; at < parts; at++) yield* await openFile(`${file}.${`${at}`.padStart(PART_DIGITS, '0')}`, limited)
  }
  return {
    unreadable,
    isPlain: printed[isCut ? 1 : 0] === 'cat',
    open: async (limited) => (isCut ? streamOfPieces(openParts(limited)) : openFile(file, limited)),
    async discard() {
      // The next pull removes it where this one cannot.
      await sandbox.run(`rm -rf ${isCut ? `${file}.*` : file}`, { timeoutMs: 10_000, signal }).catch(() => undefined)
    },
  }
}

/**
 * Bash that sets `packer` to a command that packs, or to `cat` where a sample of the files becomes hardly smaller.
 * @param list command that prints their paths
 */
const choosePacker = (list: string) => `packer='gzip -1'
sample() { ${list} | timeout -k 1 ${SAMPLE_SECONDS} xargs -0r head -qc ${SAMPLED_FILE_BYTES} -- 2>/dev/null | head -c ${SAMPLE_BYTES}; }
plain=$(sample | wc -c) small=$(sample | gzip -1 | wc -c)
[ $((small * 100)) -le $((plain * ${MAX_PACKED_SHARE * 100})) ] || packer=cat`

/** Digits of a part's number in its name: `split` numbers them. */
const PART_DIGITS = 4

/** Number of an archive's parts as the script reports it. Code of the task may have put more there: random bytes take few more packed. */
function partNumber(stdout: string, most: number): number {
  const parts = Number(stdout)
  if (Number.isInteger(parts) && parts >= 1 && parts <= most) return parts
  return fail('upstream', 'the changed files could not be packed in the sandbox; call again')
}

const REFUSED = 'tar: ./'
/** Paths that tar may not open, from its messages; a file that tar does not find has vanished. */
const readRefused = (stderr: string) =>
  stderr.split('\n').flatMap((line) => {
    const match = /: (?:Warning: )?Cannot open: /.exec(line)
    if (match === null || !line.startsWith(REFUSED)) return []
    const why = line.slice(match.index + match[0].length)
    return why.startsWith('No such file') ? [] : [`${line.slice(REFUSED.length, match.index)} (${why})`]
  })
