import { jsonBatches } from '../core/json-batches.ts'
import { ROOT, type WorkspacePath } from '../core/workspace-path.ts'
import type { Sql } from '../ports/sql.ts'
import type { ListOptions, WorkspaceEntry, WorkspaceListing } from '../ports/workspace.ts'
import { ENTRY_COLUMNS, type EntryRow, entryFromRow } from './entry-row.ts'
import { type PathRange, pathsBelow, pathsBelowExcept } from './path-range.ts'

/** Rows fetched at once in a walk over everything: a few hundred KiB. */
const PAGE_ROWS = 1_000

/** Entry of the root, which has no row: it always exists. */
const ROOT_ENTRY: WorkspaceEntry = { path: ROOT, kind: 'directory', mode: 0o755, mtimeMs: 0 }

export function entryAt(sql: Sql, path: WorkspacePath): WorkspaceEntry | null {
  if (path === ROOT) return ROOT_ENTRY
  const [row] = sql.all<EntryRow>(ENTRY_AT, path)
  return row ? entryFromRow(row) : null
}

/** Number of directories, the root not counted. It reads every row. */
export function countDirectories(sql: Sql): number {
  const [row] = sql.all<{ count: number }>("SELECT count(*) AS count FROM workspace_entries WHERE kind = 'directory'")
  return row?.count ?? 0
}

/** Entries of paths; those that are not there are absent. */
export function entriesAt(sql: Sql, paths: readonly WorkspacePath[]): ReadonlyMap<WorkspacePath, WorkspaceEntry> {
  const rows = [...jsonBatches(paths)].flatMap((batch) => sql.all<EntryRow>(ENTRIES_AT, batch))
  return new Map(rows.map(entryFromRow).map((entry) => [entry.path, entry]))
}

// A constant text: a query text built anew each time would be prepared anew, too.
const ENTRY_AT = `SELECT ${ENTRY_COLUMNS} FROM workspace_entries WHERE path = ?`
const ENTRIES_AT = `SELECT ${ENTRY_COLUMNS} FROM workspace_entries WHERE path IN (SELECT value FROM json_each(?))`
/** SQL for the place of the first slash behind a directory's own path; 0 for a path of the directory itself. */
const SLASH = "instr(substr(along.path, length(?1) + 1), '/')"
/**
 * SQL for the entries of a directory, whose range of paths ?1 to ?2 is. It goes along the paths: behind a path of the directory itself
 * to the next one, and from the first path below one of its directories to the first that is no more below it. No path has a NUL, so
 * the next one after a path is at or behind it with a character of code 1.
 */
const ENTRIES_IN = `WITH RECURSIVE along(path) AS (
    SELECT (SELECT path FROM workspace_entries WHERE path >= ?1 AND path < ?2 ORDER BY path LIMIT 1)
    UNION ALL
    SELECT (SELECT path FROM workspace_entries WHERE path < ?2 AND path >= CASE ${SLASH}
        WHEN 0 THEN along.path || char(1) ELSE substr(along.path, 1, length(?1) + ${SLASH} - 1) || '0' END
        ORDER BY path LIMIT 1)
      FROM along WHERE along.path IS NOT NULL)
  SELECT ${ENTRY_COLUMNS.split(', ')
    .map((column) => `e.${column}`)
    .join(', ')} FROM along CROSS JOIN workspace_entries e ON e.path = along.path WHERE ${SLASH} = 0 LIMIT ?3`
const ENTRIES_BETWEEN = `SELECT ${ENTRY_COLUMNS} FROM workspace_entries WHERE path >= ? AND path < ? ORDER BY path LIMIT ?`

export function listEntries(
  sql: Sql,
  dir: WorkspacePath,
  { recursive = false, except = [], limit = Number.MAX_SAFE_INTEGER - 1, after }: ListOptions,
): WorkspaceListing {
  // One row more than the limit says whether there are more.
  const rows = recursive ? rowsBelow(sql, pathsBelowExcept(dir, except, after), limit + 1) : rowsIn(sql, dir, limit + 1)
  const truncated = rows.length > limit
  return { entries: (truncated ? rows.slice(0, limit) : rows).map(entryFromRow), truncated }
}

function rowsIn(sql: Sql, dir: WorkspacePath, limit: number): EntryRow[] {
  const { from, to } = pathsBelow(dir)
  return sql.all<EntryRow>(ENTRIES_IN, from, to, limit)
}

function rowsBelow(sql: Sql, ranges: readonly PathRange[], limit: number): EntryRow[] {
  const rows: EntryRow[] = []
  for (const { from, to } of ranges) {
    if (rows.length >= limit) break
    const more = sql.all<EntryRow>(ENTRIES_BETWEEN, from, to, limit - rows.length)
    for (const row of more) rows.push(row)
  }
  return rows
}

/** Every entry but the root, sorted by path, fetched in pages: a commit during the walk may show in the rest of it. */
export function allEntries(sql: Sql): Iterable<WorkspaceEntry> {
  return walk((after) =>
    sql.all<EntryRow>(
      `SELECT ${ENTRY_COLUMNS} FROM workspace_entries WHERE path > ? ORDER BY path LIMIT ?`,
      after,
      PAGE_ROWS,
    ),
  )
}

/** Walks entries through pages that start behind a path; an empty page ends the walk. */
export function* walk(page: (after: string) => readonly EntryRow[]): Iterable<WorkspaceEntry> {
  let after = ''
  for (let rows = page(after); rows.length > 0; rows = page(after)) {
    for (const row of rows) yield entryFromRow(row)
    after = rows.at(-1)?.path ?? after
  }
}

/** Totals of a workspace, kept with every commit, so that reading them scans nothing. */
export type WorkspaceState = {
  /** Number of the newest commit; 0 before the first. */
  readonly head: number
  readonly entries: number
  readonly bytes: number
  /** Rows of history, and the sizes of the contents they refer to. */
  readonly kept_changes: number
  readonly kept_bytes: number
  /** Bytes of contents held in SQLite. */
  readonly local_bytes: number
}

/** Totals after the newest commit: the stored totals, and what the commits since then added. */
export function readState(sql: Sql): WorkspaceState {
  const [state] = sql.all<WorkspaceState>(READ_STATE)
  if (!state) throw new Error('the tables of this workspace were not made')
  return state
}

/** Stores the totals, before something else changes them or drops commits. */
export function foldTotals(sql: Sql): void {
  sql.run(`UPDATE workspace_state SET (head, entries, bytes, kept_changes, kept_bytes, local_bytes) = (${READ_STATE})`)
}

/** SQL for the number of the newest commit, for use in other statements. */
export const HEAD = '(SELECT max(head, coalesce((SELECT max(seq) FROM workspace_commits), 0)) FROM workspace_state)'

const added = (column: string) => `coalesce(sum(c.${column}), 0)`
const READ_STATE = `SELECT coalesce(max(c.seq), s.head) AS head,
    s.entries + ${added('grown_entries')} AS entries, s.bytes + ${added('grown_bytes')} AS bytes,
    s.kept_changes + ${added('changed')} AS kept_changes, s.kept_bytes + ${added('superseded_bytes')} AS kept_bytes,
    s.local_bytes + ${added('local_bytes')} AS local_bytes
  FROM workspace_state s LEFT JOIN workspace_commits c ON c.seq > s.head`
