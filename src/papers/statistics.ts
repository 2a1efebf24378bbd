import { isCjk } from '../retrieval/tokenize.ts'

/** A text in two parts, as index terms: a paper's title and abstract, or a part's headings and text. */
export interface RankedText {
  readonly title: readonly string[]
  readonly body: readonly string[]
}

/** Statistics of the texts that are searched. */
export interface TextStatistics {
  readonly texts: number
  /** Terms of both parts, on average. */
  readonly averageLength: number
  /** Number of these texts in which the term stands. */
  frequency(term: string): number
  /** Weight of the term: how well it distinguishes texts. */
  weight(term: string): number
}

/** A single character says less than a pair of them, which is a word most of the time. */
const CHARACTER_WEIGHT = 0.5

export const isCharacter = (term: string) => term.length <= 2 && isCjk(term) && [...term].length === 1

export function textStatistics(known: Omit<TextStatistics, 'weight'>): TextStatistics {
  const weights = new Map<string, number>()
  return {
    ...known,
    weight(term) {
      let weight = weights.get(term)
      if (weight === undefined) {
        const found = known.frequency(term)
        const rarity = Math.log(1 + Math.max(0, known.texts - found + 0.5) / (found + 0.5))
        weight = isCharacter(term) ? CHARACTER_WEIGHT * rarity : rarity
        weights.set(term, weight)
      }
      return weight
    },
  }
}

/** Statistics of a few texts at hand. */
export function statisticsOf(texts: readonly RankedText[]): TextStatistics {
  const counts = new Map<string, number>()
  let length = 0
  for (const { title, body } of texts) {
    length += title.length + body.length
    for (const term of new Set([...title, ...body])) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return textStatistics({
    texts: texts.length,
    averageLength: length / (texts.length || 1),
    frequency: (term) => counts.get(term) ?? 0,
  })
}
