import { MAX_NESTING } from '../limits.ts'
import { Cursor, mistake } from './cursor.ts'
import { Float } from './float.ts'

const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y
const PLAIN_CHARACTERS = /[^"\\]*/y
const CONSTANTS: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]

/**
 * JSON as Python's `json.loads` reads it: also NaN and Infinity; of keys that come twice the last one holds. Integers
 * that a number cannot hold become a bigint.
 * @param wholeFloats `1.0` and `1e3` become a {@link Float}; else a number
 * @throws SyntaxMistake
 */
export function readJson(text: string, { wholeFloats = false }: { readonly wholeFloats?: boolean } = {}): unknown {
  const cursor = new Cursor(text)
  cursor.match(SPACE)
  const value = readValue(cursor, { depth: 0, wholeFloats })
  cursor.match(SPACE)
  return cursor.ended ? value : mistake('text after the value')
}

interface Place {
  /** Levels of brackets around it. */
  readonly depth: number
  readonly wholeFloats: boolean
}

function readValue(cursor: Cursor, place: Place): unknown {
  if (place.depth > MAX_NESTING) mistake(`more than ${MAX_NESTING} levels`)
  if (cursor.take('{')) return readObject(cursor, { ...place, depth: place.depth + 1 })
  if (cursor.take('[')) return readArray(cursor, { ...place, depth: place.depth + 1 })
  if (cursor.peek() === '"') return readString(cursor)
  for (const [word, value] of CONSTANTS) if (cursor.take(word)) return value
  return toNumber(cursor.match(NUMBER) ?? mistake('a value is missing'), place)
}

function toNumber(digits: string, { wholeFloats }: Place): number | bigint | Float {
  const value = Number(digits)
  if (!Number.isInteger(value)) return value
  if (/[.eE]/.test(digits)) return wholeFloats ? new Float(value) : value
  // The `+ 0` is for `-0`, which is an integer and so has no sign.
  return Number.isSafeInteger(value) ? value + 0 : BigInt(digits)
}

function readObject(cursor: Cursor, place: Place): Record<string, unknown> {
  const entries: [string, unknown][] = []
  cursor.match(SPACE)
  if (cursor.take('}')) return {}
  do {
    cursor.match(SPACE)
    if (cursor.peek() !== '"') mistake('a key is missing')
    const key = readString(cursor)
    cursor.match(SPACE)
    if (!cursor.take(':')) mistake('a colon is missing')
    cursor.match(SPACE)
    entries.push([key, readValue(cursor, place)])
    cursor.match(SPACE)
  } while (cursor.take(','))
  if (!cursor.take('}')) mistake('an object does not end')
  return Object.fromEntries(entries)
}

function readArray(cursor: Cursor, place: Place): unknown[] {
  const items: unknown[] = []
  cursor.match(SPACE)
  if (cursor.take(']')) return items
  do {
    cursor.match(SPACE)
    items.push(readValue(cursor, place))
    cursor.match(SPACE)
  } while (cursor.take(','))
  if (!cursor.take(']')) mistake('an array does not end')
  return items
}

function readString(cursor: Cursor): string {
  const start = cursor.place
  cursor.take('"')
  for (;;) {
    cursor.match(PLAIN_CHARACTERS)
    if (cursor.take('"')) break
    if (cursor.ended) mistake('a string does not end')
    cursor.take('\\')
    cursor.take(cursor.peek())
  }
  try {
    return JSON.parse(cursor.since(start)) as string
  } catch {
    return mistake('a string has an unknown escape, or a control character')
  }
}
