import { fail } from '../../core/failure.ts'
import { ancestors, ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import type { Sql } from '../../ports/sql.ts'
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
  const since =
    seq === target + 2 ? SINCE_ONE : seq - target <= MAX_FEW && target >= keptRange(sql).floor ? SINCE_FEW : SINCE_MANY
  sql.run(since.note, seq, target, ...bounds)
  sql.run(since.putBack, seq, target, ...bounds)
  sql.run(REMOVE, seq)
  if (path !== ROOT && entryAsOf(sql, path, target)) putBackAncestors(sql, { target, seq, path })
}

/** SQL for the states then, `x`, of the paths that changed since: what the first commit after it noted. */
const THEN = `(SELECT min(seq) AS seq, path FROM workspace_changes WHERE seq > ?2 AND seq < ?1 AND ${atOrBelow('path', 3)} GROUP BY path) first
  CROSS JOIN workspace_changes x ON x.seq = first.seq AND x.path = first.path`
/** The same where one commit came since, which needs no search for the first: undoing the last commit takes half the time. */
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
) => `INSERT INTO workspace_entries (${ENTRY_COLUMNS}) SELECT ${columnsOf('x')} FROM ${then}
    CROSS JOIN workspace_changes noted ON noted.seq = ?1 AND noted.path = x.path
  WHERE x.kind IS NOT NULL
  ON CONFLICT (path) DO UPDATE SET kind = excluded.kind, hash = excluded.hash, size = excluded.size,
    mode = excluded.mode, mtime = excluded.mtime, target = excluded.target`
const SINCE_MANY = { note: note(THEN), putBack: putBack(THEN) }
const SINCE_FEW = { note: note(THEN_BEFORE_FEW), putBack: putBack(THEN_BEFORE_FEW) }
const SINCE_ONE = { note: note(THEN_BEFORE_ONE), putBack: putBack(THEN_BEFORE_ONE) }
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
