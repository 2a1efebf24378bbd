import { type Cursor, mistake } from './cursor.ts'

const PREFIX = /(?:[rR][bB]?|[bB][rR]?|[uU])?(?="|')/y
const PLAIN = /[^\\"'\r\n]+/y
const SIMPLE_ESCAPES = new Map([
  ['\n', ''],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
])
const HEX_ESCAPES = new Map([
  ['x', /[0-9a-fA-F]{2}/y],
  ['u', /[0-9a-fA-F]{4}/y],
  ['U', /[0-9a-fA-F]{8}/y],
])
const OCTAL = /[0-7]{1,3}/y

/** Whether a string or bytes begin here, with or without a prefix. */
export function startsString(cursor: Cursor): boolean {
  const [first, second, third] = [cursor.peek(), cursor.peek(1), cursor.peek(2)]
  if (isQuote(first)) return true
  if (!/[rRbBuU]/.test(first)) return false
  return isQuote(second) || (/^(?:[rR][bB]|[bB][rR])$/.test(first + second) && isQuote(third))
}

const isQuote = (character: string) => character === '"' || character === "'"

/** Reads one string, or several side by side, which are one; bytes likewise. */
export function readStrings(cursor: Cursor, skipBlanks: () => void): string | Uint8Array {
  const first = readString(cursor)
  let text = first.text
  skipBlanks()
  while (startsString(cursor)) {
    const next = readString(cursor)
    if (next.bytes !== first.bytes) mistake('strings and bytes side by side')
    text += next.text
    skipBlanks()
  }
  return first.bytes ? Uint8Array.from(text, (character) => character.charCodeAt(0)) : text
}

interface Quoting {
  readonly quote: string
  readonly long: boolean
  readonly raw: boolean
  readonly bytes: boolean
}

function readString(cursor: Cursor): { text: string; bytes: boolean } {
  const prefix = (cursor.match(PREFIX) ?? '').toLowerCase()
  const character = cursor.peek()
  const long = cursor.take(character.repeat(3))
  if (!long) cursor.take(character)
  const quoting = {
    quote: long ? character.repeat(3) : character,
    long,
    raw: prefix.includes('r'),
    bytes: prefix.includes('b'),
  }
  return { text: contentOf(cursor, quoting), bytes: quoting.bytes }
}

function contentOf(cursor: Cursor, quoting: Quoting): string {
  let content = ''
  while (!cursor.take(quoting.quote)) {
    if (cursor.ended) mistake('a string does not end')
    content += plain(cursor, quoting) ?? special(cursor, quoting)
  }
  return content
}

function plain(cursor: Cursor, { bytes }: Quoting): string | null {
  const text = cursor.match(PLAIN)
  return bytes && /[^\p{ASCII}]/u.test(text ?? '') ? mistake('bytes with what is no ASCII') : text
}

/** A quote that does not end the string, a line's end, or what a backslash begins. */
function special(cursor: Cursor, quoting: Quoting): string {
  if (cursor.take('\r\n') || cursor.take('\n') || cursor.take('\r')) {
    return quoting.long ? '\n' : mistake('a string goes over its line')
  }
  if (!cursor.take('\\')) return oneOf(cursor)
  if (quoting.raw) return `\\${oneOf(cursor)}`
  return escaped(cursor, quoting)
}

function escaped(cursor: Cursor, { bytes }: Quoting): string {
  const octal = cursor.match(OCTAL)
  if (octal !== null) return String.fromCharCode(Number.parseInt(octal, 8) & (bytes ? 0xff : 0x1ff))
  const letter = oneOf(cursor)
  const simple = SIMPLE_ESCAPES.get(letter)
  if (simple !== undefined) return simple
  if (bytes && letter !== 'x') return `\\${letter}`
  const pattern = HEX_ESCAPES.get(letter)
  if (!pattern) return letter === 'N' ? mistake('a character by its name') : `\\${letter}`
  const code = Number.parseInt(cursor.match(pattern) ?? mistake('an escape that does not end'), 16)
  return code > 0x10ffff ? mistake('an escape beyond Unicode') : String.fromCodePoint(code)
}

/** The next character, or a line's end as one. */
function oneOf(cursor: Cursor): string {
  if (cursor.take('\r\n')) return '\n'
  const character = cursor.peek()
  if (character === '') mistake('a string does not end')
  cursor.take(character)
  return character
}
