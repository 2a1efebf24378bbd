import { editDistance } from '../../core/edit-distance.ts'
import { fail } from '../../core/failure.ts'
import { MAX_COMPARED_NAMES } from '../../core/limits/edits.ts'
import { CODE_RUN_DIR } from '../../core/task-layout.ts'
import { baseName, parentPath, type WorkspacePath } from '../../core/workspace-path.ts'
import type { Workspace } from '../../ports/workspace.ts'
import { callerPath } from '../caller-path.ts'

/** Directory that a command starts in. */
interface WorkingDirectory {
  readonly path: WorkspacePath
  /** Note on a directory that is not there yet: the command's start makes it. */
  readonly notes: readonly string[]
}

/**
 * The directory that a caller names; code_run/ for none.
 * @throws FailureError `invalid_input` for a file
 */
export async function workingDirectory(workspace: Workspace, given: string): Promise<WorkingDirectory> {
  if (given === '') return { path: CODE_RUN_DIR, notes: [] }
  const path = callerPath(workspace, given)
  const entry = workspace.stat(path)
  if (entry?.kind === 'file') fail('invalid_input', `Not a directory: ${given}`)
  if (entry || path === '') return { path, notes: [] }
  // It may stand in the sandbox alone.
  if ((await workspace.sandboxOnly()).directoryAt(path) !== null) return { path, notes: [] }
  const near = nearestDirectory(workspace, path)
  const meant = near === null ? '' : `; did you mean ${near}?`
  return { path, notes: [`there was no directory ${path}, so it was made${meant}`] }
}

/** A directory beside one that is not there, with nearly its name: in other letter case, or longer or shorter at its end. */
function nearestDirectory(workspace: Workspace, path: WorkspacePath): WorkspacePath | null {
  const name = baseName(path).toLowerCase()
  const { entries } = workspace.list(parentPath(path), { limit: MAX_COMPARED_NAMES })
  const names = entries
    .filter(({ kind }) => kind === 'directory')
    .map((entry) => ({ path: entry.path, other: baseName(entry.path).toLowerCase() }))
  const found = names.find(({ other }) => other === name) ?? names.find(({ other }) => isNear(name, other))
  return found?.path ?? null
}

/** Whether names of two letters or more differ by one typing error. */
const isNear = (one: string, other: string) =>
  Math.min(one.length, other.length) >= 2 && editDistance(one, other, 1) <= 1
