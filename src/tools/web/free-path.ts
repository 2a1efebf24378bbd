import { joinPath, type WorkspacePath } from '../../core/workspace-path.ts'
import type { Workspace } from '../../ports/workspace.ts'

/** Free path: `dir/content.md`, or `content_2.md` … where that exists already or is one of `taken`. */
export function freePath(
  workspace: Workspace,
  dir: WorkspacePath,
  name: string,
  taken: ReadonlySet<WorkspacePath> = new Set(),
): WorkspacePath {
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]+)?$/s.exec(name) ?? []
  for (let number = 1; ; number++) {
    const path = joinPath(dir, number === 1 ? name : `${stem}_${number}${extension}`)
    if (!taken.has(path) && !workspace.stat(path)) return path
  }
}
