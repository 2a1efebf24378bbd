import type { TenantId } from '../core/ids.ts'
import { PURGED_PAPERS_PER_BATCH, PURGED_TERMS_PER_BATCH } from '../core/limits/deletion.ts'
import { type Database, type Statement, sql } from '../ports/database.ts'
import type { Semantics } from '../ports/semantics.ts'
import type { TenantRows } from '../ports/tenant-removal.ts'
import { removals } from './paper-store.ts'
import { numbersWithoutPaper } from './vector-numbers.ts'

interface Parts {
  readonly db: Database
  /** A tenant, or {@link PUBLIC}. */
  readonly owner: string
  readonly semantics: Semantics | null
  /** Database whose papers have the vectors that papers of both have by their numbers; null where there is no other. */
  readonly searched?: Database | null
}

interface OwnedParts extends Pick<Parts, 'semantics'> {
  readonly owner: TenantId
  /** Database that papers are searched in. */
  readonly db: Database
  /** Database with papers that were not moved from it yet; null where there is none. */
  readonly earlier: Database | null
}

/** The papers of a tenant with all that finds them, to be removed with the tenant. */
export function ownedPapers({ db, earlier, ...parts }: OwnedParts): TenantRows {
  const all = [corpusRows({ ...parts, db })]
  if (earlier) all.push(corpusRows({ ...parts, db: earlier, searched: db }))
  return {
    async count() {
      const counts = await Promise.all(all.map((rows) => rows.count()))
      return counts.reduce((sum, count) => sum + count, 0)
    },
    async removeSome() {
      for (const rows of all) if (await rows.removeSome()) return true
      return false
    },
  }
}

/** The papers of one owner with all that finds them: removed by batches, and not paper by paper. */
export function corpusRows({ db, owner, semantics, searched = null }: Parts): TenantRows {
  const numbersOf = (corpus: number) =>
    db.rows<{ no: number }>(sql(`SELECT no FROM papers WHERE corpus = ? LIMIT ${PURGED_PAPERS_PER_BATCH}`, corpus))

  return {
    async count() {
      const [row] = await db.rows<{ papers: number }>(sql('SELECT papers FROM paper_corpora WHERE owner = ?', owner))
      return row?.papers ?? 0
    },

    async removeSome() {
      const [corpus] = await db.rows<{ no: number }>(sql('SELECT no FROM paper_corpora WHERE owner = ?', owner))
      if (!corpus) {
        await db.batch(answersTo(owner))
        return false
      }
      const numbers = (await numbersOf(corpus.no)).map(({ no }) => no)
      if (numbers.length > 0) {
        // Vectors first: their ids are nowhere else.
        const own = semantics && searched ? await numbersWithoutPaper(searched, numbers) : numbers
        await semantics?.remove(own.map(String), new AbortController().signal)
        const list = JSON.stringify(numbers)
        await db.batch([
          ...removals(numbers),
          sql('DELETE FROM papers WHERE no IN (SELECT value FROM json_each(?))', list),
        ])
        return true
      }
      const [, , left] = await db.batch([
        sql(
          `DELETE FROM paper_terms WHERE corpus = ?1 AND term IN (
             SELECT term FROM paper_terms WHERE corpus = ?1 LIMIT ${PURGED_TERMS_PER_BATCH})`,
          corpus.no,
        ),
        sql(
          `DELETE FROM paper_short_forms WHERE corpus = ?1 AND (short, long) IN (
             SELECT short, long FROM paper_short_forms WHERE corpus = ?1 LIMIT ${PURGED_TERMS_PER_BATCH})`,
          corpus.no,
        ),
        sql(
          `SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM paper_terms WHERE corpus = ?1)
             OR EXISTS (SELECT 1 FROM paper_short_forms WHERE corpus = ?1)`,
          corpus.no,
        ),
      ])
      if (left?.length === 0) await db.rows(sql('DELETE FROM paper_corpora WHERE no = ?', corpus.no))
      return true
    },
  }
}

/** Statements that remove answers to a reader's searches. */
const answersTo = (reader: string): Statement[] => [
  sql('DELETE FROM paper_answers WHERE reader = ?', reader),
  sql('DELETE FROM paper_readers WHERE reader = ?', reader),
]
