/** Characters of a gist: more are never seen in a row. */
const GIST_MAX = 400

/**
 * Arguments of a call in one line, for people: the first text by itself, such as a command or a path, then the others with their names.
 * Arguments that were cut are no JSON, and shown as they are.
 */
export function gistOf(args: string): string {
  const fields = fieldsOf(args)
  if (!fields) return args
  const texts = Object.entries(fields)
  const at = texts.findIndex(([, value]) => typeof value === 'string')
  const first = at < 0 ? [] : [inOneLine(String(texts[at]?.[1]))]
  const others = texts.flatMap(([name, value], place) => (place === at ? [] : [`${name}: ${valueText(value)}`]))
  return [...first, ...others].join('  ').slice(0, GIST_MAX)
}

/** Text in one line: a mark stands where a line ended. */
export const inOneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ↵ ')

const valueText = (value: unknown): string => inOneLine(typeof value === 'string' ? value : JSON.stringify(value))

function fieldsOf(args: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(args)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null
  } catch {
    return null
  }
}
