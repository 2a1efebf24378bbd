import { fail } from '../../core/failure.ts'
import { MAX_EXPRESSION_DEPTH } from '../../core/limits/math.ts'
import { CONSTANTS, FUNCTIONS, OPERATORS, type Value } from './operations.ts'

/**
 * Value of an arithmetic expression in Python's notation and with its precedences. Nothing of it is run as a program.
 * @throws FailureError `invalid_input` that names the place, `limit_exceeded`
 */
export function evaluate(expression: string): Value {
  const reader = new Reader(tokensOf(expression))
  const value = sum(reader, 0)
  if (reader.next.text !== END) unexpected(reader.next)
  return value
}

interface Token {
  readonly text: string
  readonly number?: Value
  /** Position in characters, from 1. */
  readonly at: number
}

const END = 'the end'
const TOKEN = /\s*(?:((?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|((?:math\.)?[A-Za-z]\w*)|(\*\*|\/\/|[-+*/%(),]))/y

function tokensOf(expression: string): Token[] {
  const source = expression.trimEnd()
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < source.length) {
    const from = TOKEN.lastIndex
    const [, digits, name, sign] = TOKEN.exec(source) ?? []
    const text = digits ?? name ?? sign
    if (text === undefined) unreadable(source, from)
    const token = { text: text.replace(/^math\./, ''), at: TOKEN.lastIndex - text.length + 1 }
    tokens.push(digits === undefined ? token : { ...token, number: numberOf(digits) })
  }
  return [...tokens, { text: END, at: source.length + 1 }]
}

const numberOf = (digits: string): Value => {
  const plain = digits.replaceAll('_', '')
  return /^\d+$/.test(plain) ? BigInt(plain) : Number(plain)
}

function unreadable(source: string, from: number): never {
  const at = from + (/\S/.exec(source.slice(from))?.index ?? 0)
  const hint = source[at] === '^' ? '; write ** for a power' : ''
  fail('invalid_input', `${JSON.stringify(source[at])} at character ${at + 1} has no meaning in an expression${hint}`)
}

class Reader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get next(): Token {
    return this.#tokens[this.#at] ?? { text: END, at: 0 }
  }

  take(): Token {
    const token = this.next
    this.#at++
    return token
  }

  /** Takes the next token if it is one of `texts`. */
  takeOne(texts: readonly string[]): string | null {
    return this.next.number === undefined && texts.includes(this.next.text) ? this.take().text : null
  }
}

function sum(reader: Reader, depth: number): Value {
  let value = product(reader, depth)
  for (let sign = reader.takeOne(['+', '-']); sign; sign = reader.takeOne(['+', '-'])) {
    value = apply(sign, value, product(reader, depth))
  }
  return value
}

const PRODUCTS = ['*', '/', '//', '%']

function product(reader: Reader, depth: number): Value {
  let value = signed(reader, depth)
  for (let sign = reader.takeOne(PRODUCTS); sign; sign = reader.takeOne(PRODUCTS)) {
    value = apply(sign, value, signed(reader, depth))
  }
  return value
}

/** Reads a sign. A power binds closer than the sign before it, and less close than the one in its exponent. */
function signed(reader: Reader, depth: number): Value {
  if (depth > MAX_EXPRESSION_DEPTH) {
    fail(
      'limit_exceeded',
      `the expression is nested deeper than ${MAX_EXPRESSION_DEPTH} levels (MAX_EXPRESSION_DEPTH); calculate it in parts`,
    )
  }
  const sign = reader.takeOne(['+', '-'])
  if (sign) {
    const value = signed(reader, depth + 1)
    return sign === '-' ? -value : value
  }
  const base = atom(reader, depth)
  return reader.takeOne(['**']) ? apply('**', base, signed(reader, depth + 1)) : base
}

function atom(reader: Reader, depth: number): Value {
  const token = reader.take()
  if (token.number !== undefined) return token.number
  if (token.text === '(') {
    const value = sum(reader, depth + 1)
    close(reader)
    return value
  }
  const constant = CONSTANTS.get(token.text)
  if (constant !== undefined) return constant
  const called = FUNCTIONS.get(token.text)
  if (called && reader.takeOne(['('])) return called(argumentsOf(reader, depth + 1))
  return unexpected(token)
}

function argumentsOf(reader: Reader, depth: number): Value[] {
  const values: Value[] = []
  if (reader.takeOne([')'])) return values
  do values.push(sum(reader, depth))
  while (reader.takeOne([',']))
  close(reader)
  return values
}

function close(reader: Reader): void {
  if (!reader.takeOne([')'])) unexpected(reader.next)
}

const apply = (operator: string, left: Value, right: Value): Value => {
  const operation = OPERATORS.get(operator)
  if (!operation) throw new Error(`no operation for ${operator}`)
  return operation(left, right)
}

function unexpected({ text, at }: Token): never {
  const word = text.slice(0, 40)
  if (/^[A-Za-z]/.test(text) && text !== END) {
    const known = [...CONSTANTS.keys(), ...FUNCTIONS.keys()].join(', ')
    fail('invalid_input', `${word} at character ${at} is not known here, or lacks its brackets; known are: ${known}`)
  }
  fail('invalid_input', `the expression cannot be read from character ${at} on: ${word} is not expected there`)
}
