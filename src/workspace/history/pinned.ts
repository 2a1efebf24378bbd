import { COMPACT_FROM_ROWS, MERGE_BATCH_ROWS } from '../../core/limits/snapshots.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { Sql, SqlRow } from '../../ports/sql.ts'
import { keptRange } from './kept.ts'

// Between two kept moments only the first change of each path is needed. When commits expire, those changes are pinned: moved to
// the number right behind the moment that they lead back to, so that the rows of moment n are those with `seq` n + 1.

/** Number of rows of history, and the sizes of the contents they refer to. */
export interface Rows {
  readonly changes: number
  readonly bytes: number
}

/** Rows that history keeps for snapshots alone. */
export function pinnedTotals(sql: Sql): Rows {
  const [pinned] = moments(sql).read<Rows & SqlRow>(
    'SELECT coalesce(sum(changes), 0) AS changes, coalesce(sum(bytes), 0) AS bytes FROM workspace_moments',
  )
  return pinned ?? { changes: 0, bytes: 0 }
}

/**
 * Moments before a commit, in order. One that lost its last snapshot counts until its rows are merged: they come before those that
 * are pinned now, and would otherwise come behind them.
 */
export function momentsBefore(sql: Sql, seq: number): number[] {
  return moments(sql)
    .read<{ seq: number }>('SELECT seq FROM workspace_moments WHERE seq < ? ORDER BY seq', seq)
    .map((row) => row.seq)
}

/**
 * Pins what a moment needs of the changes of expired commits, and drops the others, inside the caller's transaction.
 * @param commits first and last number of these commits, which all come after the moment and before the next one
 * @param all number of the rows of these commits, and their bytes
 * @returns what was dropped
 */
export function pin(sql: Sql, moment: number, [first, last]: readonly [number, number], all: Rows): Rows {
  const dropped = drop(sql, {
    where: `seq >= ?1 AND seq <= ?2 AND (
      (seq, path) NOT IN (SELECT min(seq), path FROM workspace_changes WHERE seq >= ?1 AND seq <= ?2 GROUP BY path)
      OR (?3 < ?1 AND EXISTS (SELECT 1 FROM workspace_changes pinned WHERE pinned.seq = ?3 AND pinned.path = c.path)))`,
    params: [first, last, moment + 1],
  })
  sql.all('UPDATE workspace_changes SET seq = ?3 WHERE seq >= ?1 AND seq <= ?2 AND seq <> ?3', first, last, moment + 1)
  grow(sql, moment, { changes: all.changes - dropped.changes, bytes: all.bytes - dropped.bytes })
  const vain = compact(sql, moment, last)
  return { changes: dropped.changes + vain, bytes: dropped.bytes }
}

/** Drops all changes of expired commits, which no moment needs, inside the caller's transaction. */
export function dropAll(sql: Sql, [first, last]: readonly [number, number]): Rows {
  return drop(sql, { where: 'seq >= ?1 AND seq <= ?2', params: [first, last] })
}

/** Whether a moment lost its last snapshot, and its rows are still there. */
export const hasLostMoment = (sql: Sql): boolean => lostMoment(sql) !== null

/**
 * Merges a batch of the rows of a moment that lost its last snapshot into the moment before, inside the caller's transaction.
 * @returns what was dropped
 */
export function mergeLost(sql: Sql): Rows {
  const lost = lostMoment(sql)
  if (!lost) return NONE
  // The lowest one comes first, so that all moments before it have snapshots.
  const { seq, before, next } = lost
  const { floor } = keptRange(sql)
  // The rows behind a moment that has not expired are those of a commit.
  const rows = seq < floor ? batchOf(sql, seq + 1) : []
  const last = rows.at(-1)?.path
  if (last === undefined) {
    sql.all('DELETE FROM workspace_moments WHERE seq = ?', seq)
    const vain = before === null || seq >= floor ? 0 : compact(sql, before, Math.min(next ?? floor, floor))
    return { changes: vain, bytes: 0 }
  }
  const bytes = rows.reduce((sum, row) => sum + (row.size ?? 0), 0)
  grow(sql, seq, { changes: -rows.length, bytes: -bytes })
  const dropped = drop(sql, {
    where: `seq = ?1 AND path <= ?2 AND (?3 IS NULL
      OR EXISTS (SELECT 1 FROM workspace_changes kept WHERE kept.seq = ?3 AND kept.path = c.path))`,
    params: [seq + 1, last, before === null ? null : before + 1],
  })
  if (before === null) return dropped
  sql.all('UPDATE workspace_changes SET seq = ?3 WHERE seq = ?1 AND path <= ?2', seq + 1, last, before + 1)
  grow(sql, before, { changes: rows.length - dropped.changes, bytes: bytes - dropped.bytes })
  return dropped
}

/** A moment without a snapshot, with the moments of snapshots before and after it. */
function lostMoment(sql: Sql) {
  const [lost] = moments(sql).read<{ seq: number; before: number | null; next: number | null }>(
    `SELECT m.seq, (SELECT max(s.seq) FROM workspace_snapshots s WHERE s.seq < m.seq) AS before,
            (SELECT min(s.seq) FROM workspace_snapshots s WHERE s.seq > m.seq) AS next
       FROM workspace_moments m WHERE m.seq NOT IN (SELECT seq FROM workspace_snapshots) ORDER BY m.seq LIMIT 1`,
  )
  return lost ?? null
}

const NONE: Rows = { changes: 0, bytes: 0 }

const moments = (sql: Sql) => new LazyTable(sql, 'workspace_snapshots')

function batchOf(sql: Sql, seq: number): { path: string; size: number | null }[] {
  return sql.all<{ path: string; size: number | null }>(
    `SELECT path, size FROM workspace_changes WHERE seq = ? ORDER BY path LIMIT ${MERGE_BATCH_ROWS}`,
    seq,
  )
}

function grow(sql: Sql, moment: number, { changes, bytes }: Rows): void {
  sql.all(
    'UPDATE workspace_moments SET changes = changes + ?, bytes = bytes + ? WHERE seq = ?',
    ...[changes, bytes, moment],
  )
}

/** Drops rows `c` of history and their references. */
function drop(
  sql: Sql,
  { where, params }: { readonly where: string; readonly params: readonly (number | string | null)[] },
): Rows {
  const [rows] = sql.all<Rows & SqlRow>(
    `SELECT count(*) AS changes, coalesce(sum(size), 0) AS bytes FROM workspace_changes c WHERE ${where}`,
    ...params,
  )
  if (!rows || rows.changes === 0) return NONE
  sql.all(
    `UPDATE workspace_blobs AS b SET refs = b.refs - gone.lost
       FROM (SELECT hash, count(*) AS lost FROM workspace_changes c WHERE ${where} AND hash IS NOT NULL GROUP BY hash) AS gone
      WHERE b.hash = gone.hash`,
    ...params,
  )
  sql.all(`DELETE FROM workspace_changes AS c WHERE ${where}`, ...params)
  return rows
}

/**
 * Drops rows of a moment that say of a path that it did not exist, where it does not exist at the next moment either: files that
 * came and went in between. What stays is bounded by the entries of the two. It reads all later changes, so it waits until there
 * are twice as many rows as the last time.
 * @param last a commit up to which the moment has its rows: the next moment, or one before it
 * @returns the number of rows dropped
 */
function compact(sql: Sql, moment: number, last: number): number {
  const table = moments(sql)
  const isDue = table.read(
    'SELECT 1 AS due FROM workspace_moments WHERE seq = ? AND changes > max(compact_at, ?)',
    ...[moment, COMPACT_FROM_ROWS],
  )
  if (isDue.length === 0) return 0
  const gone = sql.all(
    `WITH later AS MATERIALIZED (SELECT path, min(seq) AS seq FROM workspace_changes
        WHERE seq > ?2 AND path IN (SELECT path FROM workspace_changes WHERE seq = ?1 AND kind IS NULL) GROUP BY path)
     DELETE FROM workspace_changes WHERE seq = ?1 AND path IN (
       SELECT c.path FROM workspace_changes c
         LEFT JOIN later ON later.path = c.path
         LEFT JOIN workspace_changes x ON x.seq = later.seq AND x.path = later.path
         LEFT JOIN workspace_entries e ON e.path = c.path
        WHERE c.seq = ?1 AND c.kind IS NULL AND iif(later.seq IS NULL, e.path, x.kind) IS NULL)
     RETURNING seq`,
    ...[moment + 1, last],
  ).length
  sql.all(
    'UPDATE workspace_moments SET changes = changes - ?1, compact_at = 2 * (changes - ?1) WHERE seq = ?2',
    ...[gone, moment],
  )
  return gone
}
