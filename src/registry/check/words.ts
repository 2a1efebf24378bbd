/** JSON Schema's word for what a value is. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

/** Value as an error quotes it. Its content is not read: it may be large, and be quoted often. */
export function quoteValue(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'string' && value.length > MAX_QUOTED_CHARS) {
    return `${JSON.stringify(value.slice(0, MAX_QUOTED_CHARS))}…`
  }
  return JSON.stringify(value) ?? 'nothing'
}

const MAX_QUOTED_CHARS = 80

export const countOf = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** Length of a text as people and JSON Schema count it: a surrogate pair is one character. */
export function characters(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
    if (isPair) at++
    count++
  }
  return count
}
