import { oneCharacter } from '../pattern/character-set.ts'
import { all, type Node } from '../pattern/node.ts'
import { parsePattern } from '../pattern/parse.ts'
import { compileLinePattern, type LinePattern } from '../pattern/pattern.ts'
import type { WorkMeter } from '../pattern/work-meter.ts'

/** Request of a search. */
export interface Query {
  readonly search_text: string
  readonly case_sensitive: boolean
  readonly regex: boolean
}

/** Compiles what a search looks for. @throws FailureError for a regular expression that is none, or too large */
export function compileQuery({ search_text, case_sensitive, regex }: Query, meter: WorkMeter): LinePattern {
  const node = regex ? parsePattern(search_text, !case_sensitive) : plain(search_text, !case_sensitive)
  return compileLinePattern(node, meter)
}

const plain = (text: string, fold: boolean): Node =>
  all(Array.from(text, (character) => ({ kind: 'set', set: oneCharacter(character.codePointAt(0) ?? 0, fold) })))
