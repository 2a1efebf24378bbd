import { pathToBytes } from '../workspace-path.ts'

/**
 * Path as git writes it: in quotes, with escapes, where it has a quote, a backslash, bytes that are no text, or a character that a
 * terminal would obey, that breaks a line, that turns the direction of text or that nobody sees.
 */
export function quotedPath(path: string): string {
  if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"\\\uf780-\uf7ff]/u.test(path)) return path
  const bytes = [...pathToBytes(path)].map((byte) =>
    byte === 0x22 || byte === 0x5c
      ? `\\${String.fromCharCode(byte)}`
      : byte < 0x20 || byte >= 0x7f
        ? `\\${byte.toString(8).padStart(3, '0')}`
        : String.fromCharCode(byte),
  )
  return `"${bytes.join('')}"`
}
