import { fail } from '../../core/failure.ts'
import { ancestors, ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import type { Sql, SqlValue } from '../../ports/sql.ts'
import { ENTRY_COLUMNS } from '../entry-row.ts'
import { entryAt } from '../manifest.ts'
import { columnsOf, entryAsOf } from './as-of.ts'
import { atOrBelow, boundsOf } from './at-or-below.ts'
import { keptRange, requireKept } from './kept.ts'

export interface Rewind {
  /** Commit whose state is restored. */
  readonly target: number
  /** Commit under which the rewind is noted. */
  readonly seq: number
  /** File or directory to restore, with all below it; the root for everything. */
  readonly path: WorkspacePath
}

/**
 * Restores the manifest, or a part of it, to its state after an earlier commit, inside the caller's transaction. Directories that
 * lead to the path are made again where they are gone.
 * @throws FailureError `not_found`; `conflict` for a file that stands where such a directory was
 */
export function rewind(sql: Sql, { target, seq, path }: Rewind): void {
  requireKept(sql, target)
  const bounds = boundsOf(path)
  if (seq === target + 2 && target >= keptRange(sql).floor) takeBack(sql, [seq, target, ...bounds])
  else {
    const since = seq - target <= MAX_FEW && target >= keptRange(sql).floor ? SINCE_FEW : SINCE_MANY
    sql.run(since.note, seq, target, ...bounds)
    sql.run(since.putBack, seq, target, ...bounds)
    sql.run(REMOVE, seq)
  }
  if (path !== ROOT && entryAsOf(sql, path, target)) putBackAncestors(sql, { target, seq, path })
}

/**
 * Takes one commit back. Its rows are the states to come back to, so that no row is looked for in what was noted: undoing the last
 * change of very many files takes half the time.
 */
function takeBack(sql: Sql, params: readonly SqlValue[]): void {
  sql.run(NOTE_ONE, ...params)
  sql.run(PUT_ONE_BACK, ...params)
  const [made] = sql.all<{ first: string | null; last: string | null; isAll: number }>(MADE, ...params)
  if (!made || made.first === null || made.last === null) return
  // A range is removed several times as fast as paths that are looked up, and what was made at once mostly is one.
  if (made.isAll === 1) sql.run(REMOVE_RANGE, made.first, made.last)
  else sql.run(REMOVE_MADE, ...params)
}

/** SQL for the states then, `x`, of the paths that changed since: what the first commit after it noted. */
const THEN = `(SELECT min(seq) AS seq, path FROM workspace_changes WHERE seq > ?2 AND seq < ?1 AND ${atOrBelow('path', 3)} GROUP BY path) first
  CROSS JOIN workspace_changes x ON x.seq = first.seq AND x.path = first.path`
/** The same where one commit came since, which needs no search for the first. */
const THEN_BEFORE_ONE = `(SELECT * FROM workspace_changes WHERE seq = ?2 + 1 AND ${atOrBelow('path', 3)}) x`
/**
 * The same where few commits came since, all of which are there: a look into each commit before, at most, takes less time than putting
 * all their changes in order.
 */
const THEN_BEFORE_FEW = `(SELECT * FROM workspace_changes c WHERE seq > ?2 AND seq < ?1 AND ${atOrBelow('path', 3)} AND NOT EXISTS (
  SELECT 1 FROM workspace_commits o CROSS JOIN workspace_changes d ON d.seq = o.seq AND d.path = c.path
    WHERE o.seq > ?2 AND o.seq < c.seq)) x`
/** Commits that are few. */
const MAX_FEW = 8
/** SQL for the columns of a row that make it what it is. */
const STATE = (row: string) =>
  ['kind', 'hash', 'mode', 'mtime', 'target'].map((column) => `${row}.${column}`).join(', ')
const note = (then: string) => `INSERT INTO workspace_changes (seq, ${ENTRY_COLUMNS})
  SELECT ?1, x.path, ${columnsOf('e').replace('e.path, ', '')}
    FROM ${then} LEFT JOIN workspace_entries e ON e.path = x.path WHERE (${STATE('x')}) IS NOT (${STATE('e')})`
// In place: an index that a column is not in need not be touched.
const putBack = (
  then: string,
) => `INSERT INTO workspace_entries (${ENTRY_COLUMNS}) SELECT ${columnsOf('x')} FROM ${then} WHERE x.kind IS NOT NULL
  ON CONFLICT (path) DO UPDATE SET kind = excluded.kind, hash = excluded.hash, size = excluded.size,
    mode = excluded.mode, mtime = excluded.mtime, target = excluded.target`
/** SQL for states that are not as they are now: those noted under ?1. */
const noted = (then: string) => `${then} CROSS JOIN workspace_changes noted ON noted.seq = ?1 AND noted.path = x.path`
const SINCE_MANY = { note: note(THEN), putBack: putBack(noted(THEN)) }
const SINCE_FEW = { note: note(THEN_BEFORE_FEW), putBack: putBack(noted(THEN_BEFORE_FEW)) }
const NOTE_ONE = note(THEN_BEFORE_ONE)
const PUT_ONE_BACK = putBack(THEN_BEFORE_ONE)
/** SQL for the paths that the one commit made. */
const MADE_BY_ONE = `SELECT x.path FROM ${THEN_BEFORE_ONE} CROSS JOIN workspace_entries e ON e.path = x.path WHERE x.kind IS NULL`
/** The first and the last of them, and whether no other path lies between. */
const MADE = `SELECT first, last, count = (SELECT count(*) FROM workspace_entries WHERE path >= first AND path <= last) AS isAll
  FROM (SELECT count(*) AS count, min(path) AS first, max(path) AS last FROM (${MADE_BY_ONE}))`
const REMOVE_RANGE = 'DELETE FROM workspace_entries WHERE path >= ? AND path <= ?'
const REMOVE_MADE = `DELETE FROM workspace_entries WHERE path IN (${MADE_BY_ONE})`
// All noted paths differ from what they were then: those that are still as noted did not exist then.
const REMOVE = `DELETE FROM workspace_entries WHERE path IN (
  SELECT c.path FROM workspace_changes c CROSS JOIN workspace_entries e ON e.path = c.path
    WHERE c.seq = ?1 AND (${STATE('c')}) IS (${STATE('e')}))`

function putBackAncestors(sql: Sql, { target, seq, path }: Rewind): void {
  for (const above of ancestors(path)) {
    const there = entryAt(sql, above)
    if (there?.kind === 'directory') continue
    const then = entryAsOf(sql, above, target)
    if (there || then?.kind !== 'directory')
      fail(
        'conflict',
        `${above} is a ${there?.kind} now and was a directory then; restore ${above} itself, or move it away`,
      )
    sql.run('INSERT INTO workspace_changes (seq, path) VALUES (?, ?)', seq, above)
    sql.run(
      `INSERT INTO workspace_entries (path, kind, mode, mtime) VALUES (?, 'directory', ?, ?)`,
      ...[above, then.mode, then.mtimeMs],
    )
  }
}
