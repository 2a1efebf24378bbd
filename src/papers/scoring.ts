import type { RankedText, TextStatistics } from './statistics.ts'

/** Constants of BM25: docs/papers.md has measurements of other values. */
const K1 = 1.2
const B = 0.75
/** Smoothing of the language model: as many mean lengths of the collection are added to each text. */
const SMOOTHING = 8

/** A query or a text as a bag: each term with how often it stands there. */
export type Bag = ReadonlyMap<string, number>

export function bagOf(terms: Iterable<string>): Bag {
  const bag = new Map<string, number>()
  for (const term of terms) bag.set(term, (bag.get(term) ?? 0) + 1)
  return bag
}

/** A text with what every score of it needs. */
export interface Measured {
  readonly text: RankedText
  readonly bag: Bag
  readonly length: number
}

export function measured(text: RankedText): Measured {
  const all = [...text.title, ...text.body]
  return { text, bag: bagOf(all), length: all.length }
}

/** BM25's term frequency: more of the same term counts ever less, and less in a long text. */
export const saturated = (count: number, { length }: Measured, { averageLength }: TextStatistics) =>
  (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / (averageLength || 1)))

/** BM25 of title and body as one text, for terms with weights: those of a query count as often as they stand in it. */
export function bm25(weights: Bag, text: Measured, statistics: TextStatistics): number {
  let score = 0
  for (const [term, weight] of weights) {
    const count = text.bag.get(term)
    if (count !== undefined) score += weight * statistics.weight(term) * saturated(count, text, statistics)
  }
  return score
}

/** The query's likelihood under the text's language model with Dirichlet's smoothing; kinder to long texts than BM25. */
export function likelihood(query: Bag, { bag, length }: Measured, statistics: TextStatistics): number {
  const collection = statistics.texts * statistics.averageLength || 1
  const added = SMOOTHING * statistics.averageLength || 1
  let score = query.size * Math.log(added / (length + added))
  for (const [term, weight] of query) {
    // The collection's counts are not kept; a term stands 1.3 times in an abstract that has it.
    const share = (statistics.frequency(term) * 1.3 + 0.5) / collection
    score += Math.min(1, weight) * Math.log(1 + (bag.get(term) ?? 0) / (added * share))
  }
  return score
}

/** Weighted part of the title that is in the query. */
export function titleCoverage(query: Bag, { text }: Measured, statistics: TextStatistics): number {
  let found = 0
  let all = 0
  for (const term of new Set(text.title)) {
    const weight = statistics.weight(term)
    all += weight
    if (query.has(term)) found += weight
  }
  return all === 0 ? 0 : found / all
}
