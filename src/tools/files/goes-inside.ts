import { fail } from '../../core/failure.ts'
import { field, say } from '../../core/saying/saying.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { Workspace, WorkspaceEntry } from '../../ports/workspace.ts'

/**
 * Whether what is moved or copied goes into the directory that a call names: one that exists, or, for a file, one whose path ends with
 * a slash. A directory at such a path that does not exist gets that name, as by `mv`.
 * @param given path as the call has it
 * @throws FailureError `conflict` when a file stands there
 */
export function goesInside(workspace: Workspace, source: WorkspaceEntry, dest: WorkspacePath, given: string): boolean {
  const standing = workspace.stat(dest)
  if (standing?.kind === 'directory') return true
  if (source.kind === 'directory' || !given.endsWith('/')) return false
  if (standing) fail('conflict', `[Errno 20] Not a directory: '${given}'; a file stands there`)
  return true
}

/** Refuses a call that must not replace what stands at a path. */
export const refuseReplacing = (path: WorkspacePath): never =>
  fail(
    'conflict',
    say`'${path}' exists already, and ${field('overwrite')} is false; give another ${field('dest_path')}`,
  )
