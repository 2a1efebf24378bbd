import { fail } from '../../core/failure.ts'
import { say, tool } from '../../core/saying/saying.ts'
import { VENV_DIR } from '../../core/task-layout.ts'
import { isWithin, type WorkspacePath } from '../../core/workspace-path.ts'

/**
 * Refuses to remove the virtual environment, or to move files into it: programs run in it, and the workspace does not have its content,
 * so that nothing could bring it back.
 * @param path what is to be removed, or the new place of what is moved
 */
export function requireEnvironmentStays(path: WorkspacePath, change: 'remove' | 'move into'): void {
  if (change === 'remove' ? path !== VENV_DIR : !isWithin(path, VENV_DIR)) return
  fail(
    'forbidden',
    change === 'remove'
      ? say`${VENV_DIR} is the virtual environment that programs here run in, and stays; to remove a package use ${tool('execute_shell')}: pip uninstall -y NAME`
      : say`${VENV_DIR} is the virtual environment, whose files are not kept; move it elsewhere`,
  )
}
