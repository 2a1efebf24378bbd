import { MAX_CACHED_ANSWER_CHARS, MAX_CACHED_ANSWERS, PAPER_CACHE_MS } from '../core/limits/papers.ts'
import type { Clock } from '../ports/clock.ts'
import { type Database, sql } from '../ports/database.ts'
import type { PapersAnswer } from '../ports/papers.ts'
import { type Corpus, EPOCHS, epochsOf } from './corpora.ts'

/** Cache of the answers to one reader's searches, valid until one of its corpora changes. Its own failures are not reported. */
export interface Answers {
  /** Finds an answer, by one statement. */
  find(question: string): Promise<PapersAnswer | null>
  /** Caches an answer. @param corpora as they were read before the answer was made: a change in between makes it stale at once */
  keep(question: string, answer: PapersAnswer, corpora: readonly Corpus[]): Promise<void>
  stats(): Promise<{ size: number; hits: number; misses: number }>
  clear(): Promise<{ cleared: number }>
}

export function answers(db: Database, reader: string, clock: Clock): Answers {
  const oldest = () => clock.now() - PAPER_CACHE_MS
  return {
    async find(question) {
      try {
        const [row] = await db.rows<{ answer: string }>(
          sql(
            `UPDATE paper_answers SET hits = hits + 1
             WHERE reader = ?1 AND question = ?2 AND made_at > ?3 AND epochs = ${EPOCHS} RETURNING answer`,
            reader,
            question,
            oldest(),
          ),
        )
        return row ? JSON.parse(row.answer) : null
      } catch {
        return null
      }
    },

    async keep(question, answer, corpora) {
      const text = JSON.stringify(answer)
      const epochs = epochsOf(corpora)
      // The reader's stale answers and its oldest, the answer to the same question, and too old answers of any reader.
      const gone = `(made_at <= ?4 OR reader = ?1 AND (question = ?2 OR epochs <> ?3
        OR (made_at, question) <= (SELECT made_at, question FROM paper_answers WHERE reader = ?1
          ORDER BY made_at DESC, question DESC LIMIT 1 OFFSET ${MAX_CACHED_ANSWERS - 1})))`
      const params = [reader, question, epochs, oldest()] as const
      const fits = text.length <= MAX_CACHED_ANSWER_CHARS
      await db
        .batch([
          sql(
            `INSERT INTO paper_readers (reader, hits) SELECT reader, sum(hits) FROM paper_answers WHERE ${gone}
             GROUP BY reader ON CONFLICT DO UPDATE SET hits = hits + excluded.hits`,
            ...params,
          ),
          sql(`DELETE FROM paper_answers WHERE ${gone}`, ...params),
          sql(
            `INSERT INTO paper_readers (reader, misses) VALUES (?, 1)
             ON CONFLICT DO UPDATE SET misses = misses + 1`,
            reader,
          ),
          ...(fits
            ? [
                sql(
                  'INSERT INTO paper_answers (reader, question, epochs, answer, made_at) VALUES (?, ?, ?, ?, ?)',
                  ...[reader, question, epochs, text, clock.now()],
                ),
              ]
            : []),
        ])
        .catch(() => {})
    },

    async stats() {
      const [row] = await db.rows<{ size: number; hits: number; misses: number }>(
        sql(
          `SELECT
             (SELECT count(*) FROM paper_answers WHERE reader = ?1 AND made_at > ?2 AND epochs = ${EPOCHS}) AS size,
             (SELECT coalesce(sum(hits), 0) FROM paper_answers WHERE reader = ?1)
               + coalesce((SELECT hits FROM paper_readers WHERE reader = ?1), 0) AS hits,
             coalesce((SELECT misses FROM paper_readers WHERE reader = ?1), 0) AS misses`,
          reader,
          oldest(),
        ),
      )
      return row ?? { size: 0, hits: 0, misses: 0 }
    },

    async clear() {
      const [, removed = []] = await db.batch([
        sql(
          `INSERT INTO paper_readers (reader, hits) SELECT reader, sum(hits) FROM paper_answers WHERE reader = ?
           GROUP BY reader ON CONFLICT DO UPDATE SET hits = hits + excluded.hits`,
          reader,
        ),
        sql('DELETE FROM paper_answers WHERE reader = ? RETURNING 1 AS removed', reader),
      ])
      return { cleared: removed.length }
    },
  }
}
