import { MAX_NESTING } from '../limits.ts'
import { Cursor, mistake } from './cursor.ts'

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
 * @throws SyntaxMistake
 */
export function readJson(text: string): unknown {
  const cursor = new Cursor(text)
  cursor.match(SPACE)
  const value = readValue(cursor, 0)
  cursor.match(SPACE)
  return cursor.ended ? value : mistake('text after the value')
}

function readValue(cursor: Cursor, depth: number): unknown {
  if (depth > MAX_NESTING) mistake(`more than ${MAX_NESTING} levels`)
  if (cursor.take('{')) return readObject(cursor, depth + 1)
  if (cursor.take('[')) return readArray(cursor, depth + 1)
  if (cursor.peek() === '"') return readString(cursor)
  for (const [word, value] of CONSTANTS) if (cursor.take(word)) return value
  return toNumber(cursor.match(NUMBER) ?? mistake('a value is missing'))
}

function toNumber(digits: string): number | bigint {
  const value = Number(digits)
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(digits) ? BigInt(digits) : value
}

function readObject(cursor: Cursor, depth: number): Record<string, unknown> {
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
    entries.push([key, readValue(cursor, depth)])
    cursor.match(SPACE)
  } while (cursor.take(','))
  if (!cursor.take('}')) mistake('an object does not end')
  return Object.fromEntries(entries)
}

function readArray(cursor: Cursor, depth: number): unknown[] {
  const items: unknown[] = []
  cursor.match(SPACE)
  if (cursor.take(']')) return items
  do {
    cursor.match(SPACE)
    items.push(readValue(cursor, depth))
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
