import { MAX_REFERENCE_POOLS } from '../core/limits/snapshots.ts'
import type { Sql } from '../ports/sql.ts'

/** Rows that one statement touches, which takes a few milliseconds. */
const BATCH_ROWS = 5_000

/**
 * Pools of references: those that a session had when it was forked, in which the fork takes part from then on. A fork so writes a row
 * for each pool of its origin, and none for a content. A row of `refs` bears a node id, for references of that session alone, or the
 * name of a pool; it goes with the last reference, so a content is in use as long as it has one. All methods run inside the caller's
 * transaction.
 */
export class ReferencePools {
  readonly #sql: Sql
  /** Notes contents that may have no reference any more, by a JSON list of hashes. */
  readonly #released: (hashes: string) => void

  constructor(sql: Sql, released: (hashes: string) => void) {
    this.#sql = sql
    this.#released = released
  }

  /** Name of a session's own references, in which no other one takes part. */
  ownName(nodeId: string): string {
    const [row] = this.#sql.all<{ number: number }>('SELECT number FROM ref_names WHERE node_id = ?', nodeId)
    return row ? `${nodeId}.${row.number}` : nodeId
  }

  /** Makes a session take part in all references of another one. Repeated, it takes part in those that came since. */
  share(from: string, to: string): void {
    if (this.#hasAny(this.ownName(from))) {
      if (this.#poolsOf(from).length >= MAX_REFERENCE_POOLS) this.#gather(from)
      this.#sql.all('INSERT INTO ref_pools (pool, node_id) VALUES (?, ?)', this.ownName(from), from)
      this.#sql.all(
        'INSERT INTO ref_names (node_id, number) VALUES (?, 1) ON CONFLICT (node_id) DO UPDATE SET number = number + 1',
        from,
      )
    }
    this.#sql.all(
      'INSERT INTO ref_pools (pool, node_id) SELECT pool, ? FROM ref_pools WHERE node_id = ? ON CONFLICT DO NOTHING',
      ...[to, from],
    )
    this.#sql.all(
      `INSERT INTO ref_releases (pool, hash, node_id) SELECT pool, hash, ? FROM ref_releases WHERE node_id = ?
         ON CONFLICT DO NOTHING`,
      ...[to, from],
    )
  }

  /** Copies references of a session for another one, by a JSON list of hashes. @returns whether it has all of them */
  copy(from: string, to: string, hashes: string): boolean {
    this.#sql.all(
      `INSERT INTO refs (hash, node_id) SELECT DISTINCT w.value, ?2 FROM json_each(?3) w
         WHERE EXISTS (SELECT 1 FROM refs r WHERE r.hash = w.value AND r.node_id = ?4) OR EXISTS (
           SELECT 1 FROM ref_pools p CROSS JOIN refs r ON r.hash = w.value AND r.node_id = p.pool
             WHERE p.node_id = ?1 AND NOT EXISTS (
               SELECT 1 FROM ref_releases g WHERE g.pool = p.pool AND g.hash = r.hash AND g.node_id = ?1))
         ON CONFLICT DO NOTHING`,
      ...[from, this.ownName(to), hashes, this.ownName(from)],
    )
    const missing = this.#sql.all(
      `SELECT 1 AS found FROM json_each(?) w WHERE NOT EXISTS (SELECT 1 FROM refs WHERE hash = w.value AND node_id = ?) LIMIT 1`,
      ...[hashes, this.ownName(to)],
    )
    return missing.length === 0
  }

  /** Releases a session's references to contents of a JSON list of hashes. */
  release(nodeId: string, hashes: string): void {
    this.#sql.all(
      'DELETE FROM refs WHERE node_id = ? AND hash IN (SELECT value FROM json_each(?))',
      ...[this.ownName(nodeId), hashes],
    )
    for (const pool of this.#poolsOf(nodeId)) {
      this.#sql.all(
        `INSERT INTO ref_releases (pool, hash, node_id)
           SELECT r.node_id, r.hash, ?1 FROM json_each(?3) w CROSS JOIN refs r ON r.hash = w.value AND r.node_id = ?2
             WHERE true ON CONFLICT DO NOTHING`,
        ...[nodeId, pool, hashes],
      )
      const all = this.#sql.all<{ hash: string }>(
        `SELECT hash FROM ref_releases WHERE pool = ?1 AND hash IN (SELECT value FROM json_each(?2))
           GROUP BY hash HAVING count(*) >= ${MEMBERS}`,
        ...[pool, hashes],
      )
      this.#drop(pool, all)
    }
    this.#released(hashes)
  }

  /** Releases all of a session's references. */
  releaseAll(nodeId: string): void {
    this.#dropAll(this.ownName(nodeId))
    for (const pool of this.#poolsOf(nodeId)) this.#leave(pool, nodeId)
    this.#sql.all('DELETE FROM ref_names WHERE node_id = ?', nodeId)
  }

  #hasAny(name: string): boolean {
    return this.#sql.all('SELECT 1 AS found FROM refs WHERE node_id = ? LIMIT 1', name).length > 0
  }

  #poolsOf(nodeId: string): string[] {
    return this.#sql
      .all<{ pool: string }>('SELECT pool FROM ref_pools WHERE node_id = ? ORDER BY pool', nodeId)
      .map(({ pool }) => pool)
  }

  /** Makes all references of a session its own, in no pool. */
  #gather(nodeId: string): void {
    this.#sql.all(
      `INSERT INTO refs (hash, node_id)
         SELECT r.hash, ?2 FROM ref_pools p CROSS JOIN refs r ON r.node_id = p.pool
           WHERE p.node_id = ?1 AND NOT EXISTS (
             SELECT 1 FROM ref_releases g WHERE g.pool = p.pool AND g.hash = r.hash AND g.node_id = ?1)
         ON CONFLICT DO NOTHING`,
      ...[nodeId, this.ownName(nodeId)],
    )
    for (const pool of this.#poolsOf(nodeId)) this.#leave(pool, nodeId)
  }

  /** Takes a session out of a pool, with the references that no other one in it has. */
  #leave(pool: string, nodeId: string): void {
    this.#sql.all('DELETE FROM ref_releases WHERE node_id = ? AND pool = ?', nodeId, pool)
    this.#sql.all('DELETE FROM ref_pools WHERE pool = ? AND node_id = ?', pool, nodeId)
    if (this.#sql.all('SELECT 1 AS found FROM ref_pools WHERE pool = ? LIMIT 1', pool).length === 0) {
      this.#dropAll(pool)
      return
    }
    const released = this.#sql.all<{ hash: string }>(
      `SELECT hash FROM ref_releases WHERE pool = ?1 GROUP BY hash HAVING count(*) >= ${MEMBERS}`,
      pool,
    )
    for (const batch of batchesOf(released)) this.#released(this.#drop(pool, batch))
  }

  /** Drops all references of a name. */
  #dropAll(name: string): void {
    const next = () =>
      this.#sql.all<{ hash: string }>(`SELECT hash FROM refs WHERE node_id = ? LIMIT ${BATCH_ROWS}`, name)
    for (let rows = next(); rows.length > 0; rows = next()) this.#released(this.#drop(name, rows))
  }

  /** Drops references of a name, with what sessions of a pool have noted of them. @returns JSON list of the hashes */
  #drop(name: string, rows: readonly { readonly hash: string }[]): string {
    const hashes = JSON.stringify(rows.map(({ hash }) => hash))
    if (rows.length === 0) return hashes
    this.#sql.all('DELETE FROM refs WHERE node_id = ? AND hash IN (SELECT value FROM json_each(?))', name, hashes)
    this.#sql.all('DELETE FROM ref_releases WHERE pool = ? AND hash IN (SELECT value FROM json_each(?))', name, hashes)
    return hashes
  }
}

/** SQL for the number of sessions in pool ?1. */
const MEMBERS = '(SELECT count(*) FROM ref_pools WHERE pool = ?1)'

function* batchesOf<Row>(rows: readonly Row[]): Iterable<readonly Row[]> {
  for (let at = 0; at < rows.length; at += BATCH_ROWS) yield rows.slice(at, at + BATCH_ROWS)
}
