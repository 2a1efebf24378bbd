import { usageError } from '../failure.ts'

/** One end of a copy: a path here, a path of a session's files, or standard input or output. */
export type Place =
  | { readonly kind: 'local'; readonly path: string }
  | { readonly kind: 'session'; readonly session: string; readonly path: string; readonly isDirectory: boolean }
  | { readonly kind: 'stdio' }

/**
 * Place that an argument names: `SESSION:PATH`, `-`, or a path here. A path with `/`, `.` or `~` at its beginning is one here, so that
 * `./a:b` is a file; on Windows `C:\a` is too.
 */
export function placeOf(text: string, platform: NodeJS.Platform = process.platform): Place {
  if (text === '-') return { kind: 'stdio' }
  const colon = text.indexOf(':')
  const isDrive = platform === 'win32' && colon === 1
  if (colon < 1 || isDrive || /^[./~]/.test(text)) return { kind: 'local', path: text }
  const path = text.slice(colon + 1)
  return {
    kind: 'session',
    session: text.slice(0, colon),
    path: sessionPath(path),
    isDirectory: path === '' || path.endsWith('/') || path.endsWith('/.') || path === '.',
  }
}

/** Path of a session's file without what adds nothing: `/a/./b/` is `a/b`. @throws CliError of usage for one that leads out */
function sessionPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..'))
    throw usageError(`"${path}" leads out of the session`, 'write paths of a session without ..')
  return parts.join('/')
}

/** Last name of a path of a session. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Path below a directory of a session; the root is ''. */
export const below = (directory: string, name: string): string => (directory === '' ? name : `${directory}/${name}`)
