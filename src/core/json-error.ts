/** Error in a JSON text: its position, in characters from 0, and what was expected there. */
export interface JsonError {
  readonly at: number
  readonly message: string
}

const BLANKS = /[ \t\n\r]*/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: a JSON string may not contain them
const PLAIN = /[^"\\\u0000-\u001f]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/**
 * Finds the first error of a text that `JSON.parse` refused. Positions and words are those of Python's `json`, which
 * the published servers answer with. Open brackets are kept in a list: depth costs no stack.
 */
export function findJsonError(text: string): JsonError {
  const closers: (']' | '}')[] = []
  let at = 0
  let next: 'value' | 'name' | 'after' = 'value'

  /** Moves past what `pattern` matches here; false when that is nothing. */
  const skip = (pattern: RegExp) => {
    pattern.lastIndex = at
    const { length } = pattern.exec(text)?.[0] ?? ''
    at += length
    return length > 0
  }
  const error = (message: string, where = at) => ({ at: charactersBefore(text, where), message })
  const skipString = (): JsonError | null => {
    const start = at++
    for (;;) {
      skip(PLAIN)
      const char = text[at]
      if (char === '\\') {
        if (!skip(ESCAPE))
          return text[at + 1] === 'u' ? error('Invalid \\uXXXX escape', at + 1) : error('Invalid \\escape')
      } else {
        if (char === undefined) return error('Unterminated string starting at', start)
        if (char !== '"') return error('Invalid control character at')
        at++
        return null
      }
    }
  }

  for (;;) {
    skip(BLANKS)
    const char = text[at]
    if (next === 'after') {
      const closer = closers.at(-1)
      if (closer === undefined) return error('Extra data')
      if (char !== closer && char !== ',') return error("Expecting ',' delimiter")
      at++
      if (char === closer) closers.pop()
      else next = closer === '}' ? 'name' : 'value'
    } else if (next === 'name') {
      if (char !== '"') return error('Expecting property name enclosed in double quotes')
      const bad = skipString()
      if (bad) return bad
      skip(BLANKS)
      if (text[at] !== ':') return error("Expecting ':' delimiter")
      at++
      next = 'value'
    } else if (char === '[' || char === '{') {
      const closer = char === '[' ? ']' : '}'
      at++
      skip(BLANKS)
      if (text[at] === closer) {
        at++
        next = 'after'
      } else {
        closers.push(closer)
        next = char === '{' ? 'name' : 'value'
      }
    } else if (char === '"') {
      const bad = skipString()
      if (bad) return bad
      next = 'after'
    } else {
      if (!skip(SCALAR)) return error('Expecting value')
      next = 'after'
    }
  }
}

/** Python counts characters; JavaScript counts both halves of those beyond U+FFFF. */
const charactersBefore = (text: string, at: number) =>
  at - (text.slice(0, at).match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
