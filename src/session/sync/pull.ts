import { fail } from '../../core/failure.ts'
import { MAX_LISTING_BYTES } from '../../core/limits/sandbox.ts'
import { SYNC_LIST_MS } from '../../core/limits/sync.ts'
import { MAX_FILE_BYTES } from '../../core/limits/workspace.ts'
import { DIRECTORY, say } from '../../core/saying/saying.ts'
import { SANDBOX_ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import { PROCESSES, RACE } from '../../guest/bash/programs.ts'
import { bashCall } from '../../guest/bash-program.ts'
import type { FileLock } from '../../ports/locks.ts'
import type { FileChange } from '../../ports/runner.ts'
import { type RunResult, SandboxGone } from '../../ports/sandbox.ts'
import type { Change } from '../../ports/workspace.ts'
import type { IgnoreList } from '../../workspace/ignore-list.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import { DISTRIBUTIONS_SCRIPT, type Distribution, readDistributions } from '../sandbox/environment.ts'
import { LEFT_BEHIND } from '../sandbox/marks.ts'
import { DIRECTORY_GONE } from '../sandbox/place.ts'
import { askWatcher } from '../sandbox/watcher.ts'
import { compareContents } from './compare.ts'
import { decide } from './decide.ts'
import { difference } from './difference.ts'
import { fetchContents } from './fetch.ts'
import { fileChanges } from './file-changes.ts'
import { unpackText } from './gzip.ts'
import { NOTHING } from './known.ts'
import { findAll, type Listed, type Listing, parseListing, signature } from './listing.ts'
import type { Sides } from './push.ts'
import { isRacy, type Race, readRace } from './racy.ts'

/** Result of a pull. */
export interface Pulled {
  /** Paths changed on both sides since the last sync. */
  readonly conflicts: readonly WorkspacePath[]
  /** Committed changes of files. */
  readonly changed: readonly FileChange[]
  /** Notes on files that stayed in the sandbox, and why. */
  readonly notes: readonly string[]
  /** Packages in the task's environment. */
  readonly distributions: readonly Distribution[]
  /** True when background processes live on. */
  readonly background: boolean
  /** The watcher's count: an equal one later means that nothing has changed since. Null when that cannot be known. */
  readonly watched: string | null
}

/**
 * Looks at the sandbox and commits its changes. A file that changes while it is read is read again by the next pull: its stamp
 * will differ.
 * @param watchPort of the watcher; null when it cannot be relied on
 * @throws SandboxGone when the sandbox cannot be listed
 */
export async function pull(sides: Sides, ignore: IgnoreList, watchPort: number | null): Promise<Pulled> {
  const { sandbox, signal } = sides
  const printed = await sandbox.run(listScript(ignore, watchPort), { timeoutMs: SYNC_LIST_MS, signal })
  if (printed.exitCode === 90) throw new SandboxGone(DIRECTORY_GONE)
  const { listing, complete } = await readListing(printed)
  const { background, watched, race } = readReport(printed.stderr)
  if (complete) sides.links.note(listing.entries)
  return {
    ...(await takeOver(listing, sides, { ignore, complete, race })),
    distributions: readDistributions(printed.stderr),
    background,
    watched: complete && !haveNamesElsewhere(listing.entries) ? watched : null,
  }
}

/**
 * Bash that prints all entries of the workspace's directory, packed for a text channel, and on stderr the other results. The
 * watcher is asked first: the listing has everything that it has counted by then.
 */
const listScript = (ignore: IgnoreList, watchPort: number | null) =>
  `cd ${SANDBOX_ROOT} || exit 90
[ -r . ] || exit 91
w=
${watchPort === null ? '' : askWatcher(watchPort, 'w')}
${PROCESSES}${RACE}${bashCall('find_marked', LEFT_BEHIND)} 2>/dev/null; b=\${#found[@]}; [ $b = 0 ] || find_marked '[0-9]*' 2>/dev/null
{ echo "background $b"; echo "watched $w"; print_race; ${DISTRIBUTIONS_SCRIPT}; } >&2
{ LC_ALL=C ${findAll(ignore)}; printf 'end %d' $?; } | gzip -1 | base64 -w0`

function readReport(stderr: string) {
  return {
    background: !/^background 0$/m.test(stderr),
    watched: /^watched (\d+)$/m.exec(stderr)?.[1] ?? null,
    race: readRace(stderr),
  }
}

/** Whether a file has a name besides the listed ones: the watcher does not see writes under that name. */
function haveNamesElsewhere(entries: readonly Listed[]): boolean {
  const names = new Map<string, number>()
  const linked = entries.filter(({ kind, links }) => kind === 'file' && links > 1)
  for (const { inode } of linked) names.set(inode, (names.get(inode) ?? 0) + 1)
  return linked.some(({ inode, links }) => links > (names.get(inode) ?? 0))
}

/**
 * Reads a listing. One that was cut off must not be taken for one with fewer files. `find` ends with 1 when something vanished
 * meanwhile, which is harmless, or when it could not read something, which makes the listing incomplete.
 */
async function readListing({ exitCode, stdout, stderr }: RunResult): Promise<{ listing: Listing; complete: boolean }> {
  if (exitCode === 91)
    fail('upstream', say`the ${DIRECTORY} cannot be read; make it readable in the sandbox: chmod u+rwx`)
  const bytes = await unpackText(stdout, MAX_LISTING_BYTES)
  const end = bytes.lastIndexOf(0) + 1
  if (!/^end [01]$/.test(new TextDecoder().decode(bytes.subarray(end)))) {
    throw new SandboxGone('the files in the sandbox could not be listed')
  }
  const complaints = stderr.split('\n').filter((line) => line.startsWith('find: '))
  return {
    listing: parseListing(bytes.subarray(0, end)),
    complete: complaints.every((line) => line.endsWith(': No such file or directory')),
  }
}

async function takeOver(
  { entries, unnamable }: Listing,
  sides: Sides,
  { ignore, complete, race }: { readonly ignore: IgnoreList; readonly complete: boolean; readonly race: Race },
): Promise<Pick<Pulled, 'changed' | 'conflicts' | 'notes'>> {
  const { workspace, known } = sides
  const { touched: different, gone, suspect } = difference(entries, { known, workspace, ignore, complete, race })
  const { changed, same } = await compareContents(suspect, sides)
  const touched = [...different, ...changed].sort((a, b) => (a.path < b.path ? -1 : 1))
  const tooLarge = touched.filter(isTooLarge)
  const taken = touched.filter((entry) => !isTooLarge(entry))
  return workspace.storing(async (store) => {
    const files = taken.filter(({ kind }) => kind === 'file')
    const { contents, unreadable } = await fetchContents(files, sides, store)
    const { changes, back, conflicts, noted } = decide({ touched: taken, gone }, contents, { ...sides, race })
    const changed = fileChanges(changes, workspace)
    if (changes.length > 0) await workspace.takeOver(changes)
    if (back.length > 0) await workspace.takeOver(back)
    known.set([
      ...noted,
      ...tooLarge.map((entry) => [entry.path, leftThere(entry, sides)] as const),
      ...same.map((entry) => [entry.path, stillThere(entry, sides, race)] as const),
    ])
    return {
      changed,
      conflicts,
      notes: [
        ...changedUnderLock(changes, workspace),
        ...tooLarge.map(({ path, size }) => stays(`${path} has ${size} bytes, more than ${MAX_FILE_BYTES}`)),
        ...unreadable.map((name) => readable(`${name} cannot be read`)),
        ...unnamable.map((name) => stays(`${name} has too long a name or path`)),
        ...entries.filter(({ closed }) => closed).map(({ path }) => readable(`what is in ${path} cannot be read`)),
      ],
    }
  })
}

const isTooLarge = ({ kind, size }: Listed) => kind === 'file' && size > MAX_FILE_BYTES

/** A file left in the sandbox, known with the signature of the workspace's entry, so that it is not replaced by that. */
function leftThere({ path, stamp }: Listed, { workspace }: Sides) {
  const entry = workspace.stat(path)
  return { stamp, signature: entry ? signature(entry) : NOTHING }
}

/** A file with unchanged content, under its present stamp. */
function stillThere(entry: Listed, { known }: Sides, race: Race) {
  const signature = known.get(entry.path)?.signature ?? NOTHING
  return { stamp: entry.stamp, signature, isRacy: isRacy(entry, race) }
}

/** Notes on changes under locks: one for each lock, since a command may have changed a thousand files below one. */
export function changedUnderLock(changes: readonly Change[], { locks }: SyncedWorkspace): string[] {
  const paths = new Map<FileLock, WorkspacePath[]>()
  for (const change of changes) {
    const path = change.op === 'move' ? change.to : change.path
    const lock = locks.holding(path)
    if (lock) paths.set(lock, [...(paths.get(lock) ?? []), path])
  }
  return [...paths].map(([{ path, name, level }, [first, ...more]]) => {
    const others = more.length > 0 ? ` and ${more.length} more` : ''
    return `${first}${others} changed although ${path} is locked by ${name} (level ${level}): locks do not hold commands back`
  })
}

const stays = (what: string) => `${what}: it stays in the sandbox and is lost with it`
const readable = (what: string) => `${stays(what)}; make it readable to keep it (chmod u+rX)`
