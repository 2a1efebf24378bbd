import type { WorkspacePath } from '../../core/workspace-path.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { Sql } from '../../ports/sql.ts'
import type { WorkspaceEntry } from '../../ports/workspace.ts'
import { ENTRY_COLUMNS, type EntryRow, entryFromRow } from '../entry-row.ts'
import { entryAt, walk } from '../manifest.ts'
import type { PathRange } from '../path-range.ts'
import { keptRange, requireKept } from './kept.ts'

const PAGE_ROWS = 1_000

/** SQL for the first change after commit ?1 of each changed path. It reads all changes since: they have no index by path. */
const FIRST_SINCE = 'SELECT min(seq) AS seq, path FROM workspace_changes WHERE seq > ?1 GROUP BY path'

/**
 * SQL for the rows, as of commit ?1, of the paths that `filter` accepts. The state of a path is the one noted by its first later
 * change, or the present one when nothing changed it since.
 */
export const rowsAsOf = (filter: string) => `
  WITH first AS MATERIALIZED (${FIRST_SINCE})
  SELECT ${columnsOf('x')} FROM first JOIN workspace_changes x ON x.seq = first.seq AND x.path = first.path
    WHERE x.kind IS NOT NULL AND ${filter}
  UNION ALL
  SELECT ${columnsOf('x')} FROM workspace_entries x WHERE ${filter} AND x.path NOT IN (SELECT path FROM first)`

export function columnsOf(table: string): string {
  return ENTRY_COLUMNS.split(', ')
    .map((column) => `${table}.${column}`)
    .join(', ')
}

/** Entry of a path as of a commit. @throws FailureError `not_found` when that commit is unknown or no longer kept */
export function entryAsOf(sql: Sql, path: WorkspacePath, seq: number): WorkspaceEntry | null {
  requireKept(sql, seq)
  const noted = firstPinned(sql, path, seq) ?? sql.all<NotedRow>(NOTED_FIRST, path, seq)[0]
  if (!noted) return entryAt(sql, path)
  return noted.kind === null ? null : entryFromRow(noted)
}

type NotedRow = EntryRow & { kind: EntryRow['kind'] | null }

/** First change of a path after a moment among those kept for snapshots alone, whose commits have expired. */
function firstPinned(sql: Sql, path: WorkspacePath, seq: number): NotedRow | null {
  const { floor } = keptRange(sql)
  if (seq >= floor) return null
  return new LazyTable(sql, 'workspace_snapshots').read<NotedRow>(PINNED_FIRST, path, seq, floor)[0] ?? null
}

const PINNED_FIRST = `SELECT ${columnsOf('x')} FROM workspace_moments m CROSS JOIN workspace_changes x
    ON x.seq = m.seq + 1 AND x.path = ?1
  WHERE m.seq >= ?2 AND m.seq < ?3 ORDER BY m.seq LIMIT 1`

// One seek for each later commit, up to the first that changed the path: there are many times as many changes.
const NOTED_FIRST = `SELECT ${columnsOf('x')} FROM workspace_commits o CROSS JOIN workspace_changes x ON x.seq = o.seq AND x.path = ?1
  WHERE o.seq > ?2 ORDER BY o.seq LIMIT 1`

/** Entries of a page, as of a kept commit. */
export function pageAsOf(sql: Sql, seq: number, { from, to, maxSlashes, limit }: PathPage): WorkspaceEntry[] {
  const filter = `x.path >= ?2 AND x.path < ?3 AND ${SLASHES} <= ?4`
  return sql
    .all<EntryRow>(`${rowsAsOf(filter)} ORDER BY path LIMIT ?5`, seq, from, to, maxSlashes, limit)
    .map(entryFromRow)
}

/** Entries of a page, as they are now. */
export function pageNow(sql: Sql, { from, to, maxSlashes, limit }: PathPage): WorkspaceEntry[] {
  return sql
    .all<EntryRow>(
      `SELECT ${ENTRY_COLUMNS} FROM workspace_entries x
         WHERE x.path >= ?1 AND x.path < ?2 AND ${SLASHES} <= ?3 ORDER BY path LIMIT ?4`,
      from,
      to,
      maxSlashes,
      limit,
    )
    .map(entryFromRow)
}

/** Page of a listing: paths of a range that have at most so many slashes. */
interface PathPage extends PathRange {
  readonly maxSlashes: number
  readonly limit: number
}

/** SQL for the number of slashes in a path. */
const SLASHES = `length(x.path) - length(replace(x.path, '/', ''))`

/**
 * All entries but the root, as of a commit, sorted by path and fetched in pages.
 * @throws FailureError `not_found`
 */
export function entriesAsOf(sql: Sql, seq: number): Iterable<WorkspaceEntry> {
  requireKept(sql, seq)
  const query = `${rowsAsOf('x.path > ?2')} ORDER BY path LIMIT ${PAGE_ROWS}`
  return walk((after) => sql.all<EntryRow>(query, seq, after))
}
