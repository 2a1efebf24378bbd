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
import { difference, directoriesAbove } from './difference.ts'
import { fetchContents } from './fetch.ts'
import { fileChanges } from './file-changes.ts'
import { unpackText } from './gzip.ts'
import {
  askJournal,
  HAS_JOURNAL,
  isUnsure,
  type Journal,
  knownAt,
  listJournal,
  readJournal,
  reallyThere,
} from './journal.ts'
import { type KnownFiles, NOTHING } from './known.ts'
import { findAll, findBelow, type Listed, type Listing, parseListing, signature } from './listing.ts'
import { cameWhole, withoutSent } from './on-its-way.ts'
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
  /** True when only the paths of the watcher's journal were looked at. */
  readonly isPart: boolean
  /** True when a file changed that the watcher did not see, though it should have. */
  readonly wasMissed: boolean
}

/** Watcher of a sandbox, as of the last look. */
export interface Watch {
  readonly port: number
  /** Count at the last look; null when that is unknown. */
  readonly since: string | null
  /** Whether its journal is relied on; false lists everything. */
  readonly isTrusted: boolean
}

/**
 * Looks at the sandbox and commits its changes: at the paths that the watcher's journal names, where it can be relied on, else at
 * all. A file that changes while it is read is read again by the next pull: its stamp will differ.
 * @param watch null when the watcher cannot be relied on
 * @throws SandboxGone when the sandbox cannot be listed
 */
export async function pull(sides: Sides, ignore: IgnoreList, watch: Watch | null): Promise<Pulled> {
  const { sandbox, signal, known } = sides
  const since = watch?.isTrusted && !sides.links.areKnown ? watch.since : null
  const script = listScript(ignore, watch?.port ?? null, since)
  const printed = await sandbox.run(script, { timeoutMs: SYNC_LIST_MS, signal })
  if (printed.exitCode === 90) throw new SandboxGone(DIRECTORY_GONE)
  const { background, watched, still, race, isPart } = readReport(printed.stderr)
  const listed = await readListing(printed, isPart)
  if (!listed || (listed.journal && (!listed.complete || isUnsure(listed.journal, listed.listing.entries, known))))
    return pull(sides, ignore, watch && { ...watch, isTrusted: false })
  const { listing, complete, journal } = listed
  if (complete && !journal) sides.links.note(listing.entries)
  const there = journal ? { ...listing, entries: reallyThere(listing.entries) } : listing
  const before = journal ? knownAt(journal.paths, known) : allKnown(known)
  const taken = await takeOver(there, sides, { ignore, complete, race, before })
  const count = complete && !haveNamesElsewhere(listing.entries) ? watched : null
  return {
    ...taken,
    distributions: readDistributions(printed.stderr),
    background,
    watched: count,
    isPart: journal !== null,
    // What a program changes while the files are listed is counted later.
    wasMissed:
      taken.changed.length > 0 && count !== null && count === watch?.since && count === still && race.mapped.size === 0,
  }
}

function allKnown(known: KnownFiles): Pick<KnownFiles, 'all' | 'get'> {
  const entries = known.all()
  return { all: () => entries, get: (path) => entries.get(path) }
}

/**
 * Bash that prints all entries of the workspace's directory, or those of the watcher's journal, packed for a text channel, and on
 * stderr the other results. The watcher is asked first: the listing has everything that it has counted by then. After a listing of
 * everything it is asked again, whether something changed meanwhile. What a process has mapped may change without its knowledge.
 */
const listScript = (ignore: IgnoreList, watchPort: number | null, since: string | null) =>
  `cd ${SANDBOX_ROOT} || exit 90
[ -r . ] || exit 91
LC_ALL=C w= journal=() part=0
${watchPort === null || since === null ? '' : `{ ${askJournal(watchPort, since)}; } 2>/dev/null`}
${watchPort === null ? '' : `[ -n "$w" ] || ${askWatcher(watchPort, 'w')}`}
${PROCESSES}${RACE}${bashCall('find_marked', LEFT_BEHIND)} 2>/dev/null; b=\${#found[@]}; [ $b = 0 ] || find_marked '[0-9]*' 2>/dev/null
if [ \${#found[@]} = 0 ]; then race=; print_race >&2; else race=$(print_race); echo "$race" >&2; fi
${HAS_JOURNAL} && [[ $race != *mapped* ]] && part=1
{ echo "background $b"; echo "watched $w"; echo "part $part"; ${DISTRIBUTIONS_SCRIPT}; } >&2
{ if [ $part = 1 ]; then ${listJournal(findBelow(ignore))}; else ${findAll(ignore)}; fi; printf 'end %d' $?; } | gzip -1 | base64 -w0
${watchPort === null ? '' : `[ $part = 1 ] || [ -z "$w" ] || { still=; { ${askWatcher(watchPort, 'still')}; } 2>/dev/null; echo "still $still" >&2; }`}`

function readReport(stderr: string) {
  return {
    background: !/^background 0$/m.test(stderr),
    watched: /^watched (\d+)$/m.exec(stderr)?.[1] ?? null,
    still: /^still (\d+)$/m.exec(stderr)?.[1] ?? null,
    race: readRace(stderr),
    isPart: /^part 1$/m.test(stderr),
  }
}

/** Whether a file has a name besides the listed ones: the watcher does not see writes under that name. */
function haveNamesElsewhere(entries: readonly Listed[]): boolean {
  const names = new Map<string, number>()
  const linked = entries.filter(({ kind, links }) => kind === 'file' && links > 1)
  for (const { inode } of linked) names.set(inode, (names.get(inode) ?? 0) + 1)
  return linked.some(({ inode, links }) => links > (names.get(inode) ?? 0))
}

interface Look {
  /** Journal whose paths alone are listed; null for everything. */
  readonly journal: Journal | null
  readonly listing: Listing
  /** False when existing entries may be absent. */
  readonly complete: boolean
}

/**
 * Reads a listing. One that was cut off must not be taken for one with fewer files. `find` ends with 1 when something vanished
 * meanwhile, which is harmless, or when it could not read something, which makes the listing incomplete.
 * @returns null for a journal that is broken
 */
async function readListing({ exitCode, stdout, stderr }: RunResult, isPart: boolean): Promise<Look | null> {
  if (exitCode === 91)
    fail('upstream', say`the ${DIRECTORY} cannot be read; make it readable in the sandbox: chmod u+rwx`)
  const bytes = await unpackText(stdout, MAX_LISTING_BYTES)
  const end = bytes.lastIndexOf(0) + 1
  if (!/^end [01]$/.test(new TextDecoder().decode(bytes.subarray(end)))) {
    throw new SandboxGone('the files in the sandbox could not be listed')
  }
  const complaints = stderr.split('\n').filter((line) => line.startsWith('find: '))
  const part = isPart ? readJournal(bytes) : null
  if (isPart && !part) return null
  return {
    journal: part?.journal ?? null,
    listing: parseListing(part ? part.rest.subarray(0, part.rest.lastIndexOf(0) + 1) : bytes.subarray(0, end)),
    complete: complaints.every((line) => /: (?:No such file or directory|Not a directory)$/.test(line)),
  }
}

async function takeOver(
  { entries, unnamable }: Listing,
  sides: Sides,
  {
    ignore,
    complete,
    race,
    before,
  }: {
    readonly ignore: IgnoreList
    readonly complete: boolean
    readonly race: Race
    readonly before: Pick<KnownFiles, 'all' | 'get'>
  },
): Promise<Pick<Pulled, 'changed' | 'conflicts' | 'notes'>> {
  const { workspace, known } = sides
  const {
    touched: different,
    gone,
    away,
    suspect,
  } = difference(entries, { known: before, workspace, ignore, complete, race })
  const { changed, same } = await compareContents(suspect, sides)
  const touched = [...different, ...changed].sort((a, b) => (a.path < b.path ? -1 : 1))
  const tooLarge = touched.filter(isTooLarge)
  const possible = touched.filter((entry) => !isTooLarge(entry))
  return workspace.storing(async (store) => {
    const sent = { workspace, known: before, race }
    const files = possible.filter((entry) => entry.kind === 'file' && !cameWhole(entry, sent))
    const { contents, unreadable } = await fetchContents(files, sides, store)
    const { came, others } = await withoutSent(possible, contents, sent)
    const taken = others.length < possible.length ? withDirectories(others, entries, workspace) : others
    const there = lookedAt([...taken.map(({ path }) => path), ...gone], workspace)
    const looked = { workspace: there, known: before, race }
    const { changes, back, conflicts, noted } = decide({ touched: taken, gone }, contents, looked)
    const changed = fileChanges(changes, there)
    if (changes.length > 0) await workspace.takeOver(changes)
    if (back.length > 0) await workspace.takeOver(back)
    known.set([
      ...noted,
      ...came,
      ...away,
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

/** Paths from which on one look at the workspace's entries takes less time than one at each. */
const MIN_LOOKED_AT = 16

/** The workspace, with the entries of these paths as they are now: a file that is new is asked for three times. */
function lookedAt(paths: readonly WorkspacePath[], workspace: SyncedWorkspace): Pick<SyncedWorkspace, 'stat' | 'list'> {
  if (paths.length < MIN_LOOKED_AT) return workspace
  const entries = workspace.statMany(paths)
  const looked = new Set(paths)
  return {
    stat: (path) => (looked.has(path) ? (entries.get(path) ?? null) : workspace.stat(path)),
    list: (directory, options) => workspace.list(directory, options),
  }
}

/** Changed entries, with the directories above them that the workspace has to take over first. */
function withDirectories(changed: readonly Listed[], listing: readonly Listed[], workspace: SyncedWorkspace): Listed[] {
  const present = new Map(listing.map((entry) => [entry.path, entry]))
  const all = new Map(
    [...changed, ...directoriesAbove(changed, present, workspace)].map((entry) => [entry.path, entry]),
  )
  return [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
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
