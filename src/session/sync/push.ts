import { joined } from '../../core/joined.ts'
import {
  MAX_ARCHIVE_PART_BYTES,
  MIN_SAMPLED_BYTES,
  SAMPLE_BYTES,
  SANDBOX_SCRIPT_MS,
  SYNC_PUSH_MS,
} from '../../core/limits/sync.ts'
import { partsOf } from '../../core/parts-of.ts'
import { sampled } from '../../core/sampled.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { streamOfPieces } from '../../core/stream-of-pieces.ts'
import { TAR_BLOCK, tarEnd, tarHeader, tarPadding } from '../../core/tar.ts'
import { pathToBytes, SANDBOX_ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import { type Sandbox, SandboxFull, SandboxGone } from '../../ports/sandbox.ts'
import type { WorkspaceEntry } from '../../ports/workspace.ts'
import type { IgnoreList } from '../../workspace/ignore-list.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import { STATE_DIRECTORY } from '../sandbox/place.ts'
import { askWatcher } from '../sandbox/watcher.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { becomesSmaller, collect, gzip, streamOf, unpackText } from './gzip.ts'
import { HOLDERS_SCRIPT, readHolders, replacedBy } from './holders.ts'
import { type KnownFiles, UNSEEN } from './known.ts'
import type { HardLinks } from './links.ts'
import { FIND_FORMAT, FIND_STAMPS, type Listed, listingBytes, parseListing, signature } from './listing.ts'
import { isAsSent, onItsWay } from './on-its-way.ts'
import { DOT_SLASH, type PushPlan, pathList, preconditionOf } from './plan.ts'

/** The two sides of a sync, and the known state of the sandbox. */
export interface Sides {
  readonly workspace: SyncedWorkspace
  readonly known: KnownFiles
  readonly links: HardLinks
  readonly sandbox: Sandbox
  readonly signal: AbortSignal
  /** Logs causes that the answer leaves out. */
  readonly logError: (thrown: unknown) => void
}

/** Largest data that travels inside the command, in base64, five at most: Linux takes 128 KiB per argument. */
const MAX_INLINE_BYTES = 16 * 1024
/**
 * Approximate size up to which an archive is not packed, and size up to which names stand in the command as they are: starting a
 * program in the sandbox takes longer than some more bytes in transit.
 */
const MAX_PLAIN_BYTES = 8 * 1024
/** Number of entries up to which their stamps are not packed. */
const MAX_PLAIN_ENTRIES = 40
/** Total size of contents that are archived in memory, to see whether they fit into the command. */
const MAX_BUFFERED_BYTES = 512 * 1024

/** Exit code of the script when the sandbox has changed what the plan would replace or remove. Nothing was done then. */
const OUTDATED = 93

/**
 * Carries out a plan, and notes the new state of the sandbox with the stamps that its next listing will show. Takes one request
 * when there is little to copy.
 * @param ignore checks first whether the sandbox changed what would be replaced; null skips the check
 * @param watchPort of the watcher; null when there is none
 * @param partBytes size of one file of the archive in the sandbox
 * @returns `outdated` when it did: nothing was done, and a pull is due
 * @throws SandboxGone when the sandbox could not take it, SandboxFull where its disk has no room
 */
export async function push(
  plan: PushPlan,
  sides: Sides,
  ignore: IgnoreList | null,
  watchPort: number | null,
  partBytes = MAX_ARCHIVE_PART_BYTES,
): Promise<Pushed | 'outdated'> {
  const { known, sandbox, signal } = sides
  const precondition = ignore && preconditionOf(plan, known, ignore)
  const replaced = ignore && replacedBy(plan, known)
  const before = plan.put.map(({ path }) => [path, known.get(path) ?? null] as const)
  const bytes = contentBytes(plan.put)
  const hasPackedStamps = plan.put.length > MAX_PLAIN_ENTRIES
  const lists = {
    places: await offer(streamOf(pathList(precondition?.places ?? [])), sides),
    records: await offer(streamOf(precondition?.records ?? new Uint8Array()), sides),
    removals: await offerPaths(plan.remove, sides),
    names: await offerPaths(
      plan.put.map(({ path }) => path),
      sides,
    ),
  }
  const [sample, archive] = await sampled(
    streamOfPieces(archiveChunks(plan.put, sides)),
    bytes < MIN_SAMPLED_BYTES ? 0 : SAMPLE_BYTES,
  )
  const isPacked = bytes + plan.put.length * TAR_BLOCK > MAX_PLAIN_BYTES && becomesSmaller(sample)
  const data = {
    ...lists,
    isPacked,
    hasPackedStamps,
    archive: await offer(isPacked ? gzip(archive) : archive, sides, { atMost: bytes, partBytes }),
  }
  // A sandbox without any files is made anew when filling it is interrupted.
  if (!known.isEmpty) {
    known.set(plan.put.map((entry) => [entry.path, onItsWay(known.get(entry.path) ?? null, entry)]))
  }
  const script = pushScript(data, ignore, watchPort, replaced !== null)
  const { exitCode, stdout, stderr } = await sandbox.run(script, { timeoutMs: SYNC_PUSH_MS, signal })
  if (exitCode === OUTDATED) {
    known.set(before)
    return 'outdated'
  }
  if (exitCode !== 0 && stderr.includes('No space left on device'))
    throw new SandboxFull('the disk of the sandbox is full')
  if (exitCode !== 0) throw new SandboxGone('the files could not be carried into the sandbox; its disk may be full')
  const { entries } = parseListing(
    hasPackedStamps ? await unpackText(stdout, listingBytes(plan.put.length)) : fromBase64(stdout),
  )
  const stamps = stampsOf(plan.put, entries, sides.links)
  known.set([
    ...plan.remove.map((path) => [path, null] as const),
    ...plan.put.map(
      (entry) => [entry.path, { stamp: stamps.get(entry.path) ?? UNSEEN, signature: signature(entry) }] as const,
    ),
  ])
  const [, watchedBefore, watchedAfter] = /^watched (\d+) (\d+)$/m.exec(stderr) ?? []
  const isCounted = stamps.size === plan.put.length
  return {
    watchedBefore: (isCounted && watchedBefore) || null,
    watchedAfter: (isCounted && watchedAfter) || null,
    notes: replaced ? readHolders(stderr, replaced) : [],
  }
}

/**
 * Stamps of the entries that are as they were sent. A program may change one between its arrival and its listing: the stamp of that would hide the
 * change from the next look.
 */
function stampsOf(sent: readonly WorkspaceEntry[], entries: readonly Listed[], links: HardLinks) {
  const listed = new Map(entries.map((entry) => [entry.path, entry]))
  const byPath = new Map(sent.map((entry) => [entry.path, entry]))
  const firsts = links.among(sent)
  const stamps = new Map<WorkspacePath, string>()
  for (const entry of sent) {
    const there = listed.get(entry.path)
    const { mtimeMs } = byPath.get(firsts.get(entry.path) ?? entry.path) ?? entry
    if (there && isAsSent({ ...entry, mtimeMs }, there)) stamps.set(entry.path, there.stamp)
  }
  return stamps
}

/** Counts of the watcher before and after the push; null without a report, or for a watcher that does not see everything. */
export interface Pushed {
  /** Notes on processes that hold what was replaced or removed. */
  readonly notes: readonly string[]
  readonly watchedBefore: string | null
  readonly watchedAfter: string | null
}

/**
 * Script of a push. Directories may have been closed to their owner: they are opened where that is in the way, for the next look
 * to see.
 */
function pushScript(
  { places, records, removals, names, archive, isPacked, hasPackedStamps }: Data,
  ignore: IgnoreList | null,
  watchPort: number | null,
  saysHolders: boolean,
): string {
  const count = (variable: string) => (watchPort === null ? '' : askWatcher(watchPort, variable))
  const each = (paths: Offered, command: string, more: string) =>
    paths.words === undefined
      ? `${paths.read} | xargs -0r sh -c 'exec ${command} "$@" ${more}' sh`
      : `${paths.words && `${command} ${paths.words} ${more}`}`
  const files = [places, records, removals, names, archive].flatMap((offered) => offered.files ?? [])
  const check = ignore
    ? `${places.read} | xargs -0r sh -c ${shellQuote(`exec find "$@" ${FIND_STAMPS} ${ignore.findExpression()}`)} sh 2>/dev/null | LC_ALL=C sort -z | cmp -s - <(${records.read}) || exit ${OUTDATED}`
    : ''
  const sweep = files.length > 0 ? `trap 'rm -f ${files.join(' ')}' EXIT; ` : ''
  return `${sweep}cd ${SANDBOX_ROOT} 2>/dev/null || { mkdir -p ${SANDBOX_ROOT} && cd ${SANDBOX_ROOT}; } || exit 90
before= after= once=
{ ${count('before') || ':'}; } 2>/dev/null
${check}
${saysHolders ? HOLDERS_SCRIPT : ''}
remove() { ${each(removals, 'rm -rf --', '') || ':'}; }
${isCut(archive) ? readOnce(archive.files) : ''}
unpack() { ${isCut(archive) ? 'read_once' : archive.read} | tar -x${isPacked ? 'z' : ''}pf - --no-same-owner; }
open() { before=; find . -type d ! -perm -u=rwx -exec chmod u+rwx {} \\; ; }
remove || { open; remove; } || exit 91
unpack || { [ -z "$once" ] && { open; unpack; }; } || exit 92
{ ${count('after') || ':'}; } 2>/dev/null
[ -n "$before" ] && [ -n "$after" ] && printf '\\nwatched %s %s\\n' "$before" "$after" >&2
{ ${each(names, 'find', `-maxdepth 0 -printf "${FIND_FORMAT}"`) || ':'}; } ${hasPackedStamps ? '| gzip -1 ' : ''}| base64 -w0`
}

/** Whether bytes came in several files. */
const isCut = (offered: Offered): offered is Offered & { readonly files: readonly string[] } =>
  (offered.files?.length ?? 0) > 1

/**
 * Bash function `read_once` that prints files and removes each when it is read: a disk has room for what is carried in and one file, not for all of it
 * packed and unpacked. Where directories are closed to their owner the files stay, since unpacking may have to begin again; `once` says which.
 */
const readOnce = (
  files: readonly string[],
) => `[ -n "$(find . -type d ! -perm -u=rwx -print -quit 2>/dev/null)" ] || once=1
read_once() { for part in ${files.join(' ')}; do cat $part || return; [ -z "$once" ] || rm -f $part; done; }`

interface Data extends Readonly<Record<'places' | 'records' | 'removals' | 'names' | 'archive', Offered>> {
  readonly isPacked: boolean
  readonly hasPackedStamps: boolean
}

interface Offered {
  /** A command that prints the bytes. */
  readonly read: string
  /** Files of the sandbox that have the bytes, one behind the other. */
  readonly files?: readonly string[]
  /** The same as words of a command line, where they are few and plain. */
  readonly words?: string
}

/** Offers paths that a script in the sandbox can read, or name. */
async function offerPaths(paths: readonly WorkspacePath[], sides: Sides): Promise<Offered> {
  const words = paths.map((path) => shellQuote(`./${path}`)).join(' ')
  // Other names have bytes that are no text, or line breaks.
  if (words.length <= MAX_PLAIN_BYTES && /^[ -~]*$/.test(words)) return { read: ':', words }
  return offer(streamOf(pathList(paths)), sides)
}

/** Offers bytes that a script in the sandbox can read: inside the command when they are few, in files otherwise. */
async function offer(
  content: ReadableStream<Uint8Array>,
  { sandbox, signal }: Sides,
  { atMost, partBytes } = { atMost: MAX_BUFFERED_BYTES, partBytes: MAX_ARCHIVE_PART_BYTES },
): Promise<Offered> {
  let body = content
  if (atMost <= MAX_BUFFERED_BYTES) {
    const whole = await collect(content)
    if (whole.length === 0) return { read: ':' }
    if (whole.length <= MAX_INLINE_BYTES) return { read: `base64 -d <<< '${toBase64(whole)}'` }
    body = streamOf(whole)
  }
  const name = `${STATE_DIRECTORY}/push-${crypto.randomUUID()}`
  const files: string[] = []
  try {
    for await (const part of partsOf(body, partBytes)) {
      const file = `${name}.${files.length}`
      files.push(file)
      await sandbox.writeStream(file, part, signal)
    }
  } catch (thrown) {
    // A sandbox that is gone took its files along; of another one they would fill the disk.
    if (!(thrown instanceof SandboxGone)) await removeFiles(files, sandbox)
    throw thrown
  }
  return { read: `cat ${files.join(' ')}`, files }
}

/** Removes files of ours; those that cannot be removed now stay. */
async function removeFiles(files: readonly string[], sandbox: Sandbox): Promise<void> {
  const signal = AbortSignal.timeout(SANDBOX_SCRIPT_MS)
  await sandbox.run(`rm -f ${files.join(' ')}`, { timeoutMs: SANDBOX_SCRIPT_MS, signal }).catch(() => undefined)
}

const contentBytes = (entries: readonly WorkspaceEntry[]) =>
  entries.reduce((total, entry) => total + (entry.kind === 'file' ? entry.size : 0), 0)

const nameOf = (path: WorkspacePath) => joined([DOT_SLASH, pathToBytes(path)])

async function* archiveChunks(entries: readonly WorkspaceEntry[], { workspace, links }: Sides) {
  const firsts = links.among(entries)
  for (const entry of entries) {
    const name = nameOf(entry.path)
    const { kind, mode, mtimeMs } = entry
    const first = firsts.get(entry.path)
    if (first !== undefined) {
      yield tarHeader({ name, kind: 'other name', mode, mtimeMs, size: 0, target: nameOf(first) })
    } else if (kind === 'link') {
      yield tarHeader({ name, kind, mode: 0o777, mtimeMs, size: 0, target: pathToBytes(entry.target) })
    } else if (kind === 'directory') {
      yield tarHeader({ name, kind, mode, mtimeMs, size: 0 })
    } else {
      yield tarHeader({ name, kind, mode, mtimeMs, size: entry.size })
      yield* await workspace.openContent(entry)
      yield tarPadding(entry.size)
    }
  }
  yield tarEnd()
}
