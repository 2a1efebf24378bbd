import type { CallFile } from '../../core/outcome.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { Sql } from '../../ports/sql.ts'
import type { WorkspaceEntry } from '../../ports/workspace.ts'
import { type EntryRow, entryFromRow, pathFromRow } from '../entry-row.ts'
import { compareCodePoints } from '../path-range.ts'
import { rowsAsOf } from './as-of.ts'
import { isKept, requireKept } from './kept.ts'

/** One path in two states; null where it does not exist. */
export interface Difference {
  readonly path: WorkspacePath
  readonly before: WorkspaceEntry | null
  readonly after: WorkspaceEntry | null
}

/**
 * Differences between two commits, sorted by path.
 * @throws FailureError `not_found`
 */
export function compareCommits(sql: Sql, from: number, to: number): Difference[] {
  requireKept(sql, from)
  requireKept(sql, to)
  const [low, high] = from < to ? [from, to] : [to, from]
  const query = rowsAsOf('x.path IN (SELECT path FROM workspace_changes WHERE seq > ?2 AND seq <= ?3)')
  const before = new Map(sql.all<EntryRow>(query, from, low, high).map((row) => [row.path, row]))
  const after = new Map(sql.all<EntryRow>(query, to, low, high).map((row) => [row.path, row]))
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort(compareCodePoints)
    .map((path) => ({ path, old: before.get(path), new: after.get(path) }))
    .filter((pair) => JSON.stringify(pair.old) !== JSON.stringify(pair.new))
    .map((pair) => ({
      path: pathFromRow(pair),
      before: pair.old ? entryFromRow(pair.old) : null,
      after: pair.new ? entryFromRow(pair.new) : null,
    }))
}

/** Paths changed by commits after `seq`, sorted; null when some of those commits are no longer kept. */
export function changesSince(sql: Sql, seq: number): WorkspacePath[] | null {
  if (!isKept(sql, seq)) return null
  return sql
    .all<{ path: string }>('SELECT DISTINCT path FROM workspace_changes WHERE seq > ? ORDER BY path', seq)
    .map(pathFromRow)
}

/**
 * Files and links that commits of some calls after `seq` changed, sorted by path, without those of repositories' own directories.
 * @param query `callIds` is null for all calls
 */
export function changedByCalls(
  sql: Sql,
  query: { readonly callIds: readonly string[] | null; readonly seq: number; readonly limit: number },
): { readonly files: readonly CallFile[]; readonly count: number } {
  const { callIds, seq, limit } = query
  const of = callIds === null ? [seq] : [seq, JSON.stringify(callIds)]
  // With `min`, SQLite takes the other columns of a group from the row of its least `seq`: the state before the call.
  const changed = `SELECT path, old, new, size FROM (
      SELECT c.path, c.kind AS old, min(c.seq) AS seq, e.kind AS new, e.size
        FROM workspace_commits o JOIN workspace_changes c ON c.seq = o.seq LEFT JOIN workspace_entries e ON e.path = c.path
        WHERE o.seq > ?1 ${callIds === null ? '' : 'AND o.call_id IN (SELECT value FROM json_each(?2))'} GROUP BY c.path)
    WHERE coalesce(new, old) IN ('file', 'link') AND '/' || path NOT LIKE '%/.git/%'`
  const [total] = sql.all<{ count: number }>(`SELECT count(*) AS count FROM (${changed})`, ...of)
  const rows = sql.all<{ path: string; old: string | null; new: string | null; size: number | null }>(
    `${changed} ORDER BY path LIMIT ?${of.length + 1}`,
    ...[...of, limit],
  )
  const files = rows.map((row): CallFile => {
    const change = row.new === null ? 'deleted' : row.old === null ? 'created' : 'modified'
    return { path: row.path, change, size: row.new === null ? null : (row.size ?? 0) }
  })
  return { files, count: total?.count ?? 0 }
}
