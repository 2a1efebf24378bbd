import { UNCOUNTED_FROM_CHANGES } from '../../core/limits/workspace.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { Sql, SqlRow } from '../../ports/sql.ts'
import type { Rows } from './pinned.ts'

// A commit that takes the one before it back whole brings back each content that this one noted: one reference more for each of its
// rows. Counting them takes half the time of undoing a large change, so they are noted as the number of the commit taken back, until
// its rows expire. Each of those counts until then, so no count is 0 of what is referred to. When they are dropped, the
// references that they end and those that were never counted are the same ones, and nothing is to be counted at all.

/** Leaves the references of a commit uncounted that takes commit `seq`, the one before it, back. @returns false where they must be counted */
export function leaveUncounted(sql: Sql, seq: number, changed: number): boolean {
  if (changed < UNCOUNTED_FROM_CHANGES) return false
  const [taken] = sql.all<{ changed: number }>('SELECT changed FROM workspace_commits WHERE seq = ?', seq)
  if (taken?.changed !== changed) return false
  table(sql).write('INSERT INTO workspace_uncounted (seq) VALUES (?)', seq)
  return true
}

/** Counts what was left uncounted of some commits, whose rows change their places. */
export function countNow(sql: Sql, range: readonly [first: number, last: number]): void {
  for (const seq of settle(sql, range)) sql.run(COUNT, seq)
}

/** Drops the changes of those of some commits that were taken back uncounted, in place of counting them first. @returns what was dropped */
export function dropUncounted(sql: Sql, range: readonly [first: number, last: number]): Rows {
  const dropped = { changes: 0, bytes: 0 }
  for (const seq of settle(sql, range)) {
    const [rows] = sql.all<Rows & SqlRow>(ROWS, seq)
    dropped.changes += rows?.changes ?? 0
    dropped.bytes += rows?.bytes ?? 0
    sql.run('DELETE FROM workspace_changes WHERE seq = ?', seq)
  }
  return dropped
}

function settle(sql: Sql, [first, last]: readonly [first: number, last: number]): number[] {
  const query = 'DELETE FROM workspace_uncounted WHERE seq >= ? AND seq <= ? RETURNING seq'
  return table(sql)
    .read<{ seq: number }>(query, first, last)
    .map(({ seq }) => seq)
}

const table = (sql: Sql) => new LazyTable(sql, 'workspace_uncounted')

const ROWS = 'SELECT count(*) AS changes, coalesce(sum(size), 0) AS bytes FROM workspace_changes WHERE seq = ?'
const COUNT = `UPDATE workspace_blobs AS b SET refs = b.refs + n.refs
  FROM (SELECT hash, count(*) AS refs FROM workspace_changes WHERE seq = ? AND hash IS NOT NULL GROUP BY hash) AS n
  WHERE b.hash = n.hash`
