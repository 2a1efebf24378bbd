import { Alphabet } from './alphabet.ts'
import { Automaton } from './automaton.ts'
import { type Literals, requiredLiterals } from './literals.ts'
import type { Node } from './node.ts'
import { compileProgram, SetNumbers } from './program.ts'
import type { WorkMeter } from './work-meter.ts'

/** A pattern made ready: linear in the text, whatever the pattern. */
export interface LinePattern {
  readonly alphabet: Alphabet
  /** Finds whether a line has a match. */
  readonly search: Automaton
  /** Reads a line backwards, and is at a match where one begins. */
  readonly starts: Automaton
  /** Finds where a match that begins here ends. */
  readonly ends: Automaton
  readonly literals: Literals | null
  readonly meter: WorkMeter
}

/** Compiles a pattern for lines. @throws FailureError `limit_exceeded` for one that is too large */
export function compileLinePattern(node: Node, meter: WorkMeter): LinePattern {
  const sets = new SetNumbers()
  const forwards = compileProgram(node, sets, false)
  const backwards = compileProgram(node, sets, true)
  const alphabet = new Alphabet(sets.sets, true, meter)
  const parts = { alphabet, meter }
  return {
    alphabet,
    search: new Automaton({ ...parts, program: forwards, anchored: false }),
    starts: new Automaton({ ...parts, program: backwards, anchored: false }),
    ends: new Automaton({ ...parts, program: forwards, anchored: true }),
    literals: requiredLiterals(node),
    meter,
  }
}
