import { feedbackTerms, nearnessToBest, vectorOf } from './feedback.ts'
import { bestWindow, neighbours, pairScore } from './proximity.ts'
import { bagOf, bm25, likelihood, measured, titleCoverage } from './scoring.ts'
import type { RankedText, TextStatistics } from './statistics.ts'

/** Changes with all that changes an order or an answer's fields: answers remembered from before are then not served. */
export const RANKING_VERSION = 4

/** Weight of each part, when all are scaled such that the best candidate has 1; BM25 itself is 1. Measured: docs/papers.md. */
export const RANK_WEIGHTS = {
  likelihood: 0.2,
  titleCoverage: 0.2,
  pairs: 0.06,
  window: 0.1,
  feedback: 0.4,
  nearness: 0.15,
}

export type RankWeights = Readonly<typeof RANK_WEIGHTS>

/** Terms of a query. */
export interface Question {
  /** Terms in their order, as often as they stand in the query. */
  readonly terms: readonly string[]
  /** Further terms of the query, with their weights beside a term of its own. */
  readonly more: ReadonlyMap<string, number>
}

export interface Ranked {
  /** BM25 of the whole text: the first stage. */
  readonly first: number
  /** The second stage. */
  readonly second: number
}

/** Scores how well each candidate answers the query, against the others. */
export function rank(
  { terms, more }: Question,
  texts: readonly RankedText[],
  statistics: TextStatistics,
  weights: RankWeights = RANK_WEIGHTS,
): Ranked[] {
  const termWeights = new Map([...more, ...bagOf(terms)])
  const candidates = texts.map(measured)
  const first = candidates.map((text) => bm25(termWeights, text, statistics))
  const vectors = candidates.map((text) => vectorOf(text, statistics))
  const feedback = feedbackTerms(vectors, first)
  const pairs = neighbours(terms, statistics)
  const parts: [weight: number, scores: number[]][] = [
    [1, first],
    [weights.likelihood, aboveLeast(candidates.map((text) => likelihood(termWeights, text, statistics)))],
    [weights.titleCoverage, candidates.map((text) => titleCoverage(termWeights, text, statistics))],
    [weights.pairs, candidates.map((text) => pairScore(pairs, text, statistics))],
    [weights.window, candidates.map((text) => bestWindow(termWeights, text, statistics))],
    [weights.feedback, candidates.map((text) => bm25(feedback, text, statistics))],
    [weights.nearness, nearnessToBest(vectors, first)],
  ]
  const scaled = parts.map(([weight, scores]) => {
    const best = Math.max(...scores)
    return scores.map((score) => (best > 0 ? (weight * score) / best : 0))
  })
  return first.map((score, n) => ({ first: score, second: scaled.reduce((sum, scores) => sum + (scores[n] ?? 0), 0) }))
}

const aboveLeast = (scores: readonly number[]) => {
  const least = Math.min(...scores)
  return scores.map((score) => score - least)
}
