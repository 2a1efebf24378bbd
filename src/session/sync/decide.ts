import { ancestors, type WorkspacePath } from '../../core/workspace-path.ts'
import { type Change, changeMaking, type StoredContent, type WorkspaceEntry } from '../../ports/workspace.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import type { Difference } from './difference.ts'
import { type Known, type KnownFiles, NOTHING } from './known.ts'
import { type Listed, signature } from './listing.ts'
import { isRacy, type Race } from './racy.ts'

/** Content of a file of the sandbox. */
export interface Content {
  readonly stored: StoredContent
  /** Bytes of a small content, which is committed with the manifest rather than ahead of it. */
  readonly bytes?: Uint8Array
}

/** Result of a comparison: how the workspace takes over a difference. */
export interface Decision {
  /** All of the sandbox's changes, as one commit. */
  readonly changes: readonly Change[]
  /** Later changes of the workspace, committed again after it: so history has both. */
  readonly back: readonly Change[]
  /** Paths changed on both sides since the last sync. */
  readonly conflicts: readonly WorkspacePath[]
  readonly noted: readonly (readonly [WorkspacePath, Known | null])[]
}

interface Sides {
  readonly workspace: Pick<SyncedWorkspace, 'stat' | 'list'>
  readonly known: Pick<KnownFiles, 'get'>
  readonly race: Race
}

/**
 * Decides between the two sides: of two changes the later one wins, and an edit wins over a removal.
 * @param contents of the touched files; an absent one could not be read and stays as it is
 */
export function decide(
  { touched, gone }: Pick<Difference, 'touched' | 'gone'>,
  contents: ReadonlyMap<WorkspacePath, Content>,
  sides: Sides,
): Decision {
  const { workspace } = sides
  const removals: Change[] = []
  const changes: Change[] = []
  const back: Change[] = []
  const conflicts = new Set<WorkspacePath>()
  const noted: [WorkspacePath, Known | null][] = []
  for (const listed of touched) {
    const { path, stamp } = listed
    const taken = takenOver(listed, contents)
    if (!taken) continue
    noted.push([path, { stamp, signature: taken.signature, isRacy: isRacy(listed, sides.race) }])
    // Whatever the workspace has there now, no program changed the file in the sandbox.
    if (listed.kind === 'file' && sides.known.get(path)?.signature === taken.signature) continue
    const before = workspace.stat(path)
    if (before && signature(before) === taken.signature) continue
    const contested = contestedPaths(listed, before, sides)
    for (const each of contested) conflicts.add(each)
    if (before && contested.includes(path) && before.mtimeMs > listed.changedMs)
      back.push(...putBack(before, workspace))
    if (before && (before.kind === 'directory') !== (listed.kind === 'directory')) removals.push({ op: 'remove', path })
    changes.push(taken.change)
  }
  const { removable, kept } = sortGone(gone, sides)
  for (const path of kept) conflicts.add(path)
  return {
    changes: [...removals, ...removable.map((path): Change => ({ op: 'remove', path })), ...changes],
    back,
    conflicts: [...conflicts],
    noted: [...gone.map((path) => [path, null] as const), ...noted],
  }
}

/** Change with which the workspace takes over an entry. @returns null for a file whose content did not come */
function takenOver(
  { path, kind, mode, mtimeMs, target }: Listed,
  contents: ReadonlyMap<WorkspacePath, Content>,
): { readonly change: Change; readonly signature: string } | null {
  if (kind === 'directory') return { change: { op: 'mkdir', path, mode }, signature: `d ${mode.toString(8)}` }
  if (kind === 'link') return { change: { op: 'link', path, target, mtimeMs }, signature: `l ${target}` }
  const content = contents.get(path)
  if (!content) return null
  return {
    change: { op: 'write', path, content: content.bytes ?? content.stored, mode, mtimeMs },
    signature: `f ${mode.toString(8)} ${content.stored.hash}`,
  }
}

/** Paths changed in the workspace that the sandbox's entry would replace: at its place, or below a directory there. */
function contestedPaths(listed: Listed, before: WorkspaceEntry | null, sides: Sides): WorkspacePath[] {
  const { path, kind } = listed
  if (before?.kind === 'directory' && kind === 'directory') return []
  const own = changedInWorkspace(path, sides) ? [path] : []
  if (before?.kind !== 'directory') return own
  const below = sides.workspace.list(path, { recursive: true }).entries.map((entry) => entry.path)
  return [...own, ...below.filter((each) => changedInWorkspace(each, sides))]
}

/** Whether the workspace changed or removed the path after the sandbox got it. */
function changedInWorkspace(path: WorkspacePath, { workspace, known }: Sides): boolean {
  const entry = workspace.stat(path)
  return (entry ? signature(entry) : NOTHING) !== (known.get(path)?.signature ?? NOTHING)
}

/** Changes that restore an entry, and all below it, in place of the sandbox's. */
function putBack(entry: WorkspaceEntry, workspace: Sides['workspace']): Change[] {
  const below = entry.kind === 'directory' ? workspace.list(entry.path, { recursive: true }).entries : []
  return [{ op: 'remove', path: entry.path }, ...[entry, ...below].map((each) => changeMaking(each))]
}

/**
 * Sorts the paths that are gone from the sandbox: `removable` from the workspace, or `kept` for changes there. A directory with
 * a remaining entry of the workspace is neither.
 */
function sortGone(gone: readonly WorkspacePath[], sides: Sides) {
  const { workspace } = sides
  const there = gone.filter((path) => workspace.stat(path))
  const kept = there.filter((path) => changedInWorkspace(path, sides) && workspace.stat(path)?.kind !== 'directory')
  const removed = new Set(there)
  for (const path of kept) removed.delete(path)
  const needed = new Set<WorkspacePath>(kept.flatMap(ancestors))
  for (const top of topmost(there)) {
    if (workspace.stat(top)?.kind !== 'directory') continue
    for (const { path } of workspace.list(top, { recursive: true }).entries) {
      if (!removed.has(path)) for (const directory of ancestors(path)) needed.add(directory)
    }
  }
  return { removable: [...removed].filter((path) => !needed.has(path)), kept }
}

/** Topmost paths only: drops every path below another one in the list. */
function topmost(paths: readonly WorkspacePath[]): WorkspacePath[] {
  const all = new Set(paths)
  return paths.filter((path) => !ancestors(path).some((directory) => all.has(directory)))
}
