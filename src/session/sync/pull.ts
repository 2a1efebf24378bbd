import { fail } from '../../core/failure.ts'
import { MAX_FILE_BYTES } from '../../core/limits.ts'
import { isWithin, pathFromBytes, SANDBOX_ROOT, type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import { SandboxGone } from '../../ports/sandbox.ts'
import type { Change, StoredContent } from '../../ports/workspace.ts'
import { DISTRIBUTIONS_SCRIPT, readDistributions } from '../machine/environment.ts'
import { askWatcher, findMarked } from '../machine/exec-script.ts'
import { STATE_DIRECTORY } from '../machine/place.ts'
import { collect, gunzip, streamOf } from './gzip.ts'
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
  readonly ownPids: readonly number[]
}

/**
 * Prints all that is in the workspace's place, packed for a text channel, and on stderr what the environment has.
 * The watcher forgets first: what changes from then on is not in this listing for certain.
 */
const listScript = (ignore: IgnoreList, { watchPort, ownPids }: Place) =>
  `cd ${SANDBOX_ROOT} || exit 90
${watchPort === null ? '' : askWatcher(watchPort, 'r', 'd')}
${findMarked(ownPids)}
F '*' 2>/dev/null; { echo "background \${#found[@]}"; ${DISTRIBUTIONS_SCRIPT}; } >&2
{ find . -mindepth 1 -printf '${FIND_FORMAT}' ${ignore.findExpression()} 2>/dev/null; printf 'end %d' $?; } | gzip -1 | base64 -w0`

/**
 * Reads what {@link listScript} printed. A listing that was cut off must not be taken for one with fewer files;
 * `find` says 1 when something vanished or could not be entered while it looked.
 */
async function readListing(stdout: string): Promise<Listed[]> {
  const bytes = await collect(gunzip(streamOf(Uint8Array.fromBase64(stdout.trim()))))
  const end = bytes.lastIndexOf(0) + 1
  if (!/^end [01]$/.test(new TextDecoder().decode(bytes.subarray(end)))) {
    fail('upstream', 'the files in the sandbox could not be listed; call again')
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
 * @throws FailureError `upstream` when the sandbox cannot be listed
 */
export async function pull(sides: Sides, ignore: IgnoreList, place: Place): Promise<Pulled> {
  const { sandbox, signal } = sides
  const script = listScript(ignore, place)
  const { exitCode, stdout, stderr } = await sandbox.run(script, { timeoutMs: LIST_TIMEOUT_MS, signal })
  if (exitCode === 90) throw new SandboxGone('the task directory is gone from the sandbox')
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
  const notes: string[] = []
  const noted: [WorkspacePath, Known | null][] = []
  const touched = listing.filter(({ path, stamp }) => known.get(path)?.stamp !== stamp)
  const present = new Set(listing.map(({ path }) => path))
  const closed = listing.filter(({ kind, mode }) => kind === 'directory' && (mode & 0o500) !== 0o500)
  const hidden = (path: WorkspacePath) => closed.some((directory) => isWithin(path, directory.path))
  const gone = [...known.all().keys()].filter((path) => !present.has(path) && !ignore.covers(path) && !hidden(path))

  const wanted = touched.filter(({ path, kind, size, stamp }) => {
    if (kind !== 'file') return false
    if (size <= MAX_FILE_BYTES) return true
    notes.push(`${path} has ${size} bytes, more than ${MAX_FILE_BYTES}: it stays in the sandbox and is lost with it`)
    noted.push([path, { stamp, signature: 'left' }])
    return false
  })
  const contents = await fetchContents(wanted, sides)

  const changes: Change[] = []
  const overruled: PlacedChange[] = []
  const conflicts: WorkspacePath[] = []
  for (const listed of touched) {
    const { path, stamp } = listed
    const change = changeFor(listed, contents)
    if (!change) continue
    const before = workspace.stat(path)
    const after = signatureOf(listed, contents)
    noted.push([path, { stamp, signature: after }])
    if (before && signature(before) === after) continue
    if (changedAtEdge(path, sides)) {
      conflicts.push(path)
      if (before && before.mtimeMs > listed.mtimeMs) {
        overruled.push(change)
        continue
      }
    }
    changes.push(change)
  }
  for (const path of gone) {
    noted.push([path, null])
    if (changedAtEdge(path, sides)) conflicts.push(path)
    else if (known.get(path)?.signature !== 'left') changes.push({ op: 'remove', path })
  }

  await keepOverruled(overruled, sides)
  if (changes.length > 0) await workspace.commit(ordered(changes))
  known.set(noted)
  return { changed: changes.length, conflicts, notes }
}

/** True when somebody changed or removed the path in the workspace after the sandbox got it. */
function changedAtEdge(path: WorkspacePath, { workspace, known }: Sides): boolean {
  const entry = workspace.stat(path)
  const there = known.get(path)
  if (!there) return entry !== null && entry.kind === 'file'
  return there.signature !== 'left' && (entry ? signature(entry) : null) !== there.signature
}

/** Commits the sandbox's older version and takes it back, so that history has it. */
async function keepOverruled(overruled: readonly PlacedChange[], { workspace }: Sides): Promise<void> {
  if (overruled.length === 0) return
  const back = overruled.flatMap(({ path }): Change[] => {
    const entry = workspace.stat(path)
    return entry?.kind === 'file'
      ? [{ op: 'write', path, content: entry, mode: entry.mode, mtimeMs: entry.mtimeMs }]
      : []
  })
  await workspace.commit(overruled)
  await workspace.commit(back)
}

type PlacedChange = Exclude<Change, { op: 'move' }>

function changeFor(listed: Listed, contents: ReadonlyMap<WorkspacePath, StoredContent>): PlacedChange | null {
  const { path, kind, mode, mtimeMs, target } = listed
  if (kind === 'directory') return { op: 'mkdir', path }
  if (kind === 'link') return { op: 'link', path, target, mtimeMs }
  const content = contents.get(path)
  return content ? { op: 'write', path, content, mode, mtimeMs } : null
}

const signatureOf = ({ path, kind, mode, target }: Listed, contents: ReadonlyMap<WorkspacePath, StoredContent>) =>
  kind === 'directory' ? 'd' : kind === 'link' ? `l ${target}` : `f ${mode.toString(8)} ${contents.get(path)?.hash}`

/** Removals first and deepest first, so that a file can come where a directory was. */
function ordered(changes: readonly Change[]): Change[] {
  const removals = changes.filter(({ op }) => op === 'remove')
  return [...removals.reverse(), ...changes.filter(({ op }) => op !== 'remove')]
}

/** Brings the contents of files into the workspace's store, in one stream. Files that vanished meanwhile are absent. */
async function fetchContents(
  files: readonly Listed[],
  sides: Sides,
): Promise<ReadonlyMap<WorkspacePath, StoredContent>> {
  const contents = new Map<WorkspacePath, StoredContent>()
  if (files.length === 0) return contents
  const wanted = new Set(files.map(({ path }) => path))
  await readTarFiles(gunzip(await openArchive(files, sides)), async ({ name, size, content }) => {
    const path = workspacePath(pathFromBytes(name))
    if (!wanted.has(path) || size > MAX_FILE_BYTES) return
    contents.set(
      path,
      size <= MAX_HELD_BYTES
        ? await sides.workspace.storeContent(await content.bytes())
        : await sides.workspace.storeContent({ stream: content.stream(), size }),
    )
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
