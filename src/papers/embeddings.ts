import { Deadline } from '../core/deadline.ts'
import { JUDGED_TEXTS, MAX_JUDGED_QUERY_CHARS, SEMANTIC_PUT_MS, SEMANTIC_SEARCH_MS } from '../core/limits/papers.ts'
import type { EmbeddedText, NearestQuery, Semantics } from '../ports/semantics.ts'
import { PUBLIC } from './corpora.ts'

/** Embeddings: {@link Semantics} that never fails and never takes long. Where it has no answer, words decide. */
export interface Embeddings {
  put(owner: string, texts: readonly EmbeddedText[]): Promise<void>
  remove(ids: readonly string[]): Promise<void>
  /** Papers near a query; `null` when the service did not answer. */
  nearest(query: Omit<NearestQuery, 'corpora'>, reader: string, signal: AbortSignal): Promise<readonly string[] | null>
  /** Judgement of the first texts, as many as are judged; `null` when the service could not be reached. */
  judge(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[] | null>
}

export function embeddingsOf(semantics: Semantics): Embeddings {
  return {
    put: async (owner, texts) => {
      await orNull(SEMANTIC_PUT_MS, unending(), (signal) => semantics.put(corpusName(owner), texts, signal))
    },
    remove: async (ids) => {
      await orNull(SEMANTIC_PUT_MS, unending(), (signal) => semantics.remove(ids, signal))
    },
    nearest: (query, reader, signal) =>
      orNull(SEMANTIC_SEARCH_MS, signal, (limited) =>
        semantics.nearest({ ...query, corpora: [...new Set([PUBLIC, reader])].map(corpusName) }, limited),
      ),
    judge: (query, texts, signal) =>
      orNull(SEMANTIC_SEARCH_MS, signal, (limited) =>
        semantics.judge(query.slice(0, MAX_JUDGED_QUERY_CHARS), texts.slice(0, JUDGED_TEXTS), limited),
      ),
  }
}

/** No tenant's id has a "/". */
const corpusName = (owner: string) => (owner === PUBLIC ? 'public' : `tenant/${owner}`)

const unending = () => new AbortController().signal

/**
 * Result of the work; null after a failure or the time limit. The service may ignore its signal, so the limit does not
 * depend on it.
 */
async function orNull<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const deadline = new Deadline(ms, signal)
  try {
    return await deadline.race(work(deadline.signal))
  } catch {
    return null
  } finally {
    deadline.settle()
  }
}
