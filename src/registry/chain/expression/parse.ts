import { fail } from '../../../core/failure.ts'
import { MAX_CHAIN_EXPRESSION_CHARS, MAX_CHAIN_EXPRESSION_DEPTH } from '../../../core/limits/chains.ts'
import { FUNCTIONS, LAZY_FUNCTIONS } from './functions.ts'
import { type Token, tokensOf } from './tokens.ts'

/** Syntax tree of an expression. `source` is a path as it was written, for messages. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'name'; readonly name: string; readonly source: string }
  | { readonly kind: 'field'; readonly of: Expression; readonly key: Expression; readonly source: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'unary'; readonly sign: '!' | '-'; readonly of: Expression }
  | { readonly kind: 'binary'; readonly sign: BinarySign; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'choice'; readonly when: Expression; readonly then: Expression; readonly otherwise: Expression }

/** Precedence of each operator, from loose to close. */
const BINDING = {
  '??': 2,
  '||': 3,
  '&&': 4,
  '==': 5,
  '!=': 5,
  '<': 6,
  '<=': 6,
  '>': 6,
  '>=': 6,
  in: 6,
  '+': 7,
  '-': 7,
  '*': 8,
  '/': 8,
  '%': 8,
} as const
export type BinarySign = keyof typeof BINDING
const CHOICE = 1
const UNARY = 9

/**
 * Parses an expression.
 * @throws FailureError `invalid_input`, `limit_exceeded`
 */
export function parseExpression(source: string): Expression {
  return parseTokens(source, tokensOf(source))
}

/**
 * Reads the expression that begins at `start` inside a text.
 * @returns the expression, and the position behind its `}}`
 */
export function parseInside(source: string, start: number): { readonly expression: Expression; readonly end: number } {
  const tokens = tokensOf(source, start, true)
  return { expression: parseTokens(source, tokens), end: tokens.at(-1)?.to ?? source.length }
}

function parseTokens(source: string, tokens: readonly Token[]): Expression {
  const [first] = tokens
  const last = tokens.at(-1)
  if (!first || first.kind === 'end') fail('invalid_input', 'the expression is empty; write e.g. steps.a.result.name')
  if (last && last.from - first.from > MAX_CHAIN_EXPRESSION_CHARS) {
    fail(
      'limit_exceeded',
      `the expression has more than ${MAX_CHAIN_EXPRESSION_CHARS} characters (MAX_CHAIN_EXPRESSION_CHARS); do parts of it in steps of their own`,
    )
  }
  const reader = new Reader(source, tokens)
  const whole = reader.expression(0, 0)
  if (reader.next.kind !== 'end') unexpected(reader.next)
  return whole
}

class Reader {
  readonly #source: string
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(source: string, tokens: readonly Token[]) {
    this.#source = source
    this.#tokens = tokens
  }

  get next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: 'the end', from: 0, to: 0 }
  }

  /** Parses an expression whose operators bind closer than `loosest`. */
  expression(loosest: number, depth: number): Expression {
    if (depth > MAX_CHAIN_EXPRESSION_DEPTH) {
      fail(
        'limit_exceeded',
        `the expression is nested deeper than ${MAX_CHAIN_EXPRESSION_DEPTH} levels (MAX_CHAIN_EXPRESSION_DEPTH); do parts of it in steps of their own`,
      )
    }
    let left = this.#operand(depth)
    for (;;) {
      const sign = this.#binarySign()
      if (sign && BINDING[sign] > loosest) {
        this.#take()
        left = { kind: 'binary', sign, left, right: this.expression(BINDING[sign], depth + 1) }
      } else if (loosest < CHOICE && this.#takeSign('?')) {
        if (this.next.text === '.')
          fail('invalid_input', '"?." is not known here; write a.b ?? null for what may be missing')
        const then = this.expression(0, depth + 1)
        this.#need(':')
        left = { kind: 'choice', when: left, then, otherwise: this.expression(0, depth + 1) }
      } else {
        return left
      }
    }
  }

  #operand(depth: number): Expression {
    const { from } = this.next
    let value = this.#atom(depth)
    for (;;) {
      if (this.#takeSign('.')) {
        const field = this.#take()
        if (field.kind !== 'name') unexpected(field)
        if (this.next.kind === 'sign' && this.next.text === '(') noMethods(field.text)
        value = this.#fieldOf(value, { kind: 'literal', value: field.text }, from)
      } else if (this.#takeSign('[')) {
        const key = this.expression(0, depth + 1)
        this.#need(']')
        value = this.#fieldOf(value, key, from)
      } else {
        return value
      }
    }
  }

  #fieldOf(of: Expression, key: Expression, from: number): Expression {
    const to = this.#tokens[this.#at - 1]?.to ?? from
    return { kind: 'field', of, key, source: this.#source.slice(from, to) }
  }

  #atom(depth: number): Expression {
    const token = this.#take()
    if (token.kind === 'number') return { kind: 'literal', value: finite(token.text) }
    if (token.kind === 'text') return { kind: 'literal', value: token.text }
    if (token.kind === 'name') return this.#named(token, depth)
    if (token.kind === 'sign') {
      if (token.text === '!' || token.text === '-') {
        return { kind: 'unary', sign: token.text, of: this.expression(UNARY, depth + 1) }
      }
      if (token.text === '(') {
        const inside = this.expression(0, depth + 1)
        this.#need(')')
        return inside
      }
      if (token.text === '[') return { kind: 'list', items: this.#listedUntil(']', depth) }
    }
    return unexpected(token)
  }

  #named({ text, from, to }: Token, depth: number): Expression {
    if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' }
    if (text === 'null') return { kind: 'literal', value: null }
    if (!this.#takeSign('(')) {
      const word = WORDS.get(text)
      if (word) fail('invalid_input', `write ${word} for ${text}`)
      return { kind: 'name', name: text, source: this.#source.slice(from, to) }
    }
    const args = this.#listedUntil(')', depth)
    const count = FUNCTIONS.get(text)?.args ?? LAZY_FUNCTIONS.get(text)
    if (!count) fail('invalid_input', `there is no function ${text.slice(0, 40)}; there are ${functionNames()}`)
    const [least, most] = count
    if (args.length < least || args.length > most) {
      const range =
        least === most ? `${least}` : most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`
      fail('invalid_input', `${text}() takes ${range} arguments, not ${args.length}`)
    }
    return { kind: 'call', name: text, args }
  }

  #listedUntil(end: string, depth: number): Expression[] {
    const items: Expression[] = []
    if (this.#takeSign(end)) return items
    do items.push(this.expression(0, depth + 1))
    while (this.#takeSign(','))
    this.#need(end)
    return items
  }

  #binarySign(): BinarySign | null {
    const { kind, text } = this.next
    return (kind === 'sign' || (kind === 'name' && text === 'in')) && Object.hasOwn(BINDING, text)
      ? (text as BinarySign)
      : null
  }

  #take(): Token {
    const token = this.next
    this.#at++
    return token
  }

  #takeSign(text: string): boolean {
    const taken = this.next.kind === 'sign' && this.next.text === text
    if (taken) this.#at++
    return taken
  }

  #need(text: string): void {
    if (!this.#takeSign(text)) fail('invalid_input', `${JSON.stringify(text)} is missing before ${nameOf(this.next)}`)
  }
}

/** Operators of other languages, and their equivalents here. */
const WORDS = new Map([
  ['and', '&&'],
  ['or', '||'],
  ['not', '!'],
  ['None', 'null'],
  ['undefined', 'null'],
  ['True', 'true'],
  ['False', 'false'],
])

const functionNames = () => [...LAZY_FUNCTIONS.keys(), ...FUNCTIONS.keys()].sort().join(', ')

function finite(digits: string): number {
  const value = Number(digits)
  return Number.isFinite(value) ? value : fail('invalid_input', `the number ${digits.slice(0, 40)} is too large`)
}

const noMethods = (name: string): never =>
  fail(
    'invalid_input',
    `values have no method ${name.slice(0, 40)}(); call a function as length(x): there are ${functionNames()}`,
  )

const nameOf = ({ kind, text }: Token) => (kind === 'end' ? text : JSON.stringify(text.slice(0, 40)))

function unexpected(token: Token): never {
  const word = token.kind === 'name' ? WORDS.get(token.text) : undefined
  fail('invalid_input', word ? `write ${word} for ${token.text}` : `${nameOf(token)} is not expected there`)
}
