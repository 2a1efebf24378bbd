import { MAX_PATTERN_NESTING, MAX_PATTERN_REPEATS } from '../../../core/limits/finding.ts'
import { complement, oneCharacter } from './character-set.ts'
import { characterClass, escapeOf, NEVER } from './classes.ts'
import { Cursor } from './cursor.ts'
import { type Assertion, all, any, EMPTY, type Node, repeat } from './node.ts'

/** Flags of a group: `i` other cases, `U` few repeats first. `m` and `s` change nothing within one line. */
interface Flags {
  readonly fold: boolean
  readonly swapGreed: boolean
}

const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ['b', 'word_boundary'],
  ['B', 'no_word_boundary'],
  ['A', 'start'],
  ['z', 'end'],
])

/**
 * Syntax tree of a regular expression in RE2's syntax. @see https://github.com/google/re2/wiki/Syntax
 * @param fold whether upper and lower case are the same
 * @throws FailureError `invalid_input`
 */
export function parsePattern(source: string, fold: boolean): Node {
  const parser = new Parser(new Cursor(source))
  return parser.whole({ fold, swapGreed: false })
}

class Parser {
  readonly #cursor: Cursor
  #flags: Flags = { fold: false, swapGreed: false }
  #depth = 0

  constructor(cursor: Cursor) {
    this.#cursor = cursor
  }

  whole(flags: Flags): Node {
    this.#flags = flags
    const node = this.#alternatives()
    if (!this.#cursor.atEnd) this.#refuse('there is a ")" without its "("; write \\) for the character')
    return node
  }

  #alternatives(): Node {
    const nodes = [this.#sequence()]
    while (this.#cursor.take('|')) nodes.push(this.#sequence())
    return any(nodes)
  }

  #sequence(): Node {
    const nodes: Node[] = []
    while (!this.#cursor.atEnd && !this.#cursor.sees('|') && !this.#cursor.sees(')')) {
      const text = this.#quoted()
      if (text) nodes.push(...text)
      else nodes.push(this.#repeated(this.#atom()))
    }
    return all(nodes)
  }

  /** Characters between `\Q` and `\E`; of these only the last can be repeated. */
  #quoted(): Node[] | null {
    if (!this.#cursor.take('\\Q')) return null
    const nodes: Node[] = []
    while (!this.#cursor.atEnd && !this.#cursor.take('\\E')) nodes.push(this.#literal(this.#cursor.next()))
    const last = nodes.pop()
    return last ? [...nodes, this.#repeated(last)] : [EMPTY]
  }

  #repeated(node: Node): Node {
    const bounds = this.#bounds()
    if (!bounds) return node
    const lazy = this.#cursor.take('?')
    if (this.#cursor.sees('+') || this.#cursor.sees('*') || this.#cursor.sees('?') || this.#bounds()) {
      this.#refuse('two repeats follow each other; put the first into a group, as in (?:a+)*')
    }
    return repeat(node, bounds.min, bounds.max, lazy === this.#flags.swapGreed)
  }

  #bounds(): { readonly min: number; readonly max: number | null } | null {
    if (this.#cursor.take('*')) return { min: 0, max: null }
    if (this.#cursor.take('+')) return { min: 1, max: null }
    if (this.#cursor.take('?')) return { min: 0, max: 1 }
    const counted = this.#cursor.match(/\{(\d{1,9})(,?)(\d{0,9})\}/y)
    if (!counted) return null
    const [, least = '', comma, most = ''] = counted
    if (comma === '' && most !== '') this.#refuse('a repeat is {3}, {3,} or {3,5}')
    const min = Number(least)
    const max = comma === '' ? min : most === '' ? null : Number(most)
    if (min > MAX_PATTERN_REPEATS || (max ?? 0) > MAX_PATTERN_REPEATS)
      this.#refuse(`a repeat has more than ${MAX_PATTERN_REPEATS} times (MAX_PATTERN_REPEATS)`)
    if (max !== null && max < min) this.#refuse(`a repeat is at least ${min} and at most ${max} times`)
    return { min, max }
  }

  #atom(): Node {
    const cursor = this.#cursor
    if (cursor.take('(')) return this.#group()
    if (cursor.take('[')) return { kind: 'set', set: characterClass(cursor, this.#flags.fold) }
    if (cursor.take('.')) return { kind: 'set', set: complement(NEVER) }
    if (cursor.take('^')) return { kind: 'assert', assertion: 'start' }
    if (cursor.take('$')) return { kind: 'assert', assertion: 'end' }
    if (cursor.sees('*') || cursor.sees('+') || cursor.sees('?'))
      this.#refuse(`nothing stands before the repeat "${cursor.next()}"; write \\ before it for the character`)
    if (cursor.take('\\')) return this.#escape()
    return this.#literal(cursor.next())
  }

  #escape(): Node {
    const cursor = this.#cursor
    const assertion = ASSERTIONS.get(cursor.peek())
    if (assertion) {
      cursor.next()
      return { kind: 'assert', assertion }
    }
    if (/[1-9k]/.test(cursor.peek()))
      this.#refuse('it refers back to a group; only patterns without back references are taken')
    return { kind: 'set', set: escapeOf(cursor, this.#flags.fold) }
  }

  #group(): Node {
    const cursor = this.#cursor
    const outer = this.#flags
    if (cursor.match(/\?<?[=!]/y))
      this.#refuse('it looks around, by (?=, (?!, (?<= or (?<!; search for less and choose among the lines')
    if (!cursor.match(/\?P?<[\p{L}\p{Nd}_]+>/uy) && cursor.take('?')) {
      const flags = cursor.match(/([imsU]*)(?:-([imsU]+))?([:)])/y)
      if (!flags) this.#refuse('a group begins with "(?" and is none of (?:…), (?i), (?i:…), (?P<name>…)')
      const [, on = '', off = '', end] = flags
      this.#flags = {
        fold: (outer.fold || on.includes('i')) && !off.includes('i'),
        swapGreed: (outer.swapGreed || on.includes('U')) && !off.includes('U'),
      }
      if (end === ')') return EMPTY
    }
    this.#depth += 1
    if (this.#depth > MAX_PATTERN_NESTING)
      this.#refuse(`more than ${MAX_PATTERN_NESTING} groups lie within each other (MAX_PATTERN_NESTING)`)
    const node = this.#alternatives()
    if (!cursor.take(')')) this.#refuse('a "(" has no ")"; write \\( for the character')
    this.#depth -= 1
    this.#flags = outer
    return node
  }

  #literal(character: string): Node {
    const codePoint = character.codePointAt(0) ?? 0
    if (codePoint === 0x0a) this.#refuse('it has a line break; matches lie within one line')
    return { kind: 'set', set: oneCharacter(codePoint, this.#flags.fold) }
  }

  #refuse(reason: string): never {
    return this.#cursor.refuse(reason)
  }
}
