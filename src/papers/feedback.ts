import type { Bag, Measured } from './scoring.ts'
import { isCharacter, type TextStatistics } from './statistics.ts'

/** Number of the best texts used for feedback, and the share of all that they may be at most. */
const FEEDBACK_TEXTS = 20
const FEEDBACK_PART = 0.2
/** Terms that are taken from them. */
const FEEDBACK_TERMS = 40
/** Number of the best texts that the others are compared with. */
const COMPARED_TEXTS = 5

/** A text's terms by weight, and the length of them as a vector. */
interface Vector {
  readonly weights: ReadonlyMap<string, number>
  readonly length: number
}

export function vectorOf({ bag }: Measured, statistics: TextStatistics): Vector {
  const weights = new Map<string, number>()
  let squares = 0
  for (const [term, count] of bag) {
    if (isCharacter(term)) continue
    const weight = (count === 1 ? 1 : 1 + Math.log(count)) * statistics.weight(term)
    weights.set(term, weight)
    squares += weight * weight
  }
  return { weights, length: Math.sqrt(squares) || 1 }
}

/** Weighted sum of the texts of these numbers, each scaled to length 1 and weighted by its score. */
function sumOf(vectors: readonly Vector[], numbers: readonly number[], scores: readonly number[]): Map<string, number> {
  const sum = new Map<string, number>()
  for (const n of numbers) {
    const { weights, length } = vectors[n] as Vector
    const share = (scores[n] ?? 0) / length
    for (const [term, weight] of weights) sum.set(term, (sum.get(term) ?? 0) + weight * share)
  }
  return sum
}

/** Numbers of the texts that scored best, best first. */
const bestOf = (scores: readonly number[], count: number) =>
  scores
    .map((_, n) => n)
    .filter((n) => (scores[n] ?? 0) > 0)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, count)

/** Common terms of the best texts, weighted: Rocchio's method of repeating a search with more words. */
export function feedbackTerms(vectors: readonly Vector[], scores: readonly number[]): Bag {
  const best = bestOf(scores, Math.min(FEEDBACK_TEXTS, Math.ceil(scores.length * FEEDBACK_PART)))
  const sum = sumOf(vectors, best, scores)
  return new Map([...sum].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, FEEDBACK_TERMS))
}

/** Similarity of each text to the best of the others: texts that answer the same question resemble each other. */
export function nearnessToBest(vectors: readonly Vector[], scores: readonly number[]): number[] {
  const best = bestOf(scores, COMPARED_TEXTS)
  const together = sumOf(vectors, best, scores)
  const all = best.reduce((sum, n) => sum + (scores[n] ?? 0), 0)
  return vectors.map(({ weights, length }, n) => {
    // A vector's product with itself is 1: that part of the sum is not about the others.
    const own = best.includes(n) ? (scores[n] ?? 0) : 0
    let near = 0
    for (const [term, weight] of weights) near += weight * (together.get(term) ?? 0)
    return all === own ? 0 : (near / length - own) / (all - own)
  })
}
