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

/** Advice for a search that found nothing: whether its text was taken for what it is. */
export function whyNoLine({ search_text, regex }: Pick<Query, 'search_text' | 'regex'>): readonly string[] {
  if (regex) {
    return /[()[\]{}$^*+?]/.test(search_text)
      ? ['searched by a regular expression; regex=false searches for the text as it is written']
      : []
  }
  return MAY_BE_PATTERN.test(search_text) ? ['searched as plain text; regex=true searches by pattern'] : []
}

/** Signs of a regular expression that plain texts seldom have: `a.*b`, `a|b`, `[a-z]`, `\d`, `^a`, `a$`. */
const MAY_BE_PATTERN = /[.\])][*+?]|\w[*+](?![*+])|\w\|\w|\[[^\]]+\]|\\[bBdDsSwW.(]|^\^|\$$|\([^)]*\|/
