import { joined } from '../../core/joined.ts'
import { ancestors, pathToBytes, type WorkspacePath } from '../../core/workspace-path.ts'
import type { WorkspaceEntry } from '../../ports/workspace.ts'
import type { IgnoreList } from '../../workspace/ignore-list.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import { type KnownFiles, NOTHING, UNSEEN } from './known.ts'
import { signature } from './listing.ts'
import { kindAt } from './on-its-way.ts'

/**
 * Changes that the sandbox lacks. The contents of a directory stand right behind it: tar sets a directory's mode when it comes to
 * something else, and may not be able to put anything in after that.
 */
export interface PushPlan {
  readonly remove: readonly WorkspacePath[]
  readonly put: readonly WorkspaceEntry[]
}

/**
 * Compares the workspace with the known state of the sandbox.
 * @param paths that may differ; null for all
 */
export function planPush(
  workspace: SyncedWorkspace,
  known: KnownFiles,
  paths: readonly WorkspacePath[] | null,
): PushPlan {
  const remove: WorkspacePath[] = []
  const put: WorkspaceEntry[] = []
  const compare = (path: WorkspacePath, entry: WorkspaceEntry | null) => {
    const there = known.get(path)
    if (!entry) {
      if (there && there.signature !== NOTHING) remove.push(path)
      return
    }
    const wanted = signature(entry)
    if (there?.signature === wanted) return
    // A directory cannot replace a file, nor a file a directory.
    if (there && kindAt(there) !== wanted[0]) remove.push(path)
    put.push(entry)
  }
  if (paths) {
    for (const path of new Set(paths)) compare(path, workspace.stat(path))
  } else {
    for (const entry of workspace.entries()) compare(entry.path, entry)
    for (const path of known.all().keys()) if (!workspace.stat(path)) compare(path, null)
  }
  put.sort((a, b) => (inOrder(a.path) < inOrder(b.path) ? -1 : 1))
  return { remove, put }
}

/** Sort key that orders paths part by part: NUL is in no name. */
const inOrder = (path: WorkspacePath) => path.replaceAll('/', '\0')

/** Condition in the sandbox for carrying out a plan: nothing that it replaces or removes has changed there. */
export interface Precondition {
  /** Topmost paths that the plan touches. */
  readonly places: readonly WorkspacePath[]
  /** Sorted output of `find` with FIND_STAMPS for these places: {@link stampRecord} of each entry. */
  readonly records: Uint8Array
}

export function preconditionOf({ remove, put }: PushPlan, known: KnownFiles, ignore: IgnoreList): Precondition {
  const touched = new Set([...remove, ...put.map(({ path }) => path)].filter((path) => !ignore.covers(path)))
  const within = (path: WorkspacePath) => ancestors(path).some((directory) => touched.has(directory))
  const places = [...touched].filter((path) => !within(path))
  const records = places
    .flatMap((path) => known.within(path))
    .filter(([path, { stamp }]) => stamp !== UNSEEN && !ignore.covers(path))
    .map(([path, { stamp }]) => stampRecord(path, stamp))
    .sort(compareBytes)
  return { places, records: joined(records) }
}

const stampRecord = (path: WorkspacePath, stamp: string) =>
  joined([pathToBytes(stamp), SPACE_DOT_SLASH, pathToBytes(path), NUL])

/** Largest list of paths that travels inside the command. */
export const MAX_INLINE_LIST_BYTES = 24 * 1024

/** Paths as bytes, `./a NUL ./b NUL`. The `./` keeps a name that begins with `-` from being an option. */
export const pathList = (paths: readonly WorkspacePath[]): Uint8Array =>
  joined(paths.flatMap((path) => [DOT_SLASH, pathToBytes(path), NUL]))

const encoder = new TextEncoder()
export const DOT_SLASH = encoder.encode('./')
const SPACE_DOT_SLASH = encoder.encode(' ./')
const NUL = Uint8Array.of(0)

/** Compares as `sort -z` does in the C locale: without the NUL that ends a record. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length) - 1
  for (let at = 0; at < length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
