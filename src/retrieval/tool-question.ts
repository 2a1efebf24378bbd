import { TOOL_DICTIONARY } from './bilingual-dictionary.ts'
import { isCjk, queryTerms, terms } from './tokenize.ts'
import { grams, longWords, readable } from './tool-terms.ts'
import type { ToolWeights } from './tool-weights.ts'

/** Length of a question, in characters: a longer text is a document, and its beginning says what is wanted. */
const MAX_QUESTION_CHARS = 2_000
const MAX_CLAUSES = 16

/** Ends of clauses: ends of sentences, and `and`, `then` and the like; each clause may ask for another tool. */
const CLAUSE_ENDS =
  /(?<=[.?!;])\s+|[,;]\s+(?=(?:and|then|also|as well as)\s)|\s(?:and then|and also|as well as|additionally|furthermore|moreover|and|then|also)\s/i
/** Ends of Chinese clauses. A comma is none: it joins what belongs together. */
const CHINESE_CLAUSE_ENDS = /[。；！？]|然后|接着|同时|另外|此外|并且|之后|以及|最后|还需要|还要|再/
/** Terms of a clause that is searched by itself: a shorter one says too little; four Chinese characters are about seven terms. */
const MIN_CLAUSE_TERMS = 2
const MIN_CHINESE_CLAUSE_TERMS = 6
const QUOTED = /"[^"]+"|“[^“”]+”|「[^「」]+」|《[^《》]+》|(?<![\p{L}\p{N}])'[^']+'(?![\p{L}\p{N}])/gu

/** Weight of each term. */
export type WeighedTerms = ReadonlyMap<string, number>

export interface QueryTerms {
  readonly terms: WeighedTerms
  /** English terms that each Chinese word may mean; each term stands once and is not in `terms`. */
  readonly translations: readonly (readonly string[])[]
}

export interface ToolQuestion {
  readonly whole: QueryTerms
  /** Clauses of the question: two or more, or none. */
  readonly clauses: readonly QueryTerms[]
  /** Terms in their order, without translations. */
  readonly sequence: readonly string[]
  readonly grams: ReadonlySet<string>
}

export function readQuestion(question: string, weights: ToolWeights): ToolQuestion {
  const text = readable(question.slice(0, MAX_QUESTION_CHARS)).replace(/\s+/g, ' ')
  const sequence = queryTerms(text)
  const quotations = text.match(QUOTED) ?? []
  const rest = quotations.length > 0 ? text.replace(QUOTED, ' ') : text
  const unquoted = terms(rest).length > 0 ? rest : text
  const whole = new Map(quotations.flatMap(terms).map((term) => [term, weights.quoted]))
  for (const term of queryTerms(unquoted)) whole.set(term, 1)
  for (const edge of TOOL_DICTIONARY.edges(unquoted)) {
    const pair = unquoted.slice(edge - 1, edge + 1)
    if (whole.has(pair)) whole.set(pair, weights.acrossWords)
  }
  return {
    whole: { terms: whole, translations: translatedTerms(unquoted, whole) },
    clauses: clauses(unquoted, whole),
    sequence,
    grams: grams(longWords(text)),
  }
}

function clauses(text: string, whole: WeighedTerms): QueryTerms[] {
  const sequence = terms(text)
  const isChinese = sequence.filter(isCjk).length > sequence.length / 2
  const found = text
    .split(isChinese ? CHINESE_CLAUSE_ENDS : CLAUSE_ENDS, MAX_CLAUSES)
    .map((clause) => ({ clause, terms: new Map(terms(clause).map((term) => [term, whole.get(term) ?? 1])) }))
    .filter(({ terms }) => terms.size >= (isChinese ? MIN_CHINESE_CLAUSE_TERMS : MIN_CLAUSE_TERMS))
    .map(({ clause, terms }) => ({ terms, translations: translatedTerms(clause, terms) }))
  return found.length >= 2 ? found : []
}

function translatedTerms(text: string, own: WeighedTerms): string[][] {
  const seen = new Set(own.keys())
  return TOOL_DICTIONARY.translations(text)
    .map((english) =>
      terms(english.join(' ')).filter((term) => {
        const isNew = !seen.has(term)
        seen.add(term)
        return isNew
      }),
    )
    .filter((found) => found.length > 0)
}
