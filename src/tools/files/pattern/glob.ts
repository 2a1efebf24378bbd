import { fail } from '../../../core/failure.ts'
import {
  MAX_GLOB_CELLS,
  MAX_GLOB_CHARS,
  MAX_GLOB_KIND_PAGES,
  MAX_PATTERN_NESTING,
} from '../../../core/limits/finding.ts'
import { SANDBOX_ROOT } from '../../../core/workspace-path.ts'
import { Alphabet, END } from './alphabet.ts'
import { Automaton, DEAD } from './automaton.ts'
import { type CharacterSet, characterRange, complement, oneCharacter, union } from './character-set.ts'
import { NEVER } from './classes.ts'
import { Cursor } from './cursor.ts'
import { all, any, EMPTY, type Node, repeat } from './node.ts'
import { compileProgram, SetNumbers } from './program.ts'
import type { WorkMeter } from './work-meter.ts'

/** A glob relative to the task root, as callers write it: `./src/*`, `/src/*`, or with the root's place in the sandbox. */
export function relativeGlob(given: string): string {
  const below = given.startsWith(`${SANDBOX_ROOT}/`) ? given.slice(SANDBOX_ROOT.length) : given
  return below.replace(/^\.?\/+/, '')
}

/** Steps of a character of a path: paths are short, and each is tried by another glob. */
const STEPS_PER_CHARACTER = 3
const SLASH = oneCharacter('/'.charCodeAt(0), false)
const IN_NAME: Node = { kind: 'set', set: complement(SLASH) }
const ANYTHING: Node = repeat({ kind: 'set', set: complement(NEVER) })
const A_SLASH: Node = { kind: 'set', set: SLASH }

/**
 * A glob as a matcher of whole paths, linear in the path whatever the glob: `*` and `?` stay within a name, `**` as a whole name crosses
 * directories, `[a-z]` `[!a]` are one character, `{a,b}` alternatives, `\` takes the next character as it is.
 * @throws FailureError `invalid_input` for one that is not closed or too long
 */
export function compileGlob(glob: string, meter: WorkMeter): (path: string) => boolean {
  if (glob.length > MAX_GLOB_CHARS)
    fail('invalid_input', `the pattern has more than ${MAX_GLOB_CHARS} characters (MAX_GLOB_CHARS); shorten it`)
  const cursor = new Cursor(glob)
  const nodes = all([sequence(cursor, 0), { kind: 'assert', assertion: 'end' }])
  const sets = new SetNumbers()
  const program = compileProgram(nodes, sets, false)
  const alphabet = new Alphabet(sets.sets, false, meter, MAX_GLOB_KIND_PAGES)
  const automaton = new Automaton({ program, alphabet, meter, anchored: true, maxCells: MAX_GLOB_CELLS })
  const { ascii } = alphabet
  return (path) => {
    let state = automaton.start()
    let at = 0
    while (at < path.length && state !== DEAD) {
      const unit = path.charCodeAt(at)
      const codePoint = unit < 0xd800 || unit > 0xdbff ? unit : (path.codePointAt(at) ?? unit)
      const kind = unit < 128 ? (ascii[unit] ?? END) : alphabet.kindOf(codePoint)
      state = automaton.step(state, kind) >> 1
      at += codePoint > 0xffff ? 2 : 1
    }
    meter.spend(at * STEPS_PER_CHARACTER)
    return (automaton.step(state, END) & 1) === 1
  }
}

function sequence(cursor: Cursor, depth: number): Node {
  if (depth > MAX_PATTERN_NESTING) cursor.refuse(`more than ${MAX_PATTERN_NESTING} braces lie within each other`)
  const nodes: Node[] = []
  let atName = true
  while (!cursor.atEnd && !(depth > 0 && (cursor.sees(',') || cursor.sees('}')))) {
    const begins = atName
    atName = cursor.sees('/')
    if (begins && cursor.match(/(?:\*\*\/)+/y)) {
      nodes.push(repeat(all([ANYTHING, A_SLASH]), 0, 1))
      atName = true
    } else if (cursor.match(/\*\*+$/y)) nodes.push(begins ? ANYTHING : repeat(IN_NAME))
    else if (cursor.match(/\*+/y)) nodes.push(repeat(IN_NAME))
    else if (cursor.take('?')) nodes.push(IN_NAME)
    else if (cursor.take('{')) nodes.push(alternatives(cursor, depth + 1))
    else if (cursor.take('[')) nodes.push({ kind: 'set', set: oneOf(cursor) })
    else nodes.push({ kind: 'set', set: literal(cursor) })
  }
  return all(nodes)
}

function alternatives(cursor: Cursor, depth: number): Node {
  const nodes = [sequence(cursor, depth)]
  while (cursor.take(',')) nodes.push(sequence(cursor, depth))
  if (!cursor.take('}')) cursor.refuse('a "{" has no "}"; write \\{ for the character')
  return nodes.length > 0 ? any(nodes) : EMPTY
}

/** Set behind `[`. A `]` that comes first is a character of it. */
function oneOf(cursor: Cursor): CharacterSet {
  const negated = cursor.take('!') || cursor.take('^')
  const sets: CharacterSet[] = []
  for (let first = true; first || !cursor.sees(']'); first = false) {
    if (cursor.atEnd) cursor.refuse('a "[" has no "]"; write \\[ for the character')
    const from = literal(cursor)
    const range = cursor.match(/-([^\]\\])/uy)
    const last = range?.[1]?.codePointAt(0)
    sets.push(last === undefined ? from : characterRange(from.literal?.codePointAt(0) ?? 0, last, false))
  }
  cursor.take(']')
  const set = union(sets)
  const inName = complement(negated ? union([set, SLASH]) : complement(set))
  return inName
}

function literal(cursor: Cursor): CharacterSet {
  cursor.take('\\')
  if (cursor.atEnd) cursor.refuse('it ends with a backslash; write \\\\ for the character')
  return oneCharacter(cursor.next().codePointAt(0) ?? 0, false)
}
