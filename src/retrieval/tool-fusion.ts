import { SEMANTICS_PATIENCE_MS } from '../core/limits/tool-search.ts'
import type { FoundTool, ToolIndex, ToolSearchOptions } from './tool-index.ts'

/** Ids of the tools nearest to a question in meaning, nearest first: from an external service that may be absent or fail. */
export type NearestTools = (question: string, limit: number, signal: AbortSignal) => Promise<readonly string[]>

/** Candidates by words and by meaning, before they are joined. */
const CANDIDATES = 50
/** Weight of the nearest in meaning beside the best by words, whose score is 1.6 and more. */
const EMBEDDING_WEIGHT = 0.6

/**
 * Searches by words and, where there is such a service, by meaning too. Its absence, failure or slowness costs only its results.
 * @param missed gets the reason when there was no answer by meaning
 */
export async function findTools(
  index: ToolIndex,
  question: string,
  { limit = 10, permitted }: ToolSearchOptions,
  nearest: NearestTools | null,
  missed: (thrown: unknown) => void,
): Promise<FoundTool[]> {
  const near = nearest === null ? [] : inTime(nearest, question, missed)
  const byWords = index.search(question, {
    limit: Math.max(limit, nearest ? CANDIDATES : 0),
    ...(permitted && { permitted }),
  })
  const byEmbedding = (await near).filter((id) => index.has(id) && (permitted?.(id) ?? true))
  return byEmbedding.length > 0 ? fuse(byWords, byEmbedding, limit) : byWords.slice(0, limit)
}

/** Result of the service within its time, whatever it does with the signal. */
async function inTime(
  nearest: NearestTools,
  question: string,
  missed: (thrown: unknown) => void,
): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(SEMANTICS_PATIENCE_MS)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    return await Promise.race([nearest(question, CANDIDATES, signal), late])
  } catch (thrown) {
    missed(thrown)
    return []
  }
}

/** Adds a tool's rank by meaning, from 1 for the nearest down to 0, to its score by words. */
function fuse(byWords: readonly FoundTool[], byEmbedding: readonly string[], limit: number): FoundTool[] {
  const scores = new Map(byWords.map(({ id, score }) => [id, score]))
  for (const [n, id] of byEmbedding.entries()) {
    scores.set(id, (scores.get(id) ?? 0) + EMBEDDING_WEIGHT * (1 - n / byEmbedding.length))
  }
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
}
