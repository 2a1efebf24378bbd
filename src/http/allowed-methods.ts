interface Route {
  readonly method: string
  readonly path: string
}

/** Methods that an app has for a path, those of middleware (`ALL`) apart; none for an unknown path. */
export function allowedMethods(routes: readonly Route[], path: string): string[] {
  const pieces = path.replace(/\/$/, '').split('/')
  const found = routes.filter((route) => route.method !== 'ALL' && isPath(route.path, pieces))
  return [...new Set(found.map(({ method }) => method))].sort()
}

/**
 * Whether a pattern matches a path.
 * @param pattern with `:name` for one piece, and `:name{.+}` at its end for all further pieces
 */
function isPath(pattern: string, pieces: readonly string[]): boolean {
  const wanted = pattern.split('/')
  const takesRest = wanted.at(-1)?.endsWith('{.+}') ?? false
  if (takesRest ? pieces.length < wanted.length : pieces.length !== wanted.length) return false
  // The router's `.` is no line break.
  if (takesRest && !/^.+$/.test(pieces.slice(wanted.length - 1).join('/'))) return false
  return wanted.every((piece, at) => (piece.startsWith(':') ? pieces[at] !== '' : piece === pieces[at]))
}
