import { UPLOAD_DIR } from '../core/task-layout.ts'
import { isWithin, joinPath, type WorkspacePath, workspacePath } from '../core/workspace-path.ts'

/**
 * Path under `upload/`, where the Tool Server's published document puts uploads and clones. A path that begins with
 * `upload/` itself means the same place and is not doubled.
 * @throws FailureError `invalid_input` for a path that climbs out
 */
export function underUpload(given: string): WorkspacePath {
  const path = workspacePath(given)
  return isWithin(path, UPLOAD_DIR) ? path : joinPath(UPLOAD_DIR, path)
}
