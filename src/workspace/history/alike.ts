import type { Sql } from '../../ports/sql.ts'

/** First commit that had the state of a commit, which may have expired: a number that all commits of that state have in common. */
export function firstAlike(sql: Sql, seq: number): number {
  const [row] = sql.all<{ restored: number | null }>('SELECT restored FROM workspace_commits WHERE seq = ?', seq)
  return row?.restored ?? seq
}

/** Newest commit known to have the state of a commit: fewer came after it, so that to go back there takes less time. */
export function newestAlike(sql: Sql, seq: number): number {
  const [row] = sql.all<{ newest: number | null }>(
    'SELECT max(seq) AS newest FROM workspace_commits WHERE restored = ?',
    firstAlike(sql, seq),
  )
  return Math.max(seq, row?.newest ?? seq)
}
