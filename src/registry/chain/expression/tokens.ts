import { fail } from '../../../core/failure.ts'

export interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'sign' | 'end'
  /** The operator or name itself; of a text its content, without quotes. */
  readonly text: string
  /** Begin and end in the source, in UTF-16 units from 0. */
  readonly from: number
  readonly to: number
}

/** End of an expression inside a text. */
const CLOSE = '}}'

const SPACE = /\s*/y
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy
const SIGN = /\}\}|\?\?|&&|\|\||[=!]=(?!=)|[<>]=?|[-+*/%!?:()[\],.]/y

/**
 * The tokens from `start` on, to the end of the source, or to the first `}}` outside of quotes when `inside` a text.
 * @throws FailureError `invalid_input`
 */
export function tokensOf(source: string, start = 0, inside = false): Token[] {
  const tokens: Token[] = []
  for (let at = after(SPACE, source, start); ; at = after(SPACE, source, at)) {
    if (at >= source.length) {
      if (inside)
        fail('invalid_input', `"\${{" is not closed; write }} behind the expression, or $\${{ for the characters`)
      return [...tokens, { kind: 'end', text: 'the end', from: at, to: at }]
    }
    const token = tokenAt(source, at)
    if (inside && token.kind === 'sign' && token.text === CLOSE) {
      return [...tokens, { kind: 'end', text: 'the end', from: at, to: token.to }]
    }
    tokens.push(token)
    at = token.to
  }
}

function tokenAt(source: string, from: number): Token {
  const quote = source[from]
  if (quote === '"' || quote === "'") return quotedAt(source, from, quote)
  for (const [kind, pattern] of [
    ['number', NUMBER],
    ['name', NAME],
    ['sign', SIGN],
  ] as const) {
    const to = after(pattern, source, from)
    if (to > from) return { kind, text: source.slice(from, to), from, to }
  }
  return fail(
    'invalid_input',
    `${JSON.stringify(wholeCharacterAt(source, from))} has no meaning here${hintFor(source, from)}`,
  )
}

/**
 * End of a match that begins at `from`.
 * @returns `from` when there is none
 */
function after(pattern: RegExp, source: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(source) ? pattern.lastIndex : from
}

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['\\', '\\'],
  ['"', '"'],
  ["'", "'"],
])

function quotedAt(source: string, from: number, quote: string): Token {
  let text = ''
  for (let at = from + 1; at < source.length; at++) {
    const character = source[at]
    if (character === quote) return { kind: 'text', text, from, to: at + 1 }
    if (character !== '\\') {
      text += character
      continue
    }
    at++
    const [hex] = /^u[0-9a-fA-F]{4}/.exec(source.slice(at, at + 5)) ?? []
    if (hex) at += 4
    text += hex
      ? String.fromCharCode(Number.parseInt(hex.slice(1), 16))
      : (ESCAPES.get(source[at] ?? '') ?? unknownEscape())
  }
  return fail(
    'invalid_input',
    `the text that begins with ${source.slice(from, from + 20)} is not closed; end it with ${quote}`,
  )
}

const unknownEscape = () =>
  fail('invalid_input', 'a text knows \\n, \\t, \\r, \\\\, \\", \\\' and \\u0041; write \\\\ for a backslash')

const wholeCharacterAt = (source: string, at: number) => String.fromCodePoint(source.codePointAt(at) ?? 0)

function hintFor(source: string, at: number): string {
  const rest = source.slice(at, at + 3)
  if (rest.startsWith('===') || rest.startsWith('!==')) return `; write ${rest.slice(0, 2)}`
  if (rest.startsWith('=')) return '; write == to compare'
  if (rest.startsWith('&')) return '; write &&'
  if (rest.startsWith('|')) return '; write ||, and call functions as length(x)'
  if (rest.startsWith('$')) return '; names stand without $, as steps.a.result'
  if (rest.startsWith('{')) return '; objects are written in the JSON around the expression'
  return ''
}
