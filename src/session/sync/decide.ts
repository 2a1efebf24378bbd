import { ancestors, type WorkspacePath } from '../../core/workspace-path.ts'
import { type Change, changeMaking, type StoredContent, type WorkspaceEntry } from '../../ports/workspace.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import type { Difference } from './difference.ts'
import { type Known, type KnownFiles, NOTHING } from './known.ts'
import { type Listed, signature } from './listing.ts'
import { isRacy, type Race } from './racy.ts'

/** The content of a file of the sandbox. */
export interface Content {
  readonly stored: StoredContent
  /** Small contents are committed with the manifest rather than ahead of it. */
  readonly bytes?: Uint8Array
}

/** How a difference is taken over. */
export interface Decision {
  /** All that the sandbox changed, as one commit. */
  readonly changes: readonly Change[]
  /** What is put back after it, since the workspace changed it later: so history has both. */
  readonly back: readonly Change[]
  /** Changed on both sides since the last sync. */
  readonly conflicts: readonly WorkspacePath[]
  readonly noted: readonly (readonly [WorkspacePath, Known | null])[]
}

interface Sides {
  readonly workspace: SyncedWorkspace
  readonly known: KnownFiles
  readonly race: Race
}

/**
 * Of what both sides changed, the later one wins, and an edit wins over a removal.
 * @param contents of the touched files; one that is absent could not be read and stays as it is
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
    // Whatever the workspace has there now, no program changed it.
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

/** How the workspace takes an entry over. @returns null for a file whose content did not come */
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

/** What the sandbox's entry would replace although the workspace changed it, too: at its place, or below a directory there. */
function contestedPaths(listed: Listed, before: WorkspaceEntry | null, sides: Sides): WorkspacePath[] {
  const { path, kind } = listed
  if (before?.kind === 'directory' && kind === 'directory') return []
  const own = changedInWorkspace(path, sides) ? [path] : []
  if (before?.kind !== 'directory') return own
  const below = sides.workspace.list(path, { recursive: true }).entries.map((entry) => entry.path)
  return [...own, ...below.filter((each) => changedInWorkspace(each, sides))]
}

/** True when somebody changed or removed the path in the workspace after the sandbox got it. */
function changedInWorkspace(path: WorkspacePath, { workspace, known }: Sides): boolean {
  const entry = workspace.stat(path)
  return (entry ? signature(entry) : NOTHING) !== (known.get(path)?.signature ?? NOTHING)
}

/** What makes an entry, and all below it, stand again in place of what the sandbox has there. */
function putBack(entry: WorkspaceEntry, workspace: SyncedWorkspace): Change[] {
  const below = entry.kind === 'directory' ? workspace.list(entry.path, { recursive: true }).entries : []
  return [{ op: 'remove', path: entry.path }, ...[entry, ...below].map((each) => changeMaking(each))]
}

/**
 * Which of what is gone from the sandbox goes from the workspace: not what was changed there (`kept`), and no directory
 * in which something of the workspace stays.
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

/** Those of `paths` that do not lie below another of them. */
function topmost(paths: readonly WorkspacePath[]): WorkspacePath[] {
  const all = new Set(paths)
  return paths.filter((path) => !ancestors(path).some((directory) => all.has(directory)))
}
