import { MAX_NESTING } from '../limits.ts'
import { Cursor, mistake } from './cursor.ts'
import { readStrings, startsString } from './read-string.ts'
import { Tuple } from './tuple.ts'

const BLANKS = /(?:[ \t\f]|\\\r?\n)*/y
const BLANKS_AND_LINES = /(?:[ \t\f\r\n]|\\\r?\n|#[^\r\n]*)*/y
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y
const DIGITS = '[0-9](?:_?[0-9])*'
const PREFIXED = /0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+/y
const FLOAT = new RegExp(
  `(?:(?:${DIGITS})?\\.${DIGITS}|${DIGITS}\\.)(?:[eE][-+]?${DIGITS})?|${DIGITS}[eE][-+]?${DIGITS}`,
  'y',
)
const INTEGER = /[1-9](?:_?[0-9])*|0(?:_?0)*/y
const AFTER_NUMBER = /[A-Za-z0-9_.]/y
const WORDS = new Map<string, unknown>([
  ['None', null],
  ['True', true],
  ['False', false],
])

/**
 * A value written as Python writes it, as `ast.literal_eval` reads it: strings and bytes, numbers, tuples, lists, dicts,
 * sets, True, False and None. Tuples become {@link Tuple}, dicts objects (a Map when a key is no string), sets Set, bytes
 * Uint8Array, integers that a number cannot hold bigint. Python's complex numbers, `...` and named characters
 * (`\N{…}`) are refused, as JavaScript has none.
 * @throws SyntaxMistake
 */
export function readLiteral(text: string): unknown {
  if (text.includes('\0')) mistake('a NUL')
  return new LiteralReader(text).whole()
}

class LiteralReader {
  readonly #cursor: Cursor
  /** Open brackets. */
  #depth = 0

  constructor(text: string) {
    this.#cursor = new Cursor(text)
  }

  whole(): unknown {
    this.#cursor.match(BLANKS_AND_LINES)
    const first = this.#value()
    const value = this.#blanks().startsWith(',') ? Tuple.from(this.#rest(first, '')) : first
    this.#cursor.match(BLANKS_AND_LINES)
    return this.#cursor.ended ? value : mistake('text after the value')
  }

  /** Outside of brackets a line's end ends the value. */
  #blanks(): Cursor {
    this.#cursor.match(this.#depth === 0 ? BLANKS : BLANKS_AND_LINES)
    return this.#cursor
  }

  #value(): unknown {
    const cursor = this.#blanks()
    if (cursor.take('(')) return this.#inside(() => this.#parentheses())
    if (cursor.take('[')) return this.#inside(() => this.#items(']'))
    if (cursor.take('{')) return this.#inside(() => this.#braces())
    if (cursor.peek() === '+' || cursor.peek() === '-') return this.#signed()
    if (startsString(cursor)) return readStrings(cursor, () => this.#blanks())
    return this.#number() ?? this.#word()
  }

  #inside<T>(read: () => T): T {
    this.#depth += 1
    if (this.#depth > MAX_NESTING) mistake(`more than ${MAX_NESTING} levels`)
    const value = read()
    this.#depth -= 1
    return value
  }

  #parentheses(): unknown {
    if (this.#blanks().take(')')) return Tuple.of()
    const first = this.#value()
    return this.#blanks().take(')') ? first : Tuple.from(this.#rest(first, ')'))
  }

  /** The items after the first, up to the bracket that closes, or to the end of the value. */
  #rest(first: unknown, close: string): unknown[] {
    const items = [first]
    while (this.#blanks().take(',')) {
      if (this.#atEndOf(close)) break
      items.push(this.#value())
    }
    if (close !== '' && !this.#blanks().take(close)) mistake(`${close} is missing`)
    return items
  }

  #atEndOf(close: string): boolean {
    const next = this.#blanks().peek()
    return close === '' ? next === '' || next === '\n' || next === '\r' || next === '#' : next === close
  }

  #items(close: string): unknown[] {
    return this.#blanks().take(close) ? [] : this.#rest(this.#value(), close)
  }

  #braces(): unknown {
    if (this.#blanks().take('}')) return {}
    const first = this.#hashable(this.#value())
    if (!this.#blanks().take(':')) return new Set(this.#rest(first, '}').map((item) => this.#hashable(item)))
    const entries: [unknown, unknown][] = [[first, this.#value()]]
    while (this.#blanks().take(',')) {
      if (this.#blanks().peek() === '}') break
      const key = this.#hashable(this.#value())
      if (!this.#blanks().take(':')) mistake('a colon is missing')
      entries.push([key, this.#value()])
    }
    if (!this.#blanks().take('}')) mistake('} is missing')
    return entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries) : new Map(entries)
  }

  #hashable(value: unknown): unknown {
    const plain = typeof value !== 'object' || value === null || value instanceof Tuple || value instanceof Uint8Array
    return plain ? value : mistake('a list, a dict or a set cannot be a key or in a set')
  }

  #signed(): unknown {
    const negative = this.#cursor.take('-')
    if (!negative) this.#cursor.take('+')
    if (/[-+]/.test(this.#blanks().peek())) mistake('two signs')
    const value = this.#value()
    if (typeof value === 'bigint') return negative ? -value : value
    if (typeof value !== 'number') return mistake('a sign before what is no number')
    return negative && value !== 0 ? -value : value
  }

  #number(): number | bigint | null {
    const prefixed = this.#cursor.match(PREFIXED)
    const float = prefixed === null ? this.#cursor.match(FLOAT) : null
    const digits = prefixed ?? float ?? this.#cursor.match(INTEGER)
    if (digits === null) return null
    if (this.#cursor.match(AFTER_NUMBER) !== null) mistake('a number that is none, or a complex one')
    const plain = digits.replaceAll('_', '')
    const value = Number(plain)
    return float === null && !Number.isSafeInteger(value) ? BigInt(plain) : value
  }

  #word(): unknown {
    const word = this.#cursor.match(NAME) ?? mistake('a value is missing')
    if (word === 'set' && this.#blanks().take('(') && this.#blanks().take(')')) return new Set()
    return WORDS.has(word) ? WORDS.get(word) : mistake(`${word} is no literal`)
  }
}
