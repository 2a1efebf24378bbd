import { MAX_NESTING } from '../limits.ts'
import { Complex, ELLIPSIS } from './complex.ts'
import { Cursor, mistake } from './cursor.ts'
import { readStrings, startsString } from './read-string.ts'
import { Tuple } from './tuple.ts'

const BLANKS = /(?:[ \t\f]|\\\r?\n)*/y
const BLANKS_AND_LINES = /(?:[ \t\f\r\n]|\\\r?\n|#[^\r\n]*)*/y
/** Lines before the value that have nothing, and those after it. */
const EMPTY_LINES = /(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n?|\n))*/y
const INDENTATION = /[ \t\f]*/y
const LAST_LINE_OF_BLANKS = /[\r\n][ \t\f]*[ \t]$/
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y
const DIGITS = '[0-9](?:_?[0-9])*'
const PREFIXED = /0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+/y
const FLOAT = new RegExp(
  `(?:(?:${DIGITS})?\\.${DIGITS}|${DIGITS}\\.)(?:[eE][-+]?${DIGITS})?|${DIGITS}[eE][-+]?${DIGITS}`,
  'y',
)
const INTEGER = /[1-9](?:_?[0-9])*|0(?:_?0)*/y
const IMAGINARY = /[jJ]/y
/** Digits of an imaginary number, which may have zeros before it: `01j`. */
const DECIMAL = new RegExp(`${DIGITS}(?=[jJ])`, 'y')
const AFTER_NUMBER = /[A-Za-z0-9_.]/y
const WORDS = new Map<string, unknown>([
  ['None', null],
  ['True', true],
  ['False', false],
])

/**
 * Reads a Python literal as `ast.literal_eval` does: strings and bytes, numbers, tuples, lists, dicts, sets, True, False
 * and None. Tuples become {@link Tuple}, dicts objects (a Map when a key is no string), sets Set, bytes Uint8Array,
 * integers that a number cannot hold bigint, complex numbers {@link Complex}, `...` {@link ELLIPSIS}. Characters by name
 * (`\N{…}`) are refused: the list of names is not here.
 * @throws SyntaxMistake
 */
export function readLiteral(text: string): unknown {
  if (text.includes('\0')) mistake('a NUL')
  if (!text.isWellFormed()) mistake('half of a surrogate pair')
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
    this.#begin()
    const first = this.#value()
    const value = this.#blanks().startsWith(',') ? Tuple.from(this.#rest(first, '')) : first
    this.#end()
    return value
  }

  /** The first line may be indented, a later one not: a form feed begins a line anew. */
  #begin(): void {
    this.#cursor.match(/[ \t]*/y)
    this.#cursor.match(EMPTY_LINES)
    if (/[ \t]$/.test(this.#cursor.match(INDENTATION) ?? '')) mistake('an indented line')
  }

  #end(): void {
    const start = this.#cursor.place
    this.#cursor.match(BLANKS_AND_LINES)
    if (!this.#cursor.ended) mistake('text after the value')
    if (LAST_LINE_OF_BLANKS.test(this.#cursor.since(start))) mistake('an indented line')
  }

  /** Outside of brackets a line's end ends the value. */
  #blanks(): Cursor {
    this.#cursor.match(this.#depth === 0 ? BLANKS : BLANKS_AND_LINES)
    return this.#cursor
  }

  #value(): unknown {
    const value = this.#operand()
    const sign = this.#blanks().peek()
    return sign === '+' || sign === '-' ? this.#sum(value) : value
  }

  /** The only sum that is a literal: a real and an imaginary number. */
  #sum(real: unknown): Complex {
    if (typeof real !== 'number' && typeof real !== 'bigint') mistake('a sum')
    const negative = this.#cursor.take('-')
    if (!negative) this.#cursor.take('+')
    this.#blanks()
    const added = this.#number()
    if (!(added instanceof Complex)) return mistake('a sum')
    if (/[-+]/.test(this.#blanks().peek())) mistake('a sum')
    return negative
      ? new Complex(Number(real) - 0, 0 - added.imaginary)
      : new Complex(Number(real) + 0, 0 + added.imaginary)
  }

  #operand(): unknown {
    const cursor = this.#blanks()
    if (cursor.take('(')) return this.#inside(() => this.#parentheses())
    if (cursor.take('[')) return this.#inside(() => this.#items(']'))
    if (cursor.take('{')) return this.#inside(() => this.#braces())
    if (cursor.peek() === '+' || cursor.peek() === '-') return this.#signed()
    if (startsString(cursor)) return readStrings(cursor, () => this.#blanks())
    return this.#number() ?? (cursor.take('...') ? ELLIPSIS : this.#word())
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
    if (value instanceof Tuple) for (const item of value) this.#hashable(item)
    const hashable = [Tuple, Uint8Array, Complex].some((type) => value instanceof type)
    return typeof value !== 'object' || value === null || hashable
      ? value
      : mistake('a list, a dict or a set cannot be a key or in a set')
  }

  #signed(): unknown {
    const negative = this.#cursor.take('-')
    if (!negative) this.#cursor.take('+')
    if (/[-+]/.test(this.#blanks().peek())) mistake('two signs')
    const value = this.#operand()
    if (value instanceof Complex) return negative ? new Complex(-value.real, -value.imaginary) : value
    if (typeof value === 'bigint') return negative ? -value : value
    if (typeof value !== 'number') return mistake('a sign before what is no number')
    return negative && value !== 0 ? -value : value
  }

  #number(): number | bigint | Complex | null {
    const prefixed = this.#cursor.match(PREFIXED)
    const float = prefixed === null ? (this.#cursor.match(FLOAT) ?? this.#cursor.match(DECIMAL)) : null
    const digits = prefixed ?? float ?? this.#cursor.match(INTEGER)
    if (digits === null) return null
    const imaginary = float !== null && this.#cursor.match(IMAGINARY) !== null
    if (this.#cursor.match(AFTER_NUMBER) !== null) mistake('a number that is none')
    const plain = digits.replaceAll('_', '')
    const value = Number(plain)
    if (imaginary) return new Complex(0, value)
    return float === null && !Number.isSafeInteger(value) ? BigInt(plain) : value
  }

  #word(): unknown {
    const word = this.#cursor.match(NAME) ?? mistake('a value is missing')
    if (word === 'set' && this.#blanks().take('(') && this.#blanks().take(')')) return new Set()
    return WORDS.has(word) ? WORDS.get(word) : mistake(`${word} is no literal`)
  }
}
