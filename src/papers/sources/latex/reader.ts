import { fail } from '../../../core/failure.ts'
import { MAX_TEX_CHARS, MAX_TEX_DEPTH, MAX_TEX_EXPANSIONS, MAX_TEX_MACROS } from '../../../core/limits/papers.ts'
import { tooMuch } from '../../../documents/broken.ts'

/** A command that a source defines itself. */
export interface Macro {
  readonly parameters: number
  /** Default of the first parameter, which is optional then; null for none. */
  readonly preset: string | null
  readonly body: string
}

/** The definitions of one source, and how much may still be done with them. */
export class Macros {
  readonly #known = new Map<string, Macro>()
  #expansions = 0
  #chars = 0

  get(name: string): Macro | undefined {
    return this.#known.get(name)
  }

  define(name: string, macro: Macro): void {
    this.#known.set(name, macro)
    if (this.#known.size > MAX_TEX_MACROS) {
      tooMuch(`the source defines more than ${MAX_TEX_MACROS} commands (MAX_TEX_MACROS)`)
    }
  }

  /** Expands a macro. @throws FailureError `limit_exceeded` when definitions grow without end */
  expand({ body }: Macro, values: readonly string[]): string {
    if (++this.#expansions > MAX_TEX_EXPANSIONS) {
      tooMuch(`its own commands are used more than ${MAX_TEX_EXPANSIONS} times (MAX_TEX_EXPANSIONS), or without end`)
    }
    let chars = this.#chars + body.length
    const text = body.replace(/(\\[a-zA-Z]+)?#([1-9])/g, (_, command: string | undefined, number: string) => {
      const value = values[Number(number) - 1] ?? ''
      chars += value.length
      if (chars > MAX_TEX_CHARS) tooLong() // before it is there: many times a long value would fill the memory
      // "\foo#1" with "bar" is two things, and not "\foobar".
      return command === undefined ? value : `${command}${/^[a-zA-Z]/.test(value) ? ' ' : ''}${value}`
    })
    this.#chars += text.length
    if (this.#chars > MAX_TEX_CHARS) tooLong()
    return text
  }
}

const tooLong = () => tooMuch(`its own commands stand for more than ${MAX_TEX_CHARS} characters (MAX_TEX_CHARS)`)

export type Token =
  /** `\name`, or `\` with one other character. */
  | { readonly kind: 'command'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'math'; readonly text: string }
  | { readonly kind: 'paragraph' | 'tie' | 'cell' | 'open' | 'close' }

interface Frame {
  readonly text: string
  at: number
  /** The command that it stands for, and the piece where that stood; neither at the start. */
  readonly macro: Macro | null
  readonly from: Frame | null
}

const COMMAND = /\\([a-zA-Z@]+|[\s\S]?)/y
const PLAIN = /[^\\{}$~&#\n`'-]+/y
const LINE_END = /\n[ \t]*(\n\s*)?/y
const DASHES_OR_QUOTES = /---?|``?|''?|-/y
const WITHOUT_BRACES = /[^\\{}]+/y
/** A formula is not longer; a `$` without its partner is none. */
const MAX_MATH_CHARS = 20_000
const MAX_OPTION_CHARS = 2_000

/** Reader of LaTeX, token by token, with the document's own commands replaced by their definitions. */
export class Reader {
  readonly macros: Macros
  readonly #frames: Frame[]

  constructor(text: string, macros: Macros) {
    this.macros = macros
    this.#frames = [{ text, at: 0, macro: null, from: null }]
  }

  next(): Token | null {
    for (;;) {
      const frame = this.#frame()
      if (!frame) return null
      const token = this.#token(frame)
      const macro = token?.kind === 'command' ? this.macros.get(token.name) : undefined
      if (token && !macro) return token
      if (macro && !isEndless(macro, frame)) this.#replace(macro, frame)
    }
  }

  #replace(macro: Macro, from: Frame): void {
    const values = this.#values(macro)
    this.#frame() // one that was read to its end would be kept for nothing, and a loop would pile them up
    this.#frames.push({ text: this.macros.expand(macro, values), at: 0, macro, from })
  }

  /** Content of the next braces, or the next single thing, unexpanded. */
  argument(): string {
    let frame = this.#frame()
    while (frame && /\s/.test(frame.text[frame.at] ?? '')) {
      frame.at++
      frame = this.#frame()
    }
    if (!frame) return ''
    if (frame.text[frame.at] !== '{') return this.#match(frame, COMMAND)?.[0] ?? frame.text[frame.at++] ?? ''
    frame.at++
    return this.#untilClosed()
  }

  /** Content of brackets, if these are next; null otherwise. */
  option(): string | null {
    const frame = this.#frame()
    if (!frame) return null
    const { text } = frame
    let at = frame.at
    while (/\s/.test(text[at] ?? '')) at++
    if (text[at] !== '[') return null
    const start = at + 1
    const latest = start + MAX_OPTION_CHARS
    for (let depth = 0; at < text.length && at < latest; at++) {
      const char = text[at]
      if (char === '\\') at++
      else if (char === '{') depth++
      else if (char === '}') depth--
      else if (char === ']' && depth === 0) {
        frame.at = at + 1
        return text.slice(start, at)
      }
    }
    return null
  }

  /** Skips brackets directly behind the last token. */
  adjacentOption(): void {
    const frame = this.#frame()
    if (frame?.text[frame.at] === '[') this.option()
  }

  /** Passes over the `*` of a variant. */
  star(): boolean {
    const frame = this.#frame()
    if (frame?.text[frame.at] !== '*') return false
    frame.at++
    return true
  }

  /** Text before `end`, unexpanded; the whole rest of the piece where `end` is missing. */
  until(end: string): string {
    const frame = this.#frame()
    if (!frame) return ''
    const found = frame.text.indexOf(end, frame.at)
    const text = frame.text.slice(frame.at, found === -1 ? undefined : found)
    frame.at = found === -1 ? frame.text.length : found + end.length
    return text
  }

  /** Text of `\verb`: between two equal characters. */
  verbatim(): string {
    const frame = this.#frame()
    const mark = frame?.text[frame.at]
    if (!frame || mark === undefined) return ''
    frame.at++
    const line = frame.text.slice(frame.at, frame.at + MAX_OPTION_CHARS)
    const end = line.indexOf(mark)
    if (end === -1) return ''
    frame.at += end + 1
    return line.slice(0, end)
  }

  /** Head of `\def`: the name, and the text between it and the braces. */
  definitionHead(): { readonly name: string; readonly parameters: string } | null {
    const frame = this.#frame()
    const head = frame && this.#match(frame, /\s*\\([a-zA-Z@]+|.)([^{}\\\n]{0,100})(?=\{)/y)
    return head ? { name: head[1] ?? '', parameters: head[2] ?? '' } : null
  }

  /** Frame being read; frames read to their end are removed. */
  #frame(): Frame | undefined {
    for (;;) {
      const frame = this.#frames.at(-1)
      if (!frame || frame.at < frame.text.length) return frame
      this.#frames.pop()
    }
  }

  /** Next token of a frame. @returns null for a token without meaning */
  #token(frame: Frame): Token | null {
    const { text } = frame
    const char = text[frame.at]
    switch (char) {
      case '\\':
        return { kind: 'command', name: this.#match(frame, COMMAND)?.[1] ?? '' }
      case '{':
        frame.at++
        return { kind: 'open' }
      case '}':
        frame.at++
        return { kind: 'close' }
      case '~':
        frame.at++
        return { kind: 'tie' }
      case '&':
        frame.at++
        return { kind: 'cell' }
      case '#':
        frame.at++
        return null
      case '$':
        return this.#math(frame)
      case '\n':
        return this.#match(frame, LINE_END)?.[1] === undefined ? { kind: 'text', text: ' ' } : { kind: 'paragraph' }
      case '-':
      case '`':
      case "'":
        return { kind: 'text', text: PUNCTUATION.get(this.#match(frame, DASHES_OR_QUOTES)?.[0] ?? '') ?? char }
      default:
        return { kind: 'text', text: this.#match(frame, PLAIN)?.[0] ?? '' }
    }
  }

  #math(frame: Frame): Token {
    const { text, at } = frame
    const mark = text.startsWith('$$', at) ? '$$' : '$'
    const inside = text.slice(at + mark.length, at + MAX_MATH_CHARS)
    const end = endOfMath(inside, mark)
    if (end === -1) {
      frame.at += mark.length
      return { kind: 'text', text: '' }
    }
    frame.at += end + 2 * mark.length
    return { kind: 'math', text: inside.slice(0, end) }
  }

  #values({ parameters, preset }: Macro): string[] {
    const first = preset === null ? [] : [this.option() ?? preset]
    return [...first, ...Array.from({ length: parameters - first.length }, () => this.argument())]
  }

  #untilClosed(): string {
    let out = ''
    for (let depth = 1; ; ) {
      const frame = this.#frame()
      if (!frame) return out
      const char = frame.text[frame.at]
      if (char === '\\') out += this.#match(frame, COMMAND)?.[0] ?? ''
      else if (char === '{' || char === '}') {
        frame.at++
        depth += char === '{' ? 1 : -1
        if (depth === 0) return out
        out += char
      } else out += this.#match(frame, WITHOUT_BRACES)?.[0] ?? ''
    }
  }

  #match(frame: Frame, pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = frame.at
    const found = pattern.exec(frame.text)
    if (found) frame.at = pattern.lastIndex
    return found
  }
}

/**
 * A command that comes back to itself ends by a condition, which only TeX can decide. One within the argument of itself
 * looks the same, so a few times are let pass; then it is as nothing.
 */
function isEndless(macro: Macro, frame: Frame): boolean {
  let times = 0
  let depth = 0
  for (let piece: Frame | null = frame; piece; piece = piece.from, depth++) if (piece.macro === macro) times++
  return times >= MAX_SELF_USES || depth > MAX_TEX_DEPTH
}

const MAX_SELF_USES = 2

const PUNCTUATION = new Map([
  ['--', '–'],
  ['---', '—'],
  ['``', '“'],
  ["''", '”'],
])

function endOfMath(inside: string, mark: string): number {
  for (let at = inside.indexOf(mark); at !== -1; at = inside.indexOf(mark, at + 1)) {
    let slashes = 0
    while (inside[at - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return /\n[ \t]*\n/.test(inside.slice(0, at)) ? -1 : at
  }
  return -1
}

/** Nested deeper than a reader of it goes. */
export const tooDeep = (): never =>
  fail('invalid_input', 'the LaTeX has arguments within arguments without end; mend the source')
