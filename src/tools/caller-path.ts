import { fail } from '../core/failure.ts'
import { DIRECTORY, FILES_ROOT, type Saying, say, tool } from '../core/saying/saying.ts'
import { CODE_RUN_DIR } from '../core/task-layout.ts'
import {
  joinPath,
  ROOT,
  SANDBOX_HOME,
  SANDBOX_ROOT,
  type WorkspacePath,
  workspacePath,
} from '../core/workspace-path.ts'
import type { Workspace } from '../ports/workspace.ts'

/** Top directories of Unix systems. A path that begins with one of them means the machine, not the workspace. */
const SYSTEM_DIRECTORIES: ReadonlySet<string> = new Set(
  (
    'bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys tmp usr var ' +
    'Applications Library System Users Volumes private'
  ).split(' '),
)

/**
 * Path that a caller's text means: as {@link workspacePath}, where a leading `/` is the root, but refused where the text plainly means
 * a place outside: `/tmp/x`, `C:\x`, `\\server\x`, `~/x`, a URL, and names with backslashes. What exists under such a name in the
 * workspace is reached by it: programs may make files of any name.
 * A path that begins with `../`, as in a command that starts in code_run/, is refused as one that leaves the root.
 * @throws FailureError `invalid_input`, with the path to use
 */
export function callerPath(workspace: Pick<Workspace, 'stat'>, text: string): WorkspacePath {
  const given = inSandbox(workspace, text)
  refuseFromCodeRun(workspace, given)
  const path = workspacePath(given)
  const refusal = refusalOf(workspace, given, path)
  if (refusal !== null) fail('invalid_input', refusal)
  return path
}

/**
 * The path of a `file:` URL, and one with `~` that lies below the root, as the sandbox has it; any other text, and one of something that
 * exists by that name, stays as it is.
 */
function inSandbox(workspace: Pick<Workspace, 'stat'>, given: string): string {
  if (!/^(?:~|file:)\//i.test(given)) return given
  const isHome = given.startsWith('~')
  const plain = isHome ? `${SANDBOX_HOME}${given.slice(1)}` : fileUrlPath(given)
  const isInside = plain !== null && (plain === SANDBOX_ROOT || plain.startsWith(`${SANDBOX_ROOT}/`))
  return plain === null || !(isInside || !isHome) || workspace.stat(workspacePath(given)) ? given : plain
}

/** Path of a `file:` URL on this machine; null for another text. */
function fileUrlPath(given: string): string | null {
  const [, path] = /^file:(?:\/\/(?:localhost)?)?(\/[^/].*)$/i.exec(given) ?? []
  if (path === undefined) return null
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Refuses a path that is right for commands, which start in code_run/, with the path that is right for a file. */
function refuseFromCodeRun(workspace: Pick<Workspace, 'stat'>, given: string): void {
  const below = given.startsWith('../') ? given.slice('../'.length) : ''
  if (below === '' || below.split('/').includes('..')) return
  const meant = workspacePath(below)
  const [top = ''] = meant.split('/')
  if (meant === ROOT || !workspace.stat(workspacePath(top))) return
  fail(
    'invalid_input',
    say`the path ${shown(given)} leaves the ${DIRECTORY}; give one relative to the ${FILES_ROOT}: ${shown(meant)}`,
  )
}

function refusalOf(workspace: Pick<Workspace, 'stat'>, given: string, path: WorkspacePath): Saying | null {
  const exists = (at: WorkspacePath) => workspace.stat(at) !== null
  if (given.startsWith('/')) {
    const isInside = given === SANDBOX_ROOT || given.startsWith(`${SANDBOX_ROOT}/`)
    const [top = ''] = path.split('/')
    return isInside || !SYSTEM_DIRECTORIES.has(top) || exists(workspacePath(top))
      ? null
      : outside(given, belowSystem(path))
  }
  if (!/^~(?:\/|$)|\\|^[A-Za-z]:|:\/\//.test(given) || exists(path)) return null
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) {
    return say`${shown(given)} is a URL, not a path in the ${DIRECTORY}; ${tool('download_file_from_url')} brings it there`
  }
  if (/^(?:[A-Za-z]:[\\/]|\\\\)/.test(given)) return outside(given, given.split(/[\\/]/).at(-1) ?? '')
  if (given.startsWith('~')) return outside(given, given.slice(2))
  return given.includes('\\')
    ? say`${shown(given)} has backslashes; names in a path are separated by "/" here: ${shown(given.replaceAll('\\', '/'))}`
    : null
}

/** Rest of a path behind a system's directory, or behind somebody's home. */
function belowSystem(path: WorkspacePath): string {
  const parts = path.split('/')
  const above = ['home', 'Users', 'var', 'mnt', 'private', 'Volumes'].includes(parts[0] ?? '') ? 2 : 1
  return parts.slice(above).join('/')
}

function outside(given: string, instead: string): Saying {
  const place = say`${shown(given)} is outside of the ${DIRECTORY}`
  if (instead === '') return say`${place}; give a path relative to the ${FILES_ROOT}`
  const alternative = instead.includes('/') ? '' : ` or ${shown(joinPath(CODE_RUN_DIR, instead))}`
  const commands = given.startsWith('/tmp') ? ' (commands may use /tmp, but files there are not kept)' : ''
  return say`${place}; use ${shown(instead)}${alternative}${commands}`
}

const shown = (path: string) => JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}…` : path)
