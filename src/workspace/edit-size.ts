import { fail } from '../core/failure.ts'
import { MAX_EDIT_BYTES } from '../core/limits/workspace.ts'
import type { WorkspacePath } from '../core/workspace-path.ts'

/** @throws FailureError `limit_exceeded` for a file that cannot be read whole */
export function requireEditSize(path: WorkspacePath, size: number): void {
  if (size > MAX_EDIT_BYTES) {
    fail(
      'limit_exceeded',
      `${path} has ${size} bytes; at most ${MAX_EDIT_BYTES} can be read whole (MAX_EDIT_BYTES); download it, or read a part of it in the sandbox`,
    )
  }
}
