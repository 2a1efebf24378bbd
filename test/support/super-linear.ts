import { type CharSet, JS } from 'refa'

type Node = ReturnType<
  InstanceType<typeof JS.Parser>['parse']
>['expression']['alternatives'][number]['elements'][number]

/** A quantifier up to this bound costs a factor, not a power. */
const MOST_REPEATS = 500

/** Part of a pattern: positions of its first and last characters. */
interface Part {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly isNullable: boolean
}
const NOTHING: Part = { first: [], last: [], isNullable: true }

/**
 * Whether a pattern may take a time that grows faster than the text: two of its loops, or the search for its beginning
 * and a loop, can read the same text, and what follows them may fail. The engine tries each division of the text then.
 *
 * The pattern is made an automaton of its characters (Glushkov's); it is super-linear when there are p and q, and a text
 * that leads from p to p, from p to q and from q to q. Assertions within a pattern are taken as true, and what a
 * backreference stands for as nothing.
 */
export function isSuperLinear(source: string, flags: string): boolean {
  const { expression } = JS.Parser.fromLiteral({ source, flags }).parse({ backreferences: 'unknown' })
  return new Automaton(expression.alternatives, flags).isAmbiguous()
}

class Automaton {
  readonly #sets: CharSet[] = []
  readonly #next: Set<number>[] = []
  readonly #accepting = new Set<number>()
  readonly #any: CharSet
  readonly #start: number

  constructor(alternatives: readonly { readonly elements: readonly Node[] }[], flags: string) {
    const { expression } = JS.Parser.fromLiteral({ source: '[^]\\n', flags: flags.replace(/[iy]/g, '') }).parse()
    const [any, lineBreak] = (expression.alternatives[0]?.elements ?? []).flatMap((node) =>
      node.type === 'CharacterClass' ? [node.characters] : [],
    )
    if (!any || !lineBreak) throw new Error('a set of characters is not read as one')
    this.#any = any
    // The search: every character may come before the beginning.
    this.#start = this.#add(any)
    this.#link([this.#start], [this.#start])
    const lineStart = this.#add(lineBreak)
    this.#link([this.#start], [lineStart])
    for (const { elements } of alternatives) {
      const anchor = flags.includes('y') ? 'text' : this.#anchorOf(elements)
      const part = this.#sequence(elements)
      if (anchor !== 'text') this.#link([anchor === 'line' ? lineStart : this.#start], part.first)
      if (!endsBefore(elements)) for (const at of part.last) this.#accepting.add(at)
    }
  }

  #anchorOf([first]: readonly Node[]): 'line' | 'text' | null {
    if (first?.type !== 'Assertion' || first.kind !== 'behind' || !first.negate) return null
    const [only] = first.alternatives[0]?.elements ?? []
    return only?.type === 'CharacterClass' && only.characters.isAll ? 'text' : 'line'
  }

  #add(set: CharSet): number {
    this.#next.push(new Set())
    return this.#sets.push(set) - 1
  }

  #link(from: readonly number[], to: readonly number[]): void {
    for (const one of from) for (const other of to) this.#next[one]?.add(other)
  }

  #sequence(elements: readonly Node[]): Part {
    return elements.reduce<Part>((before, node) => {
      const part = this.#part(node)
      this.#link(before.last, part.first)
      return {
        first: before.isNullable ? [...before.first, ...part.first] : before.first,
        last: part.isNullable ? [...before.last, ...part.last] : part.last,
        isNullable: before.isNullable && part.isNullable,
      }
    }, NOTHING)
  }

  #choice(alternatives: readonly { readonly elements: readonly Node[] }[]): Part {
    const parts = alternatives.map(({ elements }) => this.#sequence(elements))
    return {
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
      isNullable: parts.some(({ isNullable }) => isNullable),
    }
  }

  #part(node: Node): Part {
    switch (node.type) {
      case 'CharacterClass': {
        const at = this.#add(node.characters)
        return { first: [at], last: [at], isNullable: false }
      }
      case 'Alternation':
        return this.#choice(node.alternatives)
      case 'Quantifier': {
        const inner = this.#choice(node.alternatives)
        if (node.max > MOST_REPEATS) this.#link(inner.last, inner.first)
        return { ...inner, isNullable: inner.isNullable || node.min === 0 }
      }
      default:
        return NOTHING
    }
  }

  isAmbiguous(): boolean {
    const reach = this.#sets.map((_, from) => this.#reachable(from))
    const cycleOf = (at: number) => new Set([...(reach[at] ?? [])].filter((other) => reach[other]?.has(at)))
    const looping = this.#sets.map((_, at) => at).filter((at) => reach[at]?.has(at))
    const cycles = new Map(looping.map((at) => [at, cycleOf(at)]))
    const isSure = (at: number) =>
      at !== this.#start && [...(cycles.get(at) ?? [])].some((one) => this.#accepting.has(one))
    for (const p of looping) {
      if (isSure(p)) continue
      for (const q of looping) {
        if (isSure(q) || !reach[p]?.has(q)) continue
        if (this.#leads(p, q, cycles.get(p) ?? new Set(), reach, cycles.get(q) ?? new Set())) return true
      }
    }
    return false
  }

  #reachable(from: number): Set<number> {
    const found = new Set<number>()
    const open = [from]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const next of this.#next[at] ?? []) {
        if (found.has(next)) continue
        found.add(next)
        open.push(next)
      }
    }
    return found
  }

  /** Whether one text leads from p to p, from p to q and from q to q; for p = q, from p to p in two ways. */
  #leads(p: number, q: number, around: Set<number>, reach: readonly Set<number>[], aroundQ: Set<number>): boolean {
    const seen = new Set<string>()
    const open: (readonly [number, number, number, boolean])[] = [[p, p, q, p !== q]]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const [a, b, c, differed] = at
      for (const x of this.#next[a] ?? []) {
        if (!around.has(x)) continue
        for (const y of this.#next[b] ?? []) {
          if (y !== q && !reach[y]?.has(q)) continue
          const both = this.#common(x, y)
          if (both.isEmpty) continue
          for (const z of p === q ? [x] : (this.#next[c] ?? [])) {
            if (!aroundQ.has(z) || both.isDisjointWith(this.#sets[z] ?? this.#any)) continue
            const next = [x, y, z, differed || x !== y] as const
            if (x === p && y === q && z === q && next[3]) return true
            const key = next.join()
            if (!seen.has(key)) open.push(next)
            seen.add(key)
          }
        }
      }
    }
    return false
  }

  readonly #commons = new Map<string, CharSet>()
  #common(one: number, other: number): CharSet {
    const key = `${one} ${other}`
    const known = this.#commons.get(key) ?? (this.#sets[one] ?? this.#any).intersect(this.#sets[other] ?? this.#any)
    this.#commons.set(key, known)
    return known
  }
}

/** A pattern that says what must come after it may fail there, whatever it has read. */
const endsBefore = (elements: readonly Node[]): boolean => {
  const last = elements.at(-1)
  return last?.type === 'Assertion' && last.kind === 'ahead'
}
