import { fail } from '../core/failure.ts'
import { MAX_FORKED_DATABASE_BYTES } from '../core/limits/snapshots.ts'
import { BLOB_GRACE_MS, DELETE_BATCH_BLOBS } from '../core/limits/workspace.ts'
import type { ServedGroup } from '../core/served.ts'
import type { BlobLedger } from '../ports/blob-ledger.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import { ReferencePools } from './reference-pools.ts'

/** Deletes stored contents for good. Deleting a missing one is no error. */
export interface BlobDeleter {
  delete(hashes: readonly string[]): Promise<void>
}

interface Parts {
  readonly sql: Sql
  readonly deleter: BlobDeleter
  readonly clock: Clock
  /** Size of the database, without its free pages. */
  readonly databaseBytes: () => number
  /** Schedules {@link BlobReferences.sweep} for then, unless an earlier time is scheduled. */
  readonly wakeAt: (time: number) => Promise<void>
  /** Time that a blob without a reference is kept, in milliseconds; {@link BLOB_GRACE_MS} if not given. */
  readonly blobGraceMs?: number
}

/** Rows that one transaction touches, which takes a few milliseconds. */
const BATCH_ROWS = 5_000

/**
 * References of sessions to a tenant's blobs, and the deletion of blobs without one. A blob under deletion cannot be retained
 * before the store has answered: a put could overtake the delete and be lost.
 */
export class BlobReferences implements ServedGroup<BlobLedger> {
  readonly #sql: Sql
  readonly #deleter: BlobDeleter
  readonly #clock: Clock
  readonly #databaseBytes: Parts['databaseBytes']
  readonly #wakeAt: Parts['wakeAt']
  readonly #graceMs: number
  readonly #pools: ReferencePools
  #deleting: Promise<void> | null = null

  constructor({ sql, deleter, clock, databaseBytes, wakeAt, blobGraceMs = BLOB_GRACE_MS }: Parts) {
    this.#sql = sql
    this.#deleter = deleter
    this.#clock = clock
    this.#databaseBytes = databaseBytes
    this.#wakeAt = wakeAt
    this.#graceMs = blobGraceMs
    this.#pools = new ReferencePools(sql, (hashes) => this.#released(hashes))
  }

  /** Notes the references. @returns those of `hashes` that are stored already */
  async retain(nodeId: string, hashes: readonly string[]): Promise<string[]> {
    // Rows in this state without a delete under way were interrupted by a crash: their delete is repeated first.
    while (this.#isDeleting(hashes)) await this.#finishDeletes()
    const stored: string[] = []
    for (const batch of batches(hashes)) {
      this.#sql.transaction(() => {
        this.#sql.all(
          'INSERT INTO refs (hash, node_id) SELECT DISTINCT value, ? FROM json_each(?) WHERE true ON CONFLICT DO NOTHING',
          this.#pools.ownName(nodeId),
          batch,
        )
        this.#sql.all(
          `INSERT INTO blobs (hash, state) SELECT DISTINCT value, 'awaited' FROM json_each(?) WHERE true
             ON CONFLICT (hash) DO UPDATE SET unreferenced_since = NULL`,
          batch,
        )
        const rows = this.#sql.all<{ hash: string }>(
          "SELECT hash FROM blobs WHERE state = 'stored' AND hash IN (SELECT value FROM json_each(?))",
          batch,
        )
        for (const { hash } of rows) stored.push(hash)
      })
    }
    return stored
  }

  async share(from: string, to: string, hashes: readonly string[] | 'all'): Promise<void> {
    if (this.#databaseBytes() > MAX_FORKED_DATABASE_BYTES) {
      fail(
        'limit_exceeded',
        'the sessions have too many files for another fork (MAX_FORKED_DATABASE_BYTES); remove forks or other sessions first',
      )
    }
    if (hashes === 'all') return this.#sql.transaction(() => this.#pools.share(from, to))
    for (const batch of batches(hashes)) {
      const areAll = this.#sql.transaction(() => this.#pools.copy(from, to, batch))
      if (!areAll) fail('upstream', 'a content of the session is not in the store any more; try again')
    }
  }

  /** Notes that these blobs are in the store. Blobs released meanwhile are deleted in time. */
  async stored(hashes: readonly string[]): Promise<void> {
    for (const batch of batches(hashes)) {
      this.#sql.all(
        `INSERT INTO blobs (hash, state, unreferenced_since) SELECT DISTINCT value, 'stored', ? FROM json_each(?)
           WHERE true ON CONFLICT (hash) DO UPDATE SET state = 'stored' WHERE state = 'awaited'`,
        this.#clock.now(),
        batch,
      )
    }
    await this.plan()
  }

  async release(nodeId: string, hashes: readonly string[] | 'all'): Promise<void> {
    if (hashes === 'all') this.#sql.transaction(() => this.#pools.releaseAll(nodeId))
    else for (const batch of batches(hashes)) this.#sql.transaction(() => this.#pools.release(nodeId, batch))
    await this.plan()
  }

  /** Notes since when blobs have no reference, where that is so. @param hashes as JSON */
  #released(hashes: string): void {
    this.#sql.all(
      `UPDATE blobs SET unreferenced_since = ? WHERE hash IN (SELECT value FROM json_each(?))
         AND unreferenced_since IS NULL AND NOT EXISTS (SELECT 1 FROM refs WHERE refs.hash = blobs.hash)`,
      this.#clock.now(),
      hashes,
    )
  }

  /** Schedules the next {@link sweep}, when there is something to delete. */
  async plan(): Promise<void> {
    const due = this.#dueAt()
    if (due !== null) await this.#wakeAt(due)
  }

  #dueAt(): number | null {
    const [row] = this.#sql.all<{ deleting: number; oldest: number | null }>(
      `SELECT EXISTS (SELECT 1 FROM blobs WHERE state = 'deleting') AS deleting,
              (SELECT min(unreferenced_since) FROM blobs WHERE unreferenced_since IS NOT NULL) AS oldest`,
    )
    if (row?.deleting === 1) return this.#clock.now()
    return row?.oldest == null ? null : row.oldest + this.#graceMs
  }

  /** Deletes a batch of blobs without a reference for their time of grace, after deletes that a crash interrupted. */
  async sweep(): Promise<void> {
    await this.#finishDeletes()
    this.#sql.all(
      `UPDATE blobs SET state = 'deleting' WHERE hash IN (
         SELECT hash FROM blobs b WHERE unreferenced_since <= ? AND NOT EXISTS (SELECT 1 FROM refs WHERE refs.hash = b.hash)
         ORDER BY unreferenced_since LIMIT ${DELETE_BATCH_BLOBS})`,
      this.#clock.now() - this.#graceMs,
    )
    await this.#finishDeletes()
  }

  #isDeleting(hashes: readonly string[]): boolean {
    return batches(hashes).some(
      (batch) =>
        this.#sql.all(
          "SELECT 1 FROM blobs WHERE state = 'deleting' AND hash IN (SELECT value FROM json_each(?)) LIMIT 1",
          batch,
        ).length > 0,
    )
  }

  /** Deletes all blobs marked for it. A second call joins the one under way. */
  #finishDeletes(): Promise<void> {
    this.#deleting ??= this.#deleteMarked().finally(() => {
      this.#deleting = null
    })
    return this.#deleting
  }

  async #deleteMarked(): Promise<void> {
    const marked = this.#sql.all<{ hash: string }>("SELECT hash FROM blobs WHERE state = 'deleting'")
    const hashes = marked.map(({ hash }) => hash)
    if (hashes.length === 0) return
    await this.#deleter.delete(hashes)
    for (const batch of batches(hashes)) {
      this.#sql.all("DELETE FROM blobs WHERE state = 'deleting' AND hash IN (SELECT value FROM json_each(?))", batch)
    }
  }
}

/** Hashes as JSON for `json_each`: a statement takes 100 parameters, but one of them may be a long list. */
function batches(hashes: readonly string[]): string[] {
  const found: string[] = []
  for (let at = 0; at < hashes.length; at += BATCH_ROWS) found.push(JSON.stringify(hashes.slice(at, at + BATCH_ROWS)))
  return found
}
