import { type Saying, say, tool } from '../core/saying/saying.ts'
import type { WorkspacePath } from '../core/workspace-path.ts'
import type { Workspace } from '../ports/workspace.ts'

/** The directory at a path or above it that is there, but whose content stays in the sandbox; null when there is none. */
export async function sandboxOnlyAt(
  workspace: Pick<Workspace, 'stat' | 'sandboxOnly'>,
  path: WorkspacePath,
): Promise<WorkspacePath | null> {
  const directory = (await workspace.sandboxOnly()).directoryAt(path)
  return directory !== null && workspace.stat(directory)?.kind === 'directory' ? directory : null
}

/** Advice on a path in such a directory. */
export const useCommands = (directory: WorkspacePath): Saying =>
  say`what is in ${directory} is kept in the sandbox only; use ${tool('execute_shell')} there`

/** Notes on such directories, whose content an answer does not have. None for none. */
export function sandboxOnlyNotes(directories: Iterable<WorkspacePath>): string[] {
  const [first, ...others] = directories
  if (first === undefined) return []
  const names = [first, ...others.slice(0, MAX_NAMED - 1)].join(', ')
  const more = others.length < MAX_NAMED ? '' : ` and ${others.length - MAX_NAMED + 1} more`
  return [`kept in the sandbox only, so not seen here: what is in ${names}${more}; a command can look there`]
}

/** Number of directories that a note names. */
const MAX_NAMED = 5
