import { type CharacterSet, characterRange, complement, oneCharacter, unicodeProperty, union } from './character-set.ts'
import type { Cursor } from './cursor.ts'

type Range = readonly [first: string, last: string]

const ranges = (list: readonly Range[], fold = false): CharacterSet =>
  union(list.map(([first, last]) => characterRange(first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0, fold)))

/** The empty set. */
export const NEVER: CharacterSet = { key: 'none', has: () => false, looks: 0 }

const PERL: ReadonlyMap<string, readonly Range[]> = new Map([
  ['d', [['0', '9']]],
  ['s', [['\t', '\n'], ['\f', '\r'], [' ', ' ']]], // biome-ignore format: one class, one line
  ['w', [['0', '9'], ['A', 'Z'], ['_', '_'], ['a', 'z']]], // biome-ignore format: one class, one line
])

const POSIX: ReadonlyMap<string, readonly Range[]> = new Map([
  ['alnum', [['0', '9'], ['A', 'Z'], ['a', 'z']]], // biome-ignore format: one class, one line
  ['alpha', [['A', 'Z'], ['a', 'z']]], // biome-ignore format: one class, one line
  ['ascii', [['\0', '\x7f']]],
  ['blank', [['\t', '\t'], [' ', ' ']]], // biome-ignore format: one class, one line
  ['cntrl', [['\0', '\x1f'], ['\x7f', '\x7f']]], // biome-ignore format: one class, one line
  ['digit', [['0', '9']]],
  ['graph', [['!', '~']]],
  ['lower', [['a', 'z']]],
  ['print', [[' ', '~']]],
  ['punct', [['!', '/'], [':', '@'], ['[', '`'], ['{', '~']]], // biome-ignore format: one class, one line
  ['space', [['\t', '\r'], [' ', ' ']]], // biome-ignore format: one class, one line
  ['upper', [['A', 'Z']]],
  ['word', [['0', '9'], ['A', 'Z'], ['_', '_'], ['a', 'z']]], // biome-ignore format: one class, one line
  ['xdigit', [['0', '9'], ['A', 'F'], ['a', 'f']]], // biome-ignore format: one class, one line
])

const CONTROL: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
])

const WORD = ranges(PERL.get('w') ?? [])

/** Whether `\b` takes a character for one of a word: ASCII letters, digits and the underscore. */
export const isWordCharacter = (codePoint: number): boolean => WORD.has(codePoint)

/** Set behind a backslash. @throws FailureError `invalid_input` for an unknown escape */
export function escapeOf(cursor: Cursor, fold: boolean): CharacterSet {
  return classEscape(cursor, fold) ?? oneCharacter(escapedCharacter(cursor), fold)
}

/** Set behind `[`, up to its `]`. @throws FailureError `invalid_input` */
export function characterClass(cursor: Cursor, fold: boolean): CharacterSet {
  const negated = cursor.take('^')
  const sets: CharacterSet[] = []
  for (let first = true; first || !cursor.sees(']'); first = false) {
    if (cursor.atEnd) cursor.refuse('a "[" has no "]"; write \\[ for the character')
    sets.push(posixClass(cursor, fold) ?? classItem(cursor, fold))
  }
  cursor.take(']')
  return negated ? complement(union(sets)) : union(sets)
}

function classItem(cursor: Cursor, fold: boolean): CharacterSet {
  if (cursor.take('\\')) {
    const set = classEscape(cursor, fold)
    return set ?? rangeFrom(escapedCharacter(cursor), cursor, fold)
  }
  return rangeFrom(cursor.next().codePointAt(0) ?? 0, cursor, fold)
}

function rangeFrom(first: number, cursor: Cursor, fold: boolean): CharacterSet {
  if (!cursor.sees('-') || cursor.sees('-]')) return oneCharacter(first, fold)
  cursor.take('-')
  if (cursor.atEnd) cursor.refuse('a "[" has no "]"; write \\[ for the character')
  const last = cursor.take('\\') ? escapedCharacter(cursor) : (cursor.next().codePointAt(0) ?? 0)
  if (last < first) cursor.refuse('a range ends before it begins')
  return characterRange(first, last, fold)
}

function posixClass(cursor: Cursor, fold: boolean): CharacterSet | null {
  const named = cursor.match(/\[:(\^?)([a-z]+):\]/y)
  if (!named) return null
  const [, negated, name = ''] = named
  const set = ranges(POSIX.get(name) ?? cursor.refuse(`[:${name}:] is no known class`), fold)
  return negated ? complement(set) : set
}

function classEscape(cursor: Cursor, fold: boolean): CharacterSet | null {
  const perl = PERL.get(cursor.peek().toLowerCase())
  if (perl) {
    const letter = cursor.next()
    return letter === letter.toLowerCase() ? ranges(perl, fold) : complement(ranges(perl, fold))
  }
  const property = cursor.match(/([pP])(?:\{(\^?)([^}]*)\}|([A-Z]))/y)
  if (!property) return null
  const [, letter, hat, long, short] = property
  const set = unicodeProperty(long ?? short ?? '', fold)
  if (!set)
    return cursor.refuse(`\\p{${long ?? short}} is no known property; it is for example \\pL, \\p{Lu}, \\p{Han}`)
  return (letter === 'P') !== (hat === '^') ? complement(set) : set
}

/** Code point of one escaped character: `\n`, `\x41`, `\x{1F600}`, `\u0041`, `\101`, `\.`. */
function escapedCharacter(cursor: Cursor): number {
  const hex = cursor.match(/x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,8})\})|u([0-9a-fA-F]{4})/y)
  if (hex) {
    const codePoint = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16)
    return codePoint <= 0x10ffff ? codePoint : cursor.refuse(`${hex[0]} is no character of Unicode`)
  }
  const octal = cursor.match(/0[0-7]{0,2}/y)
  if (octal) return Number.parseInt(octal[0], 8)
  const character = cursor.next()
  if (character === '') cursor.refuse('it ends with a backslash; write \\\\ for the character')
  const control = CONTROL.get(character)
  if (control !== undefined) return control
  if (/[0-9A-Za-z]/.test(character)) cursor.refuse(`\\${character} has no meaning; write ${character} alone`)
  return character.codePointAt(0) ?? 0
}
