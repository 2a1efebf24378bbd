import { ancestors, type WorkspacePath } from '../../core/workspace-path.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import type { IgnoreList } from './ignore.ts'
import { type KnownFiles, ON_ITS_WAY } from './known.ts'
import type { Listed } from './listing.ts'

/** What the sandbox changed since it was last looked at. */
export interface Difference {
  /** New or changed; directories before what is in them. */
  readonly touched: readonly Listed[]
  readonly gone: readonly WorkspacePath[]
}

/**
 * Compares a listing with what the sandbox was known to have.
 * @param complete false when the listing may lack entries that are there: nothing is taken for gone then
 */
export function difference(
  listing: readonly Listed[],
  {
    known,
    workspace,
    ignore,
    complete,
  }: {
    readonly known: KnownFiles
    readonly workspace: SyncedWorkspace
    readonly ignore: IgnoreList
    readonly complete: boolean
  },
): Difference {
  const present = new Map(listing.map((entry) => [entry.path, entry]))
  const touched = new Map<WorkspacePath, Listed>()
  const parents = new Set<WorkspacePath>()
  for (const entry of listing) {
    const there = known.get(entry.path)
    if (there?.stamp === entry.stamp || there?.signature === ON_ITS_WAY) continue
    touched.set(entry.path, entry)
    for (const directory of ancestors(entry.path)) parents.add(directory)
  }
  // What lies in a directory can only be taken over where the workspace has a directory, too.
  for (const directory of parents) {
    const entry = present.get(directory)
    if (entry && (workspace.stat(directory)?.kind ?? 'directory') !== 'directory') touched.set(directory, entry)
  }
  return {
    touched: [...touched.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    gone: complete ? goneFrom(present, known, ignore) : [],
  }
}

function goneFrom(present: ReadonlyMap<WorkspacePath, Listed>, known: KnownFiles, ignore: IgnoreList): WorkspacePath[] {
  const isClosed = (path: WorkspacePath) => present.get(path)?.closed === true
  return [...known.all()].flatMap(([path, { signature }]) => {
    if (present.has(path) || signature === ON_ITS_WAY) return []
    // What lies in an ignored directory is not listed, and there as long as the directory is.
    const ignored = ignore.directoryOf(path)
    if (ignored !== null && present.get(ignored)?.kind === 'directory') return []
    return ancestors(path).some(isClosed) ? [] : [path]
  })
}
