import { fail } from '../../core/failure.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { Sql } from '../../ports/sql.ts'
import { HEAD } from '../manifest.ts'

/** Whether the state after commit `seq` is kept: no commit since then has expired, or a snapshot is of it. */
export function isKept(sql: Sql, seq: number): boolean {
  const { floor, head } = keptRange(sql)
  if (!Number.isInteger(seq) || seq > head) return false
  return seq >= floor || isNamed(sql, seq)
}

/** @throws FailureError `not_found` for a commit that is unknown or no longer kept */
export function requireKept(sql: Sql, seq: number): void {
  if (!isKept(sql, seq)) missingCommit(sql, seq)
}

/** @throws FailureError `not_found` that says which commits there are */
export function missingCommit(sql: Sql, seq: number): never {
  const { floor, head } = keptRange(sql)
  if (seq >= 0 && seq < floor)
    fail(
      'not_found',
      `commit ${seq} is no longer kept: the oldest one that is has the number ${floor}, the newest ${head}`,
    )
  fail('not_found', `there is no commit ${seq}: the newest is ${head}, the oldest that is kept ${floor}`)
}

/** Commits whose states are kept without a snapshot, by number. */
export interface KeptRange {
  readonly floor: number
  readonly head: number
}

export function keptRange(sql: Sql): KeptRange {
  const [range] = sql.all<{ oldest: number | null; head: number }>(
    `SELECT (SELECT min(seq) FROM workspace_commits) AS oldest, ${HEAD} AS head`,
  )
  const { oldest = null, head = 0 } = range ?? {}
  // The rows of the oldest kept commit hold the state before it.
  return { floor: (oldest ?? head + 1) - 1, head }
}

/** Whether a snapshot is of commit `seq`. */
function isNamed(sql: Sql, seq: number): boolean {
  const snapshots = new LazyTable(sql, 'workspace_snapshots')
  return snapshots.read('SELECT 1 AS found FROM workspace_snapshots WHERE seq = ? LIMIT 1', seq).length > 0
}
