import { MAX_PATTERN_DEPTH, MAX_PATTERN_STATES } from '../../core/limits/schemas.ts'
import { type CharacterTest, readCharacter, readClass } from './pattern-characters.ts'
import { PatternError } from './pattern-error.ts'

/** State of a pattern's automaton. `split` continues at both places, `char` at the next one when the character fits. */
type State =
  | { readonly op: 'char'; readonly fits: CharacterTest }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'assert'; readonly holds: (before: number | null, after: number | null) => boolean }
  | { readonly op: 'match' }

/** Writer of a part: appends its states to a program. */
type Emit = (program: Program) => void

/**
 * A regular expression of JSON Schema, which is one of ECMA-262, matched in time that grows with text times states and no
 * faster: all ways are gone at once, character by character (Thompson). So it knows no backreferences and no look-around.
 * @see https://swtch.com/~rsc/regexp/regexp1.html
 */
export class Pattern {
  readonly #states: readonly State[]

  /** Compiles a pattern. @throws PatternError */
  constructor(source: string) {
    const program = new Program()
    new Parser(source).pattern()(program)
    program.add({ op: 'match' })
    this.#states = program.states
  }

  /**
   * Whether the pattern is found anywhere in the text.
   * @param spend called with each amount of work; it may throw
   */
  foundIn(text: string, spend: (work: number) => void): boolean {
    spend(text.length)
    const characters = Array.from(text, (character) => character.codePointAt(0) ?? 0)
    const seen = new Int32Array(this.#states.length).fill(-1)
    let here: number[] = []
    for (let at = 0; at <= characters.length; at++) {
      const [before, after] = [characters[at - 1] ?? null, characters[at] ?? null]
      const waiting: number[] = []
      // A match may begin anywhere.
      const open = [...here, 0]
      let visited = 0
      for (let state = open.pop(); state !== undefined; state = open.pop()) {
        if (seen[state] === at) continue
        seen[state] = at
        visited++
        const step = this.#states[state] as State // jumps lead nowhere else
        if (step.op === 'match') return true
        if (step.op === 'char') waiting.push(state)
        else if (step.op === 'jump') open.push(step.to)
        else if (step.op === 'split') open.push(step.first, step.second)
        else if (step.holds(before, after)) open.push(state + 1)
      }
      spend(visited)
      here = after === null ? [] : waiting.filter((state) => this.#fits(state, after)).map((state) => state + 1)
    }
    return false
  }

  #fits(state: number, character: number): boolean {
    const step = this.#states[state]
    return step?.op === 'char' && step.fits(character)
  }
}

class Program {
  readonly states: State[] = []

  /** Appends a state. @returns its place */
  add(state: State): number {
    if (this.states.length >= MAX_PATTERN_STATES) {
      throw new PatternError(`it is too large: more than ${MAX_PATTERN_STATES} states (MAX_PATTERN_STATES)`)
    }
    return this.states.push(state) - 1
  }
}

const sequence =
  (parts: readonly Emit[]): Emit =>
  (program) => {
    for (const part of parts) part(program)
  }

const oneOf =
  (ways: readonly Emit[]): Emit =>
  (program) => {
    const jumps = ways.slice(0, -1).map((way) => {
      const split = { op: 'split' as const, first: 0, second: 0 }
      split.first = program.add(split) + 1
      way(program)
      const jump = { op: 'jump' as const, to: 0 }
      split.second = program.add(jump) + 1
      return jump
    })
    ways.at(-1)?.(program)
    for (const jump of jumps) jump.to = program.states.length
  }

const maybe =
  (part: Emit): Emit =>
  (program) => {
    const split = { op: 'split' as const, first: 0, second: 0 }
    split.first = program.add(split) + 1
    part(program)
    split.second = program.states.length
  }

const anyTimes =
  (part: Emit): Emit =>
  (program) => {
    const split = { op: 'split' as const, first: 0, second: 0 }
    const start = program.add(split)
    split.first = start + 1
    part(program)
    program.add({ op: 'jump', to: start })
    split.second = program.states.length
  }

const times =
  (part: Emit, least: number, most: number): Emit =>
  (program) => {
    for (let made = 0; made < least; made++) {
      const { length } = program.states
      part(program)
      // An empty part is the same any number of times.
      if (program.states.length === length) return
    }
    if (most === Number.POSITIVE_INFINITY) anyTimes(part)(program)
    else for (let made = least; made < most; made++) maybe(part)(program)
  }

class Parser {
  readonly #source: string
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
  }

  pattern(): Emit {
    const all = this.#alternatives()
    if (this.#at < this.#source.length) throw new PatternError('it has a ")" too many')
    return all
  }

  #alternatives(): Emit {
    if (++this.#depth > MAX_PATTERN_DEPTH)
      throw new PatternError(`its groups are nested deeper than ${MAX_PATTERN_DEPTH} (MAX_PATTERN_DEPTH)`)
    const ways = [this.#terms()]
    while (this.#take('|')) ways.push(this.#terms())
    this.#depth--
    return oneOf(ways)
  }

  #terms(): Emit {
    const parts: Emit[] = []
    while (this.#at < this.#source.length && !this.#sees('|') && !this.#sees(')')) parts.push(this.#term())
    return sequence(parts)
  }

  #term(): Emit {
    const assertion = this.#assertion()
    if (assertion) return (program) => void program.add({ op: 'assert', holds: assertion })
    const part = this.#take('(') ? this.#group() : this.#character()
    return this.#repeated(part)
  }

  #assertion(): ((before: number | null, after: number | null) => boolean) | null {
    if (this.#take('^')) return (before) => before === null
    if (this.#take('$')) return (_, after) => after === null
    if (this.#take('\\b')) return (before, after) => isWord(before) !== isWord(after)
    if (this.#take('\\B')) return (before, after) => isWord(before) === isWord(after)
    return null
  }

  #group(): Emit {
    if (this.#take('?') && !this.#take(':')) {
      if (!/^<[A-Za-z_$][\w$]*>/.test(this.#rest())) {
        throw new PatternError(
          'it looks ahead or behind, "(?=", "(?!", "(?<", which is not done here; say it without, or leave the pattern out',
        )
      }
      this.#at = this.#source.indexOf('>', this.#at) + 1
    }
    const inner = this.#alternatives()
    if (!this.#take(')')) throw new PatternError('a group has no ")"')
    return inner
  }

  #character(): Emit {
    const { fits, length } = this.#sees('[') ? readClass(this.#rest()) : readCharacter(this.#rest())
    this.#at += length
    return (program) => void program.add({ op: 'char', fits })
  }

  #repeated(part: Emit): Emit {
    const [whole, sign, least, comma, most] = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(this.#rest()) ?? []
    if (whole === undefined) return part
    this.#at += whole.length
    if (sign === '*') return anyTimes(part)
    if (sign === '+') return times(part, 1, Number.POSITIVE_INFINITY)
    if (sign === '?') return maybe(part)
    const from = Number(least)
    const to = comma === undefined ? from : most === '' ? Number.POSITIVE_INFINITY : Number(most)
    if (to < from) throw new PatternError(`${whole} is the wrong way round`)
    if (from > MAX_PATTERN_STATES || (Number.isFinite(to) && to > MAX_PATTERN_STATES)) {
      throw new PatternError(`${whole} is too many; use minLength and maxLength`)
    }
    return times(part, from, to)
  }

  #rest(): string {
    return this.#source.slice(this.#at)
  }

  #sees(text: string): boolean {
    return this.#source.startsWith(text, this.#at)
  }

  #take(text: string): boolean {
    if (!this.#sees(text)) return false
    this.#at += text.length
    return true
  }
}

const isWord = (character: number | null) =>
  character !== null && character < 128 && /\w/.test(String.fromCharCode(character))
