import {
  COMMIT_RETENTION_MS,
  EXPIRE_BATCH_COMMITS,
  MAX_COMMITS,
  MAX_KEPT_BYTES,
  MAX_KEPT_CHANGES,
} from '../../core/limits/workspace.ts'
import type { Sql, SqlRow } from '../../ports/sql.ts'
import { foldTotals, readState } from '../manifest.ts'
import { dropAll, hasLostMoment, mergeLost, momentsBefore, pin, pinnedTotals, type Rows } from './pinned.ts'
import { dropRestored } from './restores.ts'
import { countNow, dropUncounted } from './uncounted.ts'

/**
 * Drops commits older than COMMIT_RETENTION_MS, and the oldest beyond the limits on history, a batch at a time: what snapshots
 * need of them stays. What was kept for removed snapshots goes then.
 * @returns true when there is more to drop
 */
export function expireCommits(sql: Sql, now: number): boolean {
  return sql.transaction(() => {
    const last = lastToExpire(sql, now)
    if (last === null && !hasLostMoment(sql)) return false
    foldTotals(sql)
    if (last === null) forget(sql, mergeLost(sql))
    else {
      for (const range of rangesUpTo(sql, last)) forget(sql, expireRange(sql, range))
      sql.all('DELETE FROM workspace_commits WHERE seq <= ?', last)
      dropRestored(sql, last)
    }
    return lastToExpire(sql, now) !== null || hasLostMoment(sql)
  })
}

/** Commits that expire together, and the moment before them that needs their changes; null where none does. */
interface Range {
  readonly moment: number | null
  readonly commits: readonly [first: number, last: number]
}

/** Commits up to `last`, apart at the moments of snapshots. */
function rangesUpTo(sql: Sql, last: number): Range[] {
  const [{ first } = { first: last }] = sql.all<{ first: number }>(
    'SELECT coalesce(min(seq), 0) AS first FROM workspace_commits',
  )
  const moments = momentsBefore(sql, last)
  const bounds = [...moments.filter((seq) => seq >= first), last]
  let from = first
  return bounds.map((to): Range => {
    const commits = [from, to] as const
    const moment = moments.findLast((seq) => seq < from) ?? null
    from = to + 1
    return { moment, commits }
  })
}

function expireRange(sql: Sql, { moment, commits }: Range): Rows {
  if (moment === null) {
    const uncounted = dropUncounted(sql, commits)
    const { changes, bytes } = dropAll(sql, commits)
    return { changes: changes + uncounted.changes, bytes: bytes + uncounted.bytes }
  }
  countNow(sql, commits)
  const [all] = sql.all<Rows & SqlRow>(
    `SELECT coalesce(sum(changed), 0) AS changes, coalesce(sum(superseded_bytes), 0) AS bytes
       FROM workspace_commits WHERE seq >= ? AND seq <= ?`,
    ...commits,
  )
  return pin(sql, moment, commits, all ?? { changes: 0, bytes: 0 })
}

function forget(sql: Sql, { changes, bytes }: Rows): void {
  sql.all('UPDATE workspace_state SET kept_changes = kept_changes - ?, kept_bytes = kept_bytes - ?', changes, bytes)
}

/** The newest commit of the next batch to drop; null when all may stay. */
function lastToExpire(sql: Sql, now: number): number | null {
  const oldest = sql.all<{ seq: number; at: number; changed: number; superseded_bytes: number }>(
    `SELECT seq, at, changed, superseded_bytes FROM workspace_commits ORDER BY seq LIMIT ${EXPIRE_BATCH_COMMITS}`,
  )
  const { head, ...kept } = readState(sql)
  const pinned = pinnedTotals(sql)
  let changes = kept.kept_changes - pinned.changes
  let bytes = kept.kept_bytes - pinned.bytes
  let last: number | null = null
  for (const commit of oldest) {
    const old = commit.at < now - COMMIT_RETENTION_MS
    // Numbers have no gaps, so they count the commits.
    if (!old && head - commit.seq < MAX_COMMITS && changes <= MAX_KEPT_CHANGES && bytes <= MAX_KEPT_BYTES) break
    last = commit.seq
    changes -= commit.changed
    bytes -= commit.superseded_bytes
  }
  return last
}
