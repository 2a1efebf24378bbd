import { fail } from '../../core/failure.ts'
import { MAX_FILE_BYTES, MAX_INLINE_BLOB_BYTES } from '../../core/limits.ts'
import { isWithin, pathFromBytes, SANDBOX_ROOT, type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import { SandboxGone } from '../../ports/sandbox.ts'
import type { Change, StoredContent } from '../../ports/workspace.ts'
import { sha256 } from '../../workspace/bytes.ts'
import type { StoreContent } from '../../workspace/synced.ts'
import { DISTRIBUTIONS_SCRIPT, readDistributions } from '../machine/environment.ts'
import { askWatcher, FIND_MARKED } from '../machine/exec-script.ts'
import { DIRECTORY_GONE, STATE_DIRECTORY } from '../machine/place.ts'
import { gunzip, streamOf, unpackText } from './gzip.ts'
import type { IgnoreList } from './ignore.ts'
import type { Known } from './known.ts'
import { FIND_FORMAT, type Listed, parseListing, signature } from './listing.ts'
import { pathList, type Sides } from './push.ts'
import { readTarFiles } from './tar.ts'

/** What a pull brought. */
export interface Pulled {
  /** Entries of the workspace that are new, changed or gone. */
  readonly changed: number
  /** Changed on both sides since the last sync. */
  readonly conflicts: readonly WorkspacePath[]
  /** What stayed in the sandbox, and why. */
  readonly notes: readonly string[]
  /** `name==version` of what the task's environment has. */
  readonly distributions: readonly string[]
  /** Processes of a command that has ended live on. */
  readonly background: boolean
}

/** What a pull must know of the sandbox besides its files. */
export interface Place {
  readonly watchPort: number | null
}

/**
 * Prints all that is in the workspace's place, packed for a text channel, and on stderr what the environment has.
 * The watcher forgets first: what changes from then on is not in this listing for certain.
 */
const listScript = (ignore: IgnoreList, { watchPort }: Place) =>
  `cd ${SANDBOX_ROOT} || exit 90
${watchPort === null ? '' : askWatcher(watchPort, 'r', 'd')}
${FIND_MARKED}
F '[0-9]*' 2>/dev/null; { echo "background \${#found[@]}"; ${DISTRIBUTIONS_SCRIPT}; } >&2
{ find . -mindepth 1 -printf '${FIND_FORMAT}' ${ignore.findExpression()} 2>/dev/null; printf 'end %d' $?; } | gzip -1 | base64 -w0`

/**
 * Reads what {@link listScript} printed. A listing that was cut off must not be taken for one with fewer files;
 * `find` says 1 when something vanished or could not be entered while it looked.
 */
async function readListing(stdout: string): Promise<Listed[]> {
  const bytes = await unpackText(stdout)
  const end = bytes.lastIndexOf(0) + 1
  if (!/^end [01]$/.test(new TextDecoder().decode(bytes.subarray(end)))) {
    throw new SandboxGone('the files in the sandbox could not be listed')
  }
  return parseListing(bytes.subarray(0, end))
}

/** Looking at 100,000 files on a busy machine. */
const LIST_TIMEOUT_MS = 60_000
/** Packing 5 GB. */
const PULL_TIMEOUT_MS = 15 * 60_000
/** Contents up to this size together come back in the command's own output. */
const MAX_INLINE_BYTES = 256 * 1024
/** Larger files pass through without being held in memory. */
const MAX_HELD_BYTES = 1024 * 1024

/**
 * Looks at what the sandbox has and commits what it changed. Runs again for files that changed while they were read,
 * at the next pull: their stamps will differ.
 * @throws SandboxGone when the sandbox cannot be listed
 */
export async function pull(sides: Sides, ignore: IgnoreList, place: Place): Promise<Pulled> {
  const { sandbox, signal } = sides
  const script = listScript(ignore, place)
  const { exitCode, stdout, stderr } = await sandbox.run(script, { timeoutMs: LIST_TIMEOUT_MS, signal })
  if (exitCode === 90) throw new SandboxGone(DIRECTORY_GONE)
  return {
    ...(await takeOver(await readListing(stdout), sides, ignore)),
    distributions: readDistributions(stderr),
    background: !stderr.startsWith('background 0'),
  }
}

async function takeOver(
  listing: readonly Listed[],
  sides: Sides,
  ignore: IgnoreList,
): Promise<Omit<Pulled, 'distributions' | 'background'>> {
  const { workspace, known } = sides
  const { touched, gone, tooLarge, unreadable } = difference(listing, sides, ignore)
  const files = touched.filter(({ kind }) => kind === 'file')
  return workspace.storing(async (store) => {
    const decision = decide(touched, gone, await fetchContents(files, sides, store), sides)
    await keepOverruled(decision.overruled, sides)
    if (decision.changes.length > 0) await workspace.commit(removalsFirst(decision.changes))
    known.set([
      ...decision.noted,
      ...tooLarge.map(({ path, stamp }) => [path, { stamp, signature: LEFT_THERE }] as const),
    ])
    const notes = tooLarge.map(
      ({ path, size }) =>
        `${path} has ${size} bytes, more than ${MAX_FILE_BYTES}: it stays in the sandbox and is lost with it`,
    )
    if (unreadable.length > 0) notes.push(unreadableNote(unreadable))
    return { changed: decision.changes.length, conflicts: decision.conflicts, notes }
  })
}

const MAX_NAMED = 5

function unreadableNote(unreadable: readonly Listed[]): string {
  const named = unreadable.slice(0, MAX_NAMED).map(({ path }) => path)
  const more = unreadable.length > MAX_NAMED ? ` and ${unreadable.length - MAX_NAMED} more` : ''
  return `the permissions of ${named.join(', ')}${more} forbid reading, so what changed there stays in the sandbox and is lost with it; chmod u+rX to keep it`
}

/** {@link Known.signature} of a file that is not carried over. */
const LEFT_THERE = 'left'

/** What the sandbox changed since it was last looked at. */
function difference(listing: readonly Listed[], { known }: Sides, ignore: IgnoreList) {
  const changed = listing.filter(({ path, stamp }) => known.get(path)?.stamp !== stamp)
  const isTooLarge = ({ kind, size }: Listed) => kind === 'file' && size > MAX_FILE_BYTES
  const present = new Set(listing.map(({ path }) => path))
  // What lies in a directory that cannot be read is not listed, and not gone.
  const closed = listing.filter(({ kind, mode }) => kind === 'directory' && (mode & 0o500) !== 0o500)
  const hidden = (path: WorkspacePath) => closed.some((directory) => isWithin(path, directory.path))
  const gone = [...known.all().keys()].filter((path) => !present.has(path) && !ignore.covers(path) && !hidden(path))
  const unreadable = [...closed, ...changed.filter(({ kind, mode }) => kind === 'file' && (mode & 0o400) === 0)]
  return {
    touched: changed.filter((entry) => !isTooLarge(entry)),
    gone,
    tooLarge: changed.filter(isTooLarge),
    unreadable,
  }
}

interface Decision {
  readonly changes: readonly Change[]
  /** The sandbox's versions of files that were changed later in the workspace. */
  readonly overruled: readonly PlacedChange[]
  readonly conflicts: readonly WorkspacePath[]
  readonly noted: readonly (readonly [WorkspacePath, Known | null])[]
}

type PlacedChange = Exclude<Change, { op: 'move' }>

function decide(
  touched: readonly Listed[],
  gone: readonly WorkspacePath[],
  contents: ReadonlyMap<WorkspacePath, Content>,
  sides: Sides,
): Decision {
  const { workspace, known } = sides
  const changes: Change[] = []
  const overruled: PlacedChange[] = []
  const conflicts: WorkspacePath[] = []
  const noted: [WorkspacePath, Known | null][] = []
  for (const listed of touched) {
    const { path, stamp } = listed
    const taken = takenOver(listed, contents)
    if (!taken) continue // it vanished after it was listed
    noted.push([path, { stamp, signature: taken.signature }])
    const before = workspace.stat(path)
    if (before && signature(before) === taken.signature) continue
    const contested = changedInWorkspace(path, sides)
    if (contested) conflicts.push(path)
    if (contested && before && before.mtimeMs > listed.mtimeMs) {
      overruled.push(taken.change)
      continue
    }
    if (before && (before.kind === 'directory') !== (listed.kind === 'directory')) changes.push({ op: 'remove', path })
    changes.push(taken.change)
  }
  for (const path of gone) {
    noted.push([path, null])
    if (!workspace.stat(path) || known.get(path)?.signature === LEFT_THERE) continue
    if (changedInWorkspace(path, sides)) conflicts.push(path)
    else changes.push({ op: 'remove', path })
  }
  return { changes, overruled, conflicts, noted }
}

/** True when somebody changed or removed the path in the workspace after the sandbox got it. */
function changedInWorkspace(path: WorkspacePath, { workspace, known }: Sides): boolean {
  const entry = workspace.stat(path)
  const there = known.get(path)
  if (!there) return entry !== null && entry.kind === 'file'
  return there.signature !== LEFT_THERE && (entry ? signature(entry) : null) !== there.signature
}

/** Commits the sandbox's older versions and takes them back, so that history has them. */
async function keepOverruled(overruled: readonly PlacedChange[], { workspace }: Sides): Promise<void> {
  const files = overruled.filter(({ path, op }) => op === 'write' && workspace.stat(path)?.kind === 'file')
  if (files.length === 0) return
  const back = files.flatMap(({ path }): Change[] => {
    const entry = workspace.stat(path)
    return entry?.kind === 'file'
      ? [{ op: 'write', path, content: entry, mode: entry.mode, mtimeMs: entry.mtimeMs }]
      : []
  })
  await workspace.commit(files)
  await workspace.commit(back)
}

/** How the workspace takes an entry over. @returns null for a file whose content did not come */
function takenOver(
  { path, kind, mode, mtimeMs, target }: Listed,
  contents: ReadonlyMap<WorkspacePath, Content>,
): { readonly change: PlacedChange; readonly signature: string } | null {
  if (kind === 'directory') return { change: { op: 'mkdir', path }, signature: 'd' }
  if (kind === 'link') return { change: { op: 'link', path, target, mtimeMs }, signature: `l ${target}` }
  const content = contents.get(path)
  if (!content) return null
  return {
    change: { op: 'write', path, content: content.bytes ?? content.stored, mode, mtimeMs },
    signature: `f ${mode.toString(8)} ${content.stored.hash}`,
  }
}

/** So that a file can come where a directory was. */
const removalsFirst = (changes: readonly Change[]): Change[] => [
  ...changes.filter(({ op }) => op === 'remove'),
  ...changes.filter(({ op }) => op !== 'remove'),
]

interface Content {
  readonly stored: StoredContent
  /** Small contents are committed with the manifest rather than ahead of it. */
  readonly bytes?: Uint8Array
}

/** Small contents of one pull that are held in memory together; further ones go to the store first. */
const MAX_HELD_SMALL_BYTES = 16 * 1024 * 1024

/** Brings the contents of files over, in one stream. Files that vanished meanwhile are absent. */
async function fetchContents(
  files: readonly Listed[],
  sides: Sides,
  store: StoreContent,
): Promise<ReadonlyMap<WorkspacePath, Content>> {
  const contents = new Map<WorkspacePath, Content>()
  if (files.length === 0) return contents
  const wanted = new Set(files.map(({ path }) => path))
  let held = 0
  await readTarFiles(gunzip(await openArchive(files, sides)), async ({ name, size, content }) => {
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
  })
  return contents
}

async function openArchive(files: readonly Listed[], { sandbox, signal }: Sides): Promise<ReadableStream<Uint8Array>> {
  const list = pathList(files.map(({ path }) => path))
  const bytes = files.reduce((total, { size }) => total + size, 0)
  const inline = bytes <= MAX_INLINE_BYTES && list.length <= 24 * 1024
  const name = `${STATE_DIRECTORY}/pull-${crypto.randomUUID()}`
  let read = `base64 -d <<< '${list.toBase64()}'`
  if (!inline) {
    await sandbox.write([{ path: `${name}.list`, content: list }], signal)
    read = `cat ${name}.list`
  }
  // 1 is "file changed as we read it": its next stamp will differ, and it is pulled again.
  const script = `set -o pipefail; cd ${SANDBOX_ROOT} || exit 90
T() { ${read} | tar --null --no-recursion --verbatim-files-from --ignore-failed-read --format=gnu -T - -cf - 2>/dev/null; [ $? -le 1 ]; }
${inline ? 'T | gzip -1 | base64 -w0' : `T | gzip -1 > ${name}.tgz`}`
  const { exitCode, stdout } = await sandbox.run(script, { timeoutMs: PULL_TIMEOUT_MS, signal })
  if (exitCode !== 0) fail('upstream', 'the changed files could not be packed in the sandbox; its disk may be full')
  if (inline) return streamOf(Uint8Array.fromBase64(stdout.trim()))
  const packed = await sandbox.readStream(`${name}.tgz`, signal)
  if (!packed) fail('upstream', 'the packed files vanished from the sandbox; call again')
  return packed.pipeThrough(
    new TransformStream({
      // The archive is read to its end before a sync goes on; then it can go.
      flush: () => sandbox.run(`rm -f ${name}.tgz ${name}.list`, { timeoutMs: LIST_TIMEOUT_MS, signal }).then(() => {}),
    }),
  )
}
