import { ROOT, type WorkspacePath } from '../core/workspace-path.ts'
import type { Sql } from '../ports/sql.ts'
import type { ListOptions, WorkspaceEntry, WorkspaceListing } from '../ports/workspace.ts'
import { ENTRY_COLUMNS, type EntryRow, entryFromRow } from './entry-row.ts'
import { pathsBelowExcept } from './path-range.ts'

/** Rows fetched at once while everything is walked: a few hundred KiB. */
const PAGE_ROWS = 1_000

/** The root has no row: it always exists. */
const ROOT_ENTRY: WorkspaceEntry = { path: ROOT, kind: 'directory', mode: 0o755, mtimeMs: 0 }

export function entryAt(sql: Sql, path: WorkspacePath): WorkspaceEntry | null {
  if (path === ROOT) return ROOT_ENTRY
  const [row] = sql.all<EntryRow>(ENTRY_AT, path)
  return row ? entryFromRow(row) : null
}

// Texts that are made anew each time are prepared anew, too.
const ENTRY_AT = `SELECT ${ENTRY_COLUMNS} FROM workspace_entries WHERE path = ?`
const ENTRIES_IN = `SELECT ${ENTRY_COLUMNS} FROM workspace_entries WHERE parent = ? ORDER BY path LIMIT ?`
const ENTRIES_BETWEEN = `SELECT ${ENTRY_COLUMNS} FROM workspace_entries WHERE path >= ? AND path < ? ORDER BY path LIMIT ?`

export function listEntries(
  sql: Sql,
  dir: WorkspacePath,
  { recursive = false, except = [], limit = Number.MAX_SAFE_INTEGER - 1 }: ListOptions,
): WorkspaceListing {
  // One row more than asked for says whether there are more.
  const rows = recursive ? rowsBelow(sql, dir, except, limit + 1) : rowsIn(sql, dir, limit + 1)
  const truncated = rows.length > limit
  return { entries: (truncated ? rows.slice(0, limit) : rows).map(entryFromRow), truncated }
}

function rowsIn(sql: Sql, dir: WorkspacePath, limit: number): EntryRow[] {
  return sql.all<EntryRow>(ENTRIES_IN, dir, limit)
}

function rowsBelow(sql: Sql, dir: WorkspacePath, except: readonly WorkspacePath[], limit: number): EntryRow[] {
  const rows: EntryRow[] = []
  for (const { from, to } of pathsBelowExcept(dir, except)) {
    if (rows.length >= limit) break
    const more = sql.all<EntryRow>(ENTRIES_BETWEEN, from, to, limit - rows.length)
    for (const row of more) rows.push(row)
  }
  return rows
}

/** Every entry but the root, sorted by path, fetched in pages: a commit in the middle of the walk may show in its rest. */
export function allEntries(sql: Sql): Iterable<WorkspaceEntry> {
  return walk((after) =>
    sql.all<EntryRow>(
      `SELECT ${ENTRY_COLUMNS} FROM workspace_entries WHERE path > ? ORDER BY path LIMIT ?`,
      after,
      PAGE_ROWS,
    ),
  )
}

/** Entry by entry through pages that start behind a path; an empty page ends it. */
export function* walk(page: (after: string) => readonly EntryRow[]): Iterable<WorkspaceEntry> {
  let after = ''
  for (let rows = page(after); rows.length > 0; rows = page(after)) {
    for (const row of rows) yield entryFromRow(row)
    after = rows.at(-1)?.path ?? after
  }
}

/** Kept with every commit, so that knowing them scans nothing. */
export type WorkspaceState = {
  /** The newest commit's number; 0 before the first. */
  readonly head: number
  readonly entries: number
  readonly bytes: number
  /** Rows of history, and the sizes of the contents they refer to. */
  readonly kept_changes: number
  readonly kept_bytes: number
  /** Contents held in SQLite. */
  readonly local_bytes: number
}

export function readState(sql: Sql): WorkspaceState {
  const [state] = sql.all<WorkspaceState>('SELECT * FROM workspace_state')
  if (!state) throw new Error('the tables of this workspace were not made')
  return state
}
