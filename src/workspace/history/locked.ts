import { ancestors, type WorkspacePath } from '../../core/workspace-path.ts'
import type { Sql } from '../../ports/sql.ts'
import { pathFromRow } from '../entry-row.ts'
import type { WorkspaceLocks } from '../locks.ts'
import { atOrBelow, boundsOf } from './at-or-below.ts'

const CHANGED_IN = `SELECT path FROM workspace_changes WHERE seq = ?1 AND ${atOrBelow('path', 2)} LIMIT 1`
const REMOVED = `SELECT c.path FROM workspace_changes c LEFT JOIN workspace_entries e ON e.path = c.path
  WHERE c.seq = ?1 AND c.path = ?2 AND c.kind = 'directory' AND e.path IS NULL`

/** Checks the changes noted under `seq`, inside their transaction. @throws FailureError `conflict` when a lock holds for one of them */
export function requireNoneLocked(sql: Sql, seq: number, locks: Pick<WorkspaceLocks, 'requireNoneChanged'>): void {
  const one = (query: string, ...params: string[]): WorkspacePath | null => {
    const [row] = sql.all<{ path: string }>(query, seq, ...params)
    return row ? pathFromRow(row) : null
  }
  locks.requireNoneChanged(
    (locked) =>
      one(CHANGED_IN, ...boundsOf(locked)) ??
      ancestors(locked).reduce<WorkspacePath | null>((found, above) => found ?? one(REMOVED, above), null),
  )
}
