import { fail } from '../../../core/failure.ts'
import { MAX_CHARACTER_KINDS, MAX_KIND_PAGES } from '../../../core/limits/finding.ts'
import type { CharacterSet } from './character-set.ts'
import { isWordCharacter } from './classes.ts'
import type { WorkMeter } from './work-meter.ts'

/** Kind of the end of a line or of a text. */
export const END = 0

const UNKNOWN = 0xffff
const PAGE = 256
/** Characters that end a line, as `splitLines` has it. */
const BREAKS: ReadonlySet<number> = new Set([0x0a, 0x0b, 0x0c, 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029])

/** Kinds of characters: those of one kind are in the same sets of a pattern, so that an automaton need not tell them apart. */
export class Alphabet {
  /** Kinds of the characters below U+0080. */
  readonly ascii: Uint16Array
  readonly #sets: readonly CharacterSet[]
  readonly #breaks: boolean
  /** Work of telling the kind of a character that was not met before. */
  readonly #work: number
  readonly #meter: WorkMeter
  readonly #maxPages: number
  readonly #pages = new Map<number, Uint16Array>()
  readonly #kinds = new Map<string, number>()
  readonly #members: string[] = ['']

  /**
   * @param breaks whether a line break counts as {@link END}
   * @param maxPages number of pages of PAGE characters that are remembered
   */
  constructor(sets: readonly CharacterSet[], breaks: boolean, meter: WorkMeter, maxPages = MAX_KIND_PAGES) {
    this.#sets = sets
    this.#breaks = breaks
    this.#work = sets.reduce((sum, { looks }) => sum + looks, 1) * WORK_PER_LOOK
    this.#meter = meter
    this.#maxPages = maxPages
    this.ascii = Uint16Array.from({ length: 128 }, (_, codePoint) => this.#newKind(codePoint))
  }

  /** Number of kinds met so far. */
  get size(): number {
    return this.#members.length
  }

  kindOf(codePoint: number): number {
    const number = Math.floor(codePoint / PAGE)
    let page = this.#pages.get(number)
    if (!page) {
      page = this.#newPage()
      this.#pages.set(number, page)
    }
    const known = page[codePoint % PAGE] ?? UNKNOWN
    if (known !== UNKNOWN) return known
    const kind = this.#newKind(codePoint)
    page[codePoint % PAGE] = kind
    return kind
  }

  /** Whether the characters of a kind are in a set. */
  isIn(kind: number, set: number): boolean {
    return this.#members[kind]?.charCodeAt(set + 1) === ONE
  }

  isWord(kind: number): boolean {
    return this.#members[kind]?.charCodeAt(0) === ONE
  }

  /** A page without kinds: a new one, or the oldest one emptied. */
  #newPage(): Uint16Array {
    const [oldest] = this.#pages.size < this.#maxPages ? [] : this.#pages
    if (!oldest) return new Uint16Array(PAGE).fill(UNKNOWN)
    this.#pages.delete(oldest[0])
    return oldest[1].fill(UNKNOWN)
  }

  #newKind(codePoint: number): number {
    if (this.#breaks && BREAKS.has(codePoint)) return END
    this.#meter.spend(this.#work)
    let members = isWordCharacter(codePoint) ? '1' : '0'
    for (const set of this.#sets) members += set.has(codePoint) ? '1' : '0'
    const known = this.#kinds.get(members)
    if (known !== undefined) return known
    if (this.#members.length >= MAX_CHARACTER_KINDS) {
      fail(
        'limit_exceeded',
        'the pattern tells too many kinds of characters apart (MAX_CHARACTER_KINDS); use fewer classes',
      )
    }
    const kind = this.#members.push(members) - 1
    this.#kinds.set(members, kind)
    return kind
  }
}

const ONE = '1'.charCodeAt(0)
const WORK_PER_LOOK = 10
