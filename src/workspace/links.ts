import { fail } from '../core/failure.ts'
import { parentPath, ROOT, SANDBOX_ROOT, type WorkspacePath } from '../core/workspace-path.ts'
import type { FileEntry, WorkspaceEntry } from '../ports/workspace.ts'

/** Links followed on one path: the limit of Linux. */
const MAX_LINK_HOPS = 40

/**
 * The file that `path` leads to when links are followed, in its last name or on the way, as a kernel would.
 * @returns null when the path leads to nothing or to a directory
 * @throws FailureError `forbidden` when a link points out of the workspace, `invalid_input` when links form a circle
 */
export function followToFile(
  path: WorkspacePath,
  stat: (path: WorkspacePath) => WorkspaceEntry | null,
): FileEntry | null {
  const direct = stat(path)
  if (direct?.kind === 'file') return direct
  if (direct?.kind === 'directory') return null

  const ahead = path.split('/').reverse()
  let here: WorkspaceEntry | null = stat(ROOT)
  let hops = 0
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    if (here?.kind !== 'directory') return null
    if (name === '' || name === '.') continue
    if (name === '..') {
      if (here.path === ROOT) return leavesWorkspace(path)
      here = stat(parentPath(here.path))
      continue
    }
    // A link's target is text from a program; a name in it that is no valid name does not exist.
    const next = stat((here.path === ROOT ? name : `${here.path}/${name}`) as WorkspacePath)
    if (next?.kind !== 'link') {
      here = next
      continue
    }
    hops += 1
    if (hops > MAX_LINK_HOPS)
      fail('invalid_input', `${path} goes through more than ${MAX_LINK_HOPS} links; remove them`)
    let target = next.target
    if (target.startsWith('/')) {
      if (target !== SANDBOX_ROOT && !target.startsWith(`${SANDBOX_ROOT}/`)) return leavesWorkspace(path)
      target = target.slice(SANDBOX_ROOT.length)
      here = stat(ROOT)
    }
    ahead.push(...target.split('/').reverse())
  }
  return here?.kind === 'file' ? here : null
}

const leavesWorkspace = (path: WorkspacePath): never =>
  fail(
    'forbidden',
    `${path} is or goes through a link that points outside the workspace; it can only be read in the sandbox`,
  )
