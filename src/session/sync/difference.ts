import { MAX_FILE_BYTES } from '../../core/limits/workspace.ts'
import { ancestors, type WorkspacePath } from '../../core/workspace-path.ts'
import type { IgnoreList } from '../../workspace/ignore-list.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import { type Known, type KnownFiles, UNSEEN } from './known.ts'
import type { Listed } from './listing.ts'
import { isOnItsWay } from './on-its-way.ts'
import { isRacy, type Race } from './racy.ts'

/** Changes of the sandbox since it was last looked at. */
export interface Difference {
  /** New or changed entries, and those that are on their way and came in whole or in part; directories before their contents. */
  readonly touched: readonly Listed[]
  readonly gone: readonly WorkspacePath[]
  /** Entries that are on their way, and of which nothing is there any more, with their new state. */
  readonly away: readonly (readonly [WorkspacePath, Known])[]
  /** Files whose content may have changed, as the listing cannot tell. */
  readonly suspect: readonly Listed[]
}

/** Size from which a touched file with as many bytes as before is compared in the sandbox before it is fetched. */
const LARGE_BYTES = 1024 * 1024

/**
 * Compares a listing with the sandbox's known state.
 * @param complete false when the listing may lack existing entries: no entry counts as removed then
 */
export function difference(
  listing: readonly Listed[],
  {
    known,
    workspace,
    ignore,
    complete,
    race,
  }: {
    readonly known: Pick<KnownFiles, 'all' | 'get'>
    readonly workspace: SyncedWorkspace
    readonly ignore: IgnoreList
    readonly complete: boolean
    readonly race: Race
  },
): Difference {
  const present = new Map(listing.map((entry) => [entry.path, entry]))
  const touched = new Map<WorkspacePath, Listed>()
  const suspect: Listed[] = []
  const changed: Listed[] = []
  for (const entry of listing) {
    const there = known.get(entry.path)
    const isSent = there !== undefined && isOnItsWay(there)
    if (there?.stamp === entry.stamp) {
      if (!isSent && isComparable(entry) && (there.isRacy || isRacy(entry, race))) suspect.push(entry)
      continue
    }
    if (there && !isSent && isComparable(entry) && entry.size >= LARGE_BYTES && isAsLong(entry, there.stamp))
      suspect.push(entry)
    else touched.set(entry.path, entry)
    if (!isSent) changed.push(entry)
  }
  for (const directory of directoriesAbove(changed, present, workspace)) touched.set(directory.path, directory)
  const missing = complete ? goneFrom(present, known, ignore) : []
  return {
    touched: [...touched.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    gone: missing.flatMap(([path, there]) => (isOnItsWay(there) ? [] : [path])),
    away: missing.flatMap(([path, there]) =>
      isOnItsWay(there) && there.stamp !== UNSEEN ? [[path, { ...there, stamp: UNSEEN }] as const] : [],
    ),
    suspect,
  }
}

/** Directories above changed entries, where the workspace has something else: it can take over what is in a directory only into one. */
export function directoriesAbove(
  changed: readonly Listed[],
  present: ReadonlyMap<WorkspacePath, Listed>,
  workspace: Pick<SyncedWorkspace, 'stat'>,
): Listed[] {
  const above = new Set(changed.flatMap(({ path }) => ancestors(path)))
  return [...above].flatMap((directory) => {
    const entry = present.get(directory)
    return entry && (workspace.stat(directory)?.kind ?? 'directory') !== 'directory' ? [entry] : []
  })
}

/** Whether the workspace can hold the file too. */
const isComparable = ({ kind, size }: Listed) => kind === 'file' && size <= MAX_FILE_BYTES

/** Whether a file has the mode and size of an earlier stamp. */
const isAsLong = ({ stamp }: Listed, earlier: string) => modeAndSize(stamp) === modeAndSize(earlier)
const modeAndSize = (stamp: string) => stamp.split(' ', 3).join(' ')

function goneFrom(
  present: ReadonlyMap<WorkspacePath, Listed>,
  known: Pick<KnownFiles, 'all'>,
  ignore: IgnoreList,
): (readonly [WorkspacePath, Known])[] {
  const isClosed = (path: WorkspacePath) => present.get(path)?.closed === true
  return [...known.all()].flatMap(([path, there]) => {
    if (present.has(path)) return []
    // Entries of an ignored directory are not listed, and exist as long as the directory does.
    const ignored = ignore.directoryOf(path)
    if (ignored !== null && present.get(ignored)?.kind === 'directory') return []
    return ancestors(path).some(isClosed) ? [] : [[path, there] as const]
  })
}
