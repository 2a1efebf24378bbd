import { MAX_FILE_BYTES } from '../../core/limits/workspace.ts'
import { ancestors, type WorkspacePath } from '../../core/workspace-path.ts'
import type { IgnoreList } from '../../workspace/ignore-list.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import { type KnownFiles, ON_ITS_WAY } from './known.ts'
import type { Listed } from './listing.ts'
import { isRacy, type Race } from './racy.ts'

/** Changes of the sandbox since it was last looked at. */
export interface Difference {
  /** New or changed entries; directories before their contents. */
  readonly touched: readonly Listed[]
  readonly gone: readonly WorkspacePath[]
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
  const parents = new Set<WorkspacePath>()
  for (const entry of listing) {
    const there = known.get(entry.path)
    if (there?.signature === ON_ITS_WAY) continue
    if (there?.stamp === entry.stamp) {
      if (isComparable(entry) && (there.isRacy || isRacy(entry, race))) suspect.push(entry)
      continue
    }
    if (there && isComparable(entry) && entry.size >= LARGE_BYTES && isAsLong(entry, there.stamp)) suspect.push(entry)
    else touched.set(entry.path, entry)
    for (const directory of ancestors(entry.path)) parents.add(directory)
  }
  // Entries of a directory can be taken over only where the workspace has a directory, too.
  for (const directory of parents) {
    const entry = present.get(directory)
    if (entry && (workspace.stat(directory)?.kind ?? 'directory') !== 'directory') touched.set(directory, entry)
  }
  return {
    touched: [...touched.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    gone: complete ? goneFrom(present, known, ignore) : [],
    suspect,
  }
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
): WorkspacePath[] {
  const isClosed = (path: WorkspacePath) => present.get(path)?.closed === true
  return [...known.all()].flatMap(([path, { signature }]) => {
    if (present.has(path) || signature === ON_ITS_WAY) return []
    // Entries of an ignored directory are not listed, and exist as long as the directory does.
    const ignored = ignore.directoryOf(path)
    if (ignored !== null && present.get(ignored)?.kind === 'directory') return []
    return ancestors(path).some(isClosed) ? [] : [path]
  })
}
