import { CODE_RUN_DIR } from '../../core/task-layout.ts'
import { isWithin, joinPath, parentPath, ROOT, type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import type { Workspace } from '../../ports/workspace.ts'

/** A directory of the same name in the other place where paths begin. */
export interface OtherPlace {
  /** Directory that does not exist where the path is, and does in the other place. */
  readonly directory: WorkspacePath
  /** Directory of that name in the other place, and the path as it is there. */
  readonly there: WorkspacePath
  readonly path: WorkspacePath
}

/**
 * Whether a path for a new file may mean another one: commands start in code_run/ and paths of files in the root, so that `app/x.py`
 * is written beside the `code_run/app` that a command made. Null where the path's own directory exists, or the other one does not.
 */
export function otherPlace(workspace: Pick<Workspace, 'stat'>, path: WorkspacePath): OtherPlace | null {
  const isBelow = path !== CODE_RUN_DIR && isWithin(path, CODE_RUN_DIR)
  const rest = isBelow ? workspacePath(path.slice(CODE_RUN_DIR.length + 1)) : path
  if (parentPath(rest) === ROOT) return null
  const top = workspacePath(rest.split('/')[0] ?? '')
  const inCodeRun = joinPath(CODE_RUN_DIR, top)
  const [directory, there] = isBelow ? [inCodeRun, top] : [top, inCodeRun]
  if (workspace.stat(directory) || workspace.stat(there)?.kind !== 'directory') return null
  return { directory, there, path: isBelow ? rest : joinPath(CODE_RUN_DIR, rest) }
}
