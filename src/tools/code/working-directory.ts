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
export function workingDirectory(workspace: Workspace, given: string): WorkingDirectory {
  if (given === '') return { path: CODE_RUN_DIR, notes: [] }
  const path = callerPath(workspace, given)
  const entry = workspace.stat(path)
  if (entry?.kind === 'file') fail('invalid_input', `Not a directory: ${given}`)
  if (entry || path === '' || isKeptInSandbox(path)) return { path, notes: [] }
  const near = nearestDirectory(workspace, path)
  const meant = near === null ? '' : `; did you mean ${near}?`
  return { path, notes: [`there was no directory ${path}, so it was made${meant}`] }
}

/** Whether the path may stand in the sandbox alone, below a directory whose contents are not among the files. */
const isKeptInSandbox = (path: WorkspacePath) =>
  /(?:^|\/)(?:node_modules|\.venv|__pycache__|code_env|\.\w+_cache)\//.test(`${path}/`)

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

/** Whether names differ by one letter that is missing, too many or another, or by two that changed places. */
function isNear(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < 2 || long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  const rest = short.slice(at)
  const tail = long.slice(at)
  return (
    rest === tail.slice(1) ||
    rest.slice(1) === tail.slice(1) ||
    (short.length === long.length && rest.slice(2) === tail.slice(2) && rest[0] === tail[1] && rest[1] === tail[0])
  )
}
