import { MAX_AUTOMATON_CELLS } from '../../../core/limits/finding.ts'
import { type Alphabet, END } from './alphabet.ts'
import type { Assertion } from './node.ts'
import type { Program } from './program.ts'
import type { WorkMeter } from './work-meter.ts'

/** Character before a place: none, one that is not of a word, or one of a word. */
export type Before = 0 | 1 | 2
export const AT_START: Before = 0

/** State in which nothing can match any more. */
export const DEAD = 0
const UNKNOWN = -1

interface State {
  readonly before: Before
  /** Places in the program, the preferred first. */
  readonly places: readonly number[]
}

interface AutomatonParts {
  readonly program: Program
  readonly alphabet: Alphabet
  readonly meter: WorkMeter
  /** True to match from the first character on only; of several matches the preferred one counts. False to match anywhere. */
  readonly anchored: boolean
  /** Size of the table. */
  readonly maxCells?: number
}

/**
 * Deterministic automaton of a program, built while it reads: each state is computed when a text first leads to it. Reading a
 * character takes at most as many steps as the program has instructions, whatever the pattern; usually it is one look into a table.
 * The table has a limit, behind which it is emptied and built anew.
 */
export class Automaton {
  readonly #parts: AutomatonParts
  readonly #code: Program['code']
  readonly #seen: Int32Array
  readonly #maxCells: number
  #round = 0
  #states: State[] = []
  #rows: Int32Array[] = []
  #ids = new Map<string, number>()
  #starts: number[] = []
  #cells = 0

  constructor(parts: AutomatonParts) {
    this.#parts = parts
    this.#code = parts.program.code
    this.#maxCells = parts.maxCells ?? MAX_AUTOMATON_CELLS
    this.#seen = new Int32Array(this.#code.length)
    this.#empty()
  }

  /** State before the first character that is read. */
  start(before: Before = AT_START): number {
    const known = this.#starts[before]
    if (known !== undefined) return known
    const id = this.#idOf({ before: this.#kept(before), places: [0] })
    this.#starts[before] = id
    return id
  }

  /**
   * Step from a state by a kind of character: the next state times two, plus one when a match ends before the character. No other
   * number of a state may be kept over a step, since the table may have been emptied.
   */
  step(state: number, kind: number): number {
    const known = this.#rows[state]?.[kind] ?? UNKNOWN
    return known === UNKNOWN ? this.#build(state, kind) : known
  }

  beforeOf(kind: number): Before {
    return kind === END ? 0 : this.#parts.alphabet.isWord(kind) ? 2 : 1
  }

  #build(state: number, kind: number): number {
    const from = this.#states[state]
    if (!from || state === DEAD) return DEAD
    const { alphabet, anchored } = this.#parts
    const waiting: number[] = []
    const matched = this.#close(from, kind, waiting)
    const places: number[] = []
    this.#round += 1
    if (kind !== END) {
      for (const place of waiting) {
        const instruction = this.#code[place]
        if (instruction?.op !== 'set' || !alphabet.isIn(kind, instruction.set)) continue
        if (this.#seen[place + 1] === this.#round) continue
        this.#seen[place + 1] = this.#round
        places.push(place + 1)
      }
    }
    // Who only asks whether there is a match need not tell orders apart.
    if (!anchored) places.sort((one, other) => one - other)
    const isDead = kind === END || (anchored && places.length === 0)
    const row = this.#rowWith(state, kind)
    const next = isDead ? DEAD : this.#idOf({ before: this.#kept(this.beforeOf(kind)), places })
    const value = next * 2 + (matched ? 1 : 0)
    // A row that the table no longer has is written in vain.
    row[kind] = value
    return value
  }

  /** Row of a state, with room for a kind that was met after the state. */
  #rowWith(state: number, kind: number): Int32Array {
    const row = this.#rows[state] ?? new Int32Array()
    if (kind < row.length) return row
    const wider = new Int32Array(this.#parts.alphabet.size + 8).fill(UNKNOWN)
    wider.set(row)
    const more = wider.length - row.length
    if (this.#cells + more > this.#maxCells) this.#empty()
    else {
      this.#cells += more
      this.#rows[state] = wider
    }
    return wider
  }

  /** Follows what reads no character. @returns whether a match is reached; `waiting` gets the places that read */
  #close({ before, places }: State, kind: number, waiting: number[]): boolean {
    const { anchored, meter } = this.#parts
    const seen = this.#seen
    this.#round += 1
    let matched = false
    let visited = 0
    const open = anchored ? [...places].reverse() : [0, ...places]
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (seen[place] === this.#round) continue
      seen[place] = this.#round
      visited += 1
      const instruction = this.#code[place]
      if (!instruction) continue
      if (instruction.op === 'set') waiting.push(place)
      else if (instruction.op === 'jump') open.push(instruction.to)
      else if (instruction.op === 'split') open.push(instruction.second, instruction.first)
      else if (instruction.op === 'assert') {
        if (this.#holds(instruction.assertion, before, this.beforeOf(kind))) open.push(place + 1)
      } else {
        matched = true
        if (anchored) break // what comes later is preferred less
      }
    }
    meter.spend(20 + visited * 6)
    return matched
  }

  #holds(assertion: Assertion, before: Before, after: Before): boolean {
    if (assertion === 'start') return before === 0
    if (assertion === 'end') return after === 0
    return ((before === 2) !== (after === 2)) === (assertion === 'word_boundary')
  }

  /** Kind of the character before, as far as it must be known: nothing, where no instruction looks at it. */
  #kept(before: Before): Before {
    return this.#parts.program.asserts ? before : 1
  }

  #idOf(state: State): number {
    const key = `${state.before}:${state.places.join()}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    // Kinds come to be known while texts are read: room for some more than there are.
    const width = this.#parts.alphabet.size + 8
    if (this.#cells + width + state.places.length > this.#maxCells) this.#empty()
    this.#cells += width + 2 * state.places.length
    const id = this.#states.push(state) - 1
    this.#rows.push(new Int32Array(width).fill(UNKNOWN))
    this.#ids.set(key, id)
    this.#parts.meter.spend(width + state.places.length)
    return id
  }

  #empty(): void {
    this.#cells = 0
    this.#states = [{ before: 1, places: [] }]
    this.#rows = [new Int32Array(0)]
    this.#ids = new Map()
    this.#starts = []
  }
}
