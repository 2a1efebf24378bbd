import { terms, words } from '../retrieval/tokenize.ts'

export interface ShortForm {
  /** An index term: "llm". */
  readonly short: string
  /** Index terms with blanks between: "larg languag model". */
  readonly long: string
}

const MAX_SHORT_CHARS = 10
const PARENTHESES = /\(\s*([\p{L}\p{N}][\p{L}\p{N}./-]{1,11})\s*[);,]/gu
/** Characters before the parenthesis that are read, at most: as many words as the short form has letters, and some more. */
const BEFORE_CHARS = 160

/**
 * The abbreviations that a text explains by "long form (LF)".
 * After A. Schwartz and M. Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical text", 2003:
 * from the right, every letter of the short form must be found in the long one, and the first begins one of its words.
 */
export function shortForms(text: string): ShortForm[] {
  const found: ShortForm[] = []
  for (const match of text.matchAll(PARENTHESES)) {
    const written = match[1] ?? ''
    if (!looksShort(written)) continue
    const before = text.slice(Math.max(0, match.index - BEFORE_CHARS), match.index)
    const long = longForm(written, before)
    const short = terms(singular(written)).join('')
    const longTerms = long === null ? [] : terms(long)
    if (longTerms.length >= 2 && longTerms.length <= 8 && short !== '') found.push({ short, long: longTerms.join(' ') })
  }
  return found
}

/**
 * Whether text looks like an abbreviation, by two capital letters at least: "(LLMs)", "(mRNA)", but not "(see)" or
 * "(2019)".
 */
const looksShort = (written: string) =>
  written.length <= MAX_SHORT_CHARS && /\p{Lu}.*\p{Lu}/u.test(written) && !/[./]/.test(written)

const singular = (written: string) => written.replace(/(?<=\p{Lu})s$/u, '').replaceAll('-', '')

function longForm(written: string, before: string): string | null {
  const letters = [...singular(written).toLowerCase()].filter((letter) => /[\p{L}\p{N}]/u.test(letter))
  // So many words may explain the abbreviation; text before them belongs to the sentence.
  const near =
    before
      .split(/[.;:()[\]]/)
      .at(-1)
      ?.trimEnd() ?? ''
  const start = near
    .split(/\s+/)
    .slice(-Math.min(letters.length + 5, letters.length * 2))
    .join(' ')
  const lower = start.toLowerCase()
  if (lower.length !== start.length) return null
  let at = lower.length
  for (let n = letters.length - 1; n >= 0; n--) {
    const letter = letters[n] as string
    do at = lower.lastIndexOf(letter, at - 1)
    while (n === 0 && at > 0 && /[\p{L}\p{N}]/u.test(lower[at - 1] ?? ''))
    if (at < 0 || (at === 0 && n > 0)) return null
  }
  const long = start.slice(at)
  return words(long).length > 1 ? long : null
}
