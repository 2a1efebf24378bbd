import { isCjk } from '../retrieval/tokenize.ts'
import { type Bag, type Measured, saturated } from './scoring.ts'
import type { TextStatistics } from './statistics.ts'

const WINDOW_TERMS = 20

/** Weight of a pair, by its first term, then by its second. */
type Pairs = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Pairs of neighbours in the query, each with the mean weight of its terms. Of Chinese, pairs are terms already. */
export function neighbours(terms: readonly string[], statistics: TextStatistics): Pairs {
  const pairs = new Map<string, Map<string, number>>()
  for (let n = 1; n < terms.length; n++) {
    const [first = '', second = ''] = [terms[n - 1], terms[n]]
    if (first === second || isCjk(first)) continue
    const seconds = pairs.get(first) ?? new Map<string, number>()
    pairs.set(first, seconds.set(second, (statistics.weight(first) + statistics.weight(second)) / 2))
  }
  return pairs
}

/** Score of the query's pairs that stand as pairs in the text. */
export function pairScore(pairs: Pairs, text: Measured, statistics: TextStatistics): number {
  const found = new Map<string, { weight: number; count: number }>()
  for (const part of [text.text.title, text.text.body]) {
    for (let n = 1; n < part.length; n++) {
      const seconds = pairs.get(part[n - 1] as string)
      const weight = seconds?.get(part[n] as string)
      if (weight === undefined) continue
      const pair = `${part[n - 1]} ${part[n]}`
      found.set(pair, { weight, count: (found.get(pair)?.count ?? 0) + 1 })
    }
  }
  let score = 0
  for (const { weight, count } of found.values()) score += weight * saturated(count, text, statistics)
  return score
}

/** The weight of the query's terms, each once, in the stretch of the text that has most of them. */
export function bestWindow(query: Bag, { text }: Measured, statistics: TextStatistics): number {
  const found: { at: number; term: string }[] = []
  let at = 0
  for (const part of [text.title, text.body]) {
    for (const term of part) {
      if (query.has(term)) found.push({ at, term })
      at++
    }
  }
  let best = 0
  for (let start = 0; start < found.length; start++) {
    const end = (found[start]?.at ?? 0) + WINDOW_TERMS
    const seen = new Set<string>()
    let sum = 0
    for (let n = start; n < found.length; n++) {
      const { at: here, term } = found[n] as { at: number; term: string }
      if (here >= end) break
      if (seen.has(term)) continue
      seen.add(term)
      sum += statistics.weight(term)
    }
    best = Math.max(best, sum)
  }
  return best
}
