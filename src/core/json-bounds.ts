interface JsonBounds {
  /** Levels of arrays and objects. */
  readonly depth: number
  readonly values: number
}

/**
 * Checks, before JSON is parsed and without recursion, whether it exceeds `bounds`.
 * @returns the first character that is too much; null when none is, whether or not it is JSON
 */
export function exceededAt(
  text: string,
  bounds: JsonBounds,
): { readonly at: number; readonly what: keyof JsonBounds } | null {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > bounds.depth) return { at, what: 'depth' }
        if (++values > bounds.values) return { at, what: 'values' }
        break
      case 0x2c: // ,
        if (++values > bounds.values) return { at, what: 'values' }
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
    }
  }
  return null
}

/** The place of the closing quote, or of the text's end. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; ; at++) {
    at = text.indexOf('"', at)
    if (at === -1) return text.length
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return at
  }
}
