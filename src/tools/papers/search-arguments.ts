import * as z from 'zod'
import { MAX_PAPER_CANDIDATES, MAX_PAPER_QUERY_CHARS } from '../../core/limits/papers.ts'
import { integer, optional, requiredText } from '../arguments.ts'

export const query = requiredText.describe(
  'Subject in plain words, English or Chinese, e.g. "transformer attention"; no operators. ' +
    `The first ${MAX_PAPER_QUERY_CHARS} characters count`,
)

export const fileId = z
  .preprocess((given) => (typeof given === 'string' ? given.trim() : given), requiredText)
  .describe(
    'The paper\'s file_id from rag_search_abstracts, e.g. "1706.03762v7". An arXiv id without its version is the newest one',
  )

const DEFAULT_K = 10

/** Arguments for the numbers of candidates and of results. */
export const limits = (what: 'papers' | 'chunks', presetM: number) => ({
  k: optional(integer).describe(
    `Number of candidate ${what} to rank, 1 to ${MAX_PAPER_CANDIDATES}. Default ${DEFAULT_K}. No more than k come back`,
  ),
  m: optional(integer).describe(
    `Number of ${what} to return, the best of the k, 1 to ${MAX_PAPER_CANDIDATES}. Default ${presetM}, or k when that is less`,
  ),
})

interface Limits {
  readonly k?: number | undefined
  readonly m?: number | undefined
}

/** Counts of a search, with a note where they are not what the caller may have meant. */
export interface Counts {
  readonly k: number
  readonly m: number
  /** Note for an answer with `m` results. */
  readonly note: string | null
}

/**
 * Counts within the limits. `k` alone bounds the results too; with both, a caller that asks for more results than candidates
 * gets as many candidates as results.
 */
export function counts({ k, m }: Limits, presetM: number): Counts {
  const candidates = k === undefined ? DEFAULT_K : within(k)
  if (m === undefined) {
    const results = Math.min(presetM, candidates)
    const isFewer = k !== undefined && results < candidates
    const note = isFewer
      ? `these are the best ${results} of up to ${candidates} candidates; m=${candidates} returns all`
      : null
    return { k: candidates, m: results, note }
  }
  const results = within(m)
  const isRaised = k !== undefined && candidates < results
  const note = isRaised ? `k was raised from ${candidates} to ${results}, the number of results that m asks for` : null
  return { k: Math.max(candidates, results), m: results, note }
}

const within = (count: number) => Math.min(Math.max(count, 1), MAX_PAPER_CANDIDATES)
