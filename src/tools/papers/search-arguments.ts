import { z } from 'zod'
import { MAX_PAPER_CANDIDATES } from '../../core/limits/papers.ts'
import { integer, requiredText, withDefault } from '../arguments.ts'

export const query = requiredText.describe('What to look for, in words of any language, e.g. "transformer attention"')

export const fileId = z
  .preprocess((given) => (typeof given === 'string' ? given.trim() : given), requiredText)
  .describe('The paper\'s file_id, as rag_search_abstracts gives it, e.g. "1706.03762v7"')

export const k = withDefault(integer, 10).describe(
  `How many candidates the first stage finds, up to ${MAX_PAPER_CANDIDATES}. Default 10`,
)

export const m = (preset: number) =>
  withDefault(integer, preset).describe(`How many are left after reranking. Default ${preset}`)

/** Counts within the limits: a caller that wants more left than found gets as many found. */
export function counts(given: { readonly k: number; readonly m: number }): { readonly k: number; readonly m: number } {
  const left = within(given.m)
  return { k: Math.max(within(given.k), left), m: left }
}

const within = (count: number) => Math.min(Math.max(count, 1), MAX_PAPER_CANDIDATES)
