import { fail } from '../../../core/failure.ts'
import { MAX_PATTERN_STATES } from '../../../core/limits/finding.ts'
import type { CharacterSet } from './character-set.ts'
import type { Assertion, Node } from './node.ts'

/** One instruction. A `set` reads a character and goes on behind itself; the numbers are places in the program. */
export type Instruction =
  | { readonly op: 'set'; readonly set: number }
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { readonly op: 'assert'; readonly assertion: Assertion }
  | { readonly op: 'match' }

/** Instructions of a pattern, for reading a text forwards or backwards (Thompson). */
export interface Program {
  readonly code: readonly Instruction[]
  /** Whether any instruction looks at the characters around a place. */
  readonly asserts: boolean
}

/** Numbers of the character sets that programs of one pattern share. */
export class SetNumbers {
  readonly sets: CharacterSet[] = []
  readonly #numbers = new Map<string, number>()

  of(set: CharacterSet): number {
    const known = this.#numbers.get(set.key)
    if (known !== undefined) return known
    this.#numbers.set(set.key, this.sets.length)
    return this.sets.push(set) - 1
  }
}

const MIRRORED: Readonly<Record<Assertion, Assertion>> = {
  start: 'end',
  end: 'start',
  word_boundary: 'word_boundary',
  no_word_boundary: 'no_word_boundary',
}

/**
 * Compiles a pattern. @param backwards for reading texts from their end
 * @throws FailureError `limit_exceeded` for a program of more than MAX_PATTERN_STATES instructions
 */
export function compileProgram(node: Node, sets: SetNumbers, backwards: boolean): Program {
  const compiler = new Compiler(sets, backwards)
  compiler.write(node)
  compiler.code.push({ op: 'match' })
  return { code: compiler.code, asserts: compiler.code.some(({ op }) => op === 'assert') }
}

class Compiler {
  readonly code: Instruction[] = []
  readonly #sets: SetNumbers
  readonly #backwards: boolean
  #written = 0

  constructor(sets: SetNumbers, backwards: boolean) {
    this.#sets = sets
    this.#backwards = backwards
  }

  /** Writes the instructions of a node; what follows it comes behind them. */
  write(node: Node): void {
    // Counted by nodes as well: an empty group that is repeated a million times has no instructions.
    this.#written += 1
    if (this.#written > MAX_PATTERN_STATES || this.code.length > MAX_PATTERN_STATES) {
      fail(
        'limit_exceeded',
        `the pattern has more than ${MAX_PATTERN_STATES} states once its repeats are written out (MAX_PATTERN_STATES); repeat less`,
      )
    }
    if (node.kind === 'set') this.code.push({ op: 'set', set: this.#sets.of(node.set) })
    else if (node.kind === 'assert') this.#assert(node.assertion)
    else if (node.kind === 'all') this.#all(node.nodes)
    else if (node.kind === 'any') this.#any(node.nodes)
    else this.#repeat(node)
  }

  #assert(assertion: Assertion): void {
    this.code.push({ op: 'assert', assertion: this.#backwards ? MIRRORED[assertion] : assertion })
  }

  #all(nodes: readonly Node[]): void {
    for (const node of this.#backwards ? nodes.toReversed() : nodes) this.write(node)
  }

  #any(nodes: readonly Node[]): void {
    const ends: { to: number }[] = []
    for (const [index, node] of nodes.entries()) {
      if (index === nodes.length - 1) {
        this.write(node)
        continue
      }
      const split = this.#split()
      split.first = this.code.length
      this.write(node)
      ends.push(this.#jump())
      split.second = this.code.length
    }
    for (const end of ends) end.to = this.code.length
  }

  #repeat({ node, min, max, greedy }: Extract<Node, { kind: 'repeat' }>): void {
    for (let n = 1; n < min; n++) this.write(node)
    if (max === null) {
      if (min === 0) this.#anyTimes(node, greedy)
      else this.#onceOrMore(node, greedy)
      return
    }
    if (min > 0) this.write(node)
    const splits = Array.from({ length: max - min }, () => {
      const split = this.#split()
      const body = this.code.length
      this.write(node)
      return { split, body }
    })
    for (const { split, body } of splits) choose(split, { greedy, body, out: this.code.length })
  }

  #anyTimes(node: Node, greedy: boolean): void {
    const start = this.code.length
    const split = this.#split()
    const body = this.code.length
    this.write(node)
    this.#jump().to = start
    choose(split, { greedy, body, out: this.code.length })
  }

  #onceOrMore(node: Node, greedy: boolean): void {
    const body = this.code.length
    this.write(node)
    const split = this.#split()
    choose(split, { greedy, body, out: this.code.length })
  }

  #split() {
    const split = { op: 'split' as const, first: 0, second: 0 }
    this.code.push(split)
    return split
  }

  #jump() {
    const jump = { op: 'jump' as const, to: 0 }
    this.code.push(jump)
    return jump
  }
}

interface Choice {
  readonly greedy: boolean
  readonly body: number
  readonly out: number
}

function choose(split: { first: number; second: number }, { greedy, body, out }: Choice): void {
  split.first = greedy ? body : out
  split.second = greedy ? out : body
}
