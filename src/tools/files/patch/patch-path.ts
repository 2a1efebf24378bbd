import { pathFromBytes } from '../../../core/workspace-path.ts'

/** Path of a `---` or `+++` line, without the time after it; null for `/dev/null`. */
export function headerPath(text: string): string | null {
  const path = text.startsWith('"') ? quotedPath(text) : (text.split('\t')[0] ?? '').trimEnd()
  return path === '/dev/null' ? null : path
}

/** A path as git writes it: within quotes, with escapes for bytes, or as it is. */
export function quotedPath(text: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  if (quoted === undefined) return text.trimEnd()
  const bytes: number[] = []
  // By characters, since a call takes no more arguments than its stack has room for.
  for (const [whole, octal, escaped] of quoted.matchAll(/\\([0-3][0-7]{2})|\\(.)|[^\\]/gu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8))
    else bytes.push(...new TextEncoder().encode(escaped === undefined ? whole : (ESCAPES[escaped] ?? escaped)))
  }
  return pathFromBytes(Uint8Array.from(bytes))
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' }

/** Paths without git's `a/` and `b/`, where both sides have them. */
export function withoutPrefixes(oldPath: string | null, newPath: string | null) {
  const hasBoth = (oldPath === null || oldPath.startsWith('a/')) && (newPath === null || newPath.startsWith('b/'))
  return hasBoth ? { oldPath: oldPath?.slice(2) ?? null, newPath: newPath?.slice(2) ?? null } : { oldPath, newPath }
}
