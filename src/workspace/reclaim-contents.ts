import { MAX_NAMED_MISSING_FILES, RECLAIMED_AT_ONCE } from '../core/limits/recovery.ts'
import type { BlobStore } from '../ports/blobs.ts'
import type { Sql } from '../ports/sql.ts'

/** Contents of a workspace whose tables were set back to an earlier state, a page of them. */
export interface Reclaimed {
  /** Number of contents that the store has. */
  readonly held: number
  /** Number of contents that are lost: they were deleted since. */
  readonly missing: number
  /** Paths of present files whose contents are lost, sorted, MAX_NAMED_MISSING_FILES at most. */
  readonly missingFiles: readonly string[]
  /** Hash behind which the next page begins; null behind the last one. */
  readonly next: string | null
}

/**
 * Refers to contents again that the store is to have, from behind a hash, and notes which it has not: one that is in SQLite is sent anew
 * later, and another is sent again when somebody writes it. May be interrupted and repeated. No content is released meanwhile.
 */
export async function reclaimContents(sql: Sql, blobs: BlobStore, after: string): Promise<Reclaimed> {
  const hashes = sql.all<{ hash: string }>(SENT, after).map(({ hash }) => hash)
  const gone = hashes.length > 0 ? await blobs.reclaim(hashes) : []
  const areGone = new Set(gone)
  const lost = sql.transaction(() => {
    sql.run(MARK_HELD, JSON.stringify(hashes.filter((hash) => !areGone.has(hash))))
    sql.run(SEND_AGAIN, JSON.stringify(gone))
    return sql.all<{ hash: string }>(MARK_LOST, JSON.stringify(gone)).map(({ hash }) => hash)
  })
  const files = lost.length > 0 ? sql.all<{ path: string }>(FILES_OF, JSON.stringify(lost)) : []
  return {
    held: hashes.length - gone.length,
    missing: lost.length,
    missingFiles: files.map(({ path }) => path),
    next: hashes.length < RECLAIMED_AT_ONCE ? null : (hashes.at(-1) ?? null),
  }
}

const SENT = `SELECT hash FROM workspace_blobs WHERE remote <> 'no' AND hash > ? ORDER BY hash LIMIT ${RECLAIMED_AT_ONCE}`
const MARK_HELD = "UPDATE workspace_blobs SET remote = 'yes' WHERE hash IN (SELECT value FROM json_each(?))"
const SEND_AGAIN = `UPDATE workspace_blobs SET remote = 'maybe'
  WHERE local IS NOT NULL AND hash IN (SELECT value FROM json_each(?))`
const MARK_LOST = `UPDATE workspace_blobs SET remote = 'maybe'
  WHERE local IS NULL AND hash IN (SELECT value FROM json_each(?)) RETURNING hash`
const FILES_OF = `SELECT path FROM workspace_entries WHERE hash IN (SELECT value FROM json_each(?))
  ORDER BY path LIMIT ${MAX_NAMED_MISSING_FILES}`
