import { fail } from '../../core/failure.ts'
import { DIRECTORY, say } from '../../core/saying/saying.ts'
import {
  joinPath,
  parentPath,
  ROOT,
  SANDBOX_ROOT,
  type WorkspacePath,
  workspacePath,
} from '../../core/workspace-path.ts'
import type { Workspace } from '../../ports/workspace.ts'
import { callerPath } from '../caller-path.ts'

/** Longest chain of links: more than any sane one has, fewer than a loop. Linux itself ends at 40. */
const MAX_LINKS = 40

/**
 * Path that a write to `given` reaches: for a link, what it points at.
 * @throws FailureError `conflict` where no file can stand; `invalid_input` for a link out of the workspace
 */
export function writeTarget(workspace: Workspace, given: string): WorkspacePath {
  let path = callerPath(workspace, given)
  for (let followed = 0; followed < MAX_LINKS; followed++) {
    const entry = workspace.stat(path)
    if (path === ROOT || entry?.kind === 'directory') fail('conflict', `[Errno 21] Is a directory: '${given}'`)
    if (entry?.kind !== 'link') return path
    path = linkTarget(path, entry.target, given)
  }
  fail('conflict', `[Errno 40] Too many levels of symbolic links: '${given}'`)
}

function linkTarget(path: WorkspacePath, target: string, given: string): WorkspacePath {
  if (!target.startsWith('/')) return joinPath(parentPath(path), target)
  if (target === SANDBOX_ROOT || target.startsWith(`${SANDBOX_ROOT}/`)) return workspacePath(target)
  fail('invalid_input', say`${given} is a link that leaves the ${DIRECTORY}; write to another path`)
}
