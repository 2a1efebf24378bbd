/**
 * Whether a list of names and patterns permits an agent. Source: Toolcore, check of `allowed_agents`; the `*` is ours.
 * @param allowed null permits all, an empty list nobody
 * @param agent null for a caller that names none: it may call only tools that permit all
 */
export function permits(allowed: readonly string[] | null, agent: string | null): boolean {
  if (allowed === null) return true
  return agent !== null && allowed.some((pattern) => fits(pattern, agent))
}

/**
 * Whether a name matches a pattern. Matched piece by piece from the left, so that no pattern takes longer than its length times
 * the name's.
 */
export function fits(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === name
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
