import { fail } from '../core/failure.ts'
import {
  COMMIT_RETENTION_MS,
  EXPIRE_BATCH_COMMITS,
  MAX_COMMITS,
  MAX_KEPT_BYTES,
  MAX_KEPT_CHANGES,
  MAX_WORKSPACE_BYTES,
  MAX_WORKSPACE_ENTRIES,
} from '../core/limits/workspace.ts'
import type { CallFile } from '../core/outcome.ts'
import type { WorkspacePath } from '../core/workspace-path.ts'
import type { Sql, SqlRow } from '../ports/sql.ts'
import type { WorkspaceEntry } from '../ports/workspace.ts'
import { ENTRY_COLUMNS, type EntryRow, entryFromRow, pathFromRow } from './entry-row.ts'
import { foldTotals, HEAD, readState, type WorkspaceState, walk } from './manifest.ts'
import { compareCodePoints, type PathRange } from './path-range.ts'

/** One commit of a workspace. */
interface Commit {
  readonly seq: number
  /** Id of the call that made the commit. */
  readonly callId: string
  readonly at: number
  /** Number of paths that differ from the commit before. */
  readonly changed: number
}

export interface CommitPage {
  readonly commits: readonly Commit[]
  /** The `before` of the next page; absent on the last one. */
  readonly next?: number
}

/** One path in two states; null where it does not exist. */
export interface Difference {
  readonly path: WorkspacePath
  readonly before: WorkspaceEntry | null
  readonly after: WorkspaceEntry | null
}

const PAGE_ROWS = 1_000

/**
 * Ends a commit inside the caller's transaction: the rows noted under `seq` become part of history, and blobs and totals are
 * counted.
 * @returns the hashes of changed files; null when nothing has changed, and no commit is made then
 * @throws FailureError `limit_exceeded`
 */
export function sealCommit(
  sql: Sql,
  commit: { readonly seq: number; readonly callId: string; readonly at: number },
): ReadonlySet<string> | null {
  const { seq, callId, at } = commit
  foldTotals(sql)
  let sum = sumOf(sql, seq)
  if (sum.vain > 0) {
    sql.all(
      `DELETE FROM workspace_changes WHERE seq = ?1 AND path IN (SELECT c.path FROM ${CHANGED} WHERE c.seq = ?1 AND ${VAIN})`,
      seq,
    )
    sum = sumOf(sql, seq)
  }
  if (sum.changed === 0) return null

  // A reference moves from the manifest to history with its row; only the present entries are new.
  const referred = sql.all<{ hash: string }>(
    `INSERT INTO workspace_blobs (hash, size, refs, remote)
       SELECT e.hash, e.size, count(*), 'no' FROM workspace_changes c JOIN workspace_entries e ON e.path = c.path
         WHERE c.seq = ? AND e.hash IS NOT NULL GROUP BY e.hash
       ON CONFLICT (hash) DO UPDATE SET refs = refs + excluded.refs RETURNING hash`,
    seq,
  )
  sql.all(
    'INSERT INTO workspace_commits (seq, call_id, at, changed, superseded_bytes) VALUES (?, ?, ?, ?, ?)',
    seq,
    callId,
    at,
    sum.changed,
    sum.superseded,
  )
  const [state] = sql.all<WorkspaceState>(
    `UPDATE workspace_state SET head = ?, entries = entries + ?, bytes = bytes + ?,
       kept_changes = kept_changes + ?, kept_bytes = kept_bytes + ? RETURNING *`,
    seq,
    sum.entries,
    sum.bytes,
    sum.changed,
    sum.superseded,
  )
  if (state) requireRoom(state, sum)
  return new Set(referred.map(({ hash }) => hash))
}

/** SQL for the rows that a commit noted, beside the present entries. */
const CHANGED = 'workspace_changes c LEFT JOIN workspace_entries e ON e.path = c.path'
/** SQL for a path that ends as it began: made and removed again, or written with the very same content. */
const VAIN = '(e.kind, e.hash, e.mode, e.mtime, e.target) IS (c.kind, c.hash, c.mode, c.mtime, c.target)'

interface Sum {
  readonly changed: number
  /** Number of these paths that end as they began. */
  readonly vain: number
  /** Growth of the workspace in entries. */
  readonly entries: number
  readonly bytes: number
  /** Bytes that only history refers to from now on. */
  readonly superseded: number
}

function sumOf(sql: Sql, seq: number): Sum {
  const [sum] = sql.all<Sum & SqlRow>(
    `SELECT count(*) AS changed, coalesce(sum(${VAIN}), 0) AS vain, count(e.path) - count(c.kind) AS entries,
            coalesce(sum(e.size), 0) - coalesce(sum(c.size), 0) AS bytes, coalesce(sum(c.size), 0) AS superseded
       FROM ${CHANGED} WHERE c.seq = ?`,
    seq,
  )
  if (!sum) throw new Error('a sum has a row')
  return sum
}

/**
 * Checks the totals after a commit. A workspace that became too large by other means may still shrink. @throws FailureError
 * `limit_exceeded`
 */
export function requireRoom(
  state: Pick<WorkspaceState, 'entries' | 'bytes'>,
  grown: { readonly entries: number; readonly bytes: number },
): void {
  if (grown.entries > 0 && state.entries > MAX_WORKSPACE_ENTRIES) {
    fail(
      'limit_exceeded',
      `the workspace would hold ${state.entries} files and directories; at most ${MAX_WORKSPACE_ENTRIES} are allowed ` +
        '(MAX_WORKSPACE_ENTRIES); remove some first',
    )
  }
  if (grown.bytes > 0 && state.bytes > MAX_WORKSPACE_BYTES) {
    fail(
      'limit_exceeded',
      `the workspace would hold ${state.bytes} bytes; at most ${MAX_WORKSPACE_BYTES} are allowed ` +
        '(MAX_WORKSPACE_BYTES); remove some files first',
    )
  }
}

/** Page of commits, newest first. */
export function listCommits(
  sql: Sql,
  { limit, before }: { readonly limit: number; readonly before?: number },
): CommitPage {
  const commits = sql.all<{ seq: number; callId: string; at: number; changed: number }>(
    'SELECT seq, call_id AS callId, at, changed FROM workspace_commits WHERE seq < ? ORDER BY seq DESC LIMIT ?',
    before ?? Number.MAX_SAFE_INTEGER,
    limit + 1,
  )
  const page = commits.slice(0, limit)
  const last = page.at(-1)
  return commits.length > limit && last ? { commits: page, next: last.seq } : { commits: page }
}

/** SQL for the first change after commit ?1 of each changed path. It reads all changes since: they have no index by path. */
const FIRST_SINCE = 'SELECT min(seq) AS seq, path FROM workspace_changes WHERE seq > ?1 GROUP BY path'

/**
 * SQL for the rows, as of commit ?1, of the paths that `filter` accepts. The state of a path is the one noted by its first later
 * change, or the present one when nothing changed it since.
 */
const rowsAsOf = (filter: string) => `
  WITH first AS MATERIALIZED (${FIRST_SINCE})
  SELECT ${columnsOf('x')} FROM first JOIN workspace_changes x ON x.seq = first.seq AND x.path = first.path
    WHERE x.kind IS NOT NULL AND ${filter}
  UNION ALL
  SELECT ${columnsOf('x')} FROM workspace_entries x WHERE ${filter} AND x.path NOT IN (SELECT path FROM first)`

function columnsOf(table: string): string {
  return ENTRY_COLUMNS.split(', ')
    .map((column) => `${table}.${column}`)
    .join(', ')
}

/** Entry of a path as of a commit. @throws FailureError `not_found` when that commit is unknown or no longer kept */
export function entryAsOf(sql: Sql, path: WorkspacePath, seq: number): WorkspaceEntry | null {
  requireKept(sql, seq)
  const [row] = sql.all<EntryRow>(rowsAsOf('x.path = ?2'), seq, path)
  return row ? entryFromRow(row) : null
}

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

/** Files and links that commits of one call after `seq` changed, sorted by path, without those of repositories' own directories. */
export function changedByCall(
  sql: Sql,
  { callId, seq, limit }: { readonly callId: string; readonly seq: number; readonly limit: number },
): { readonly files: readonly CallFile[]; readonly count: number } {
  // With `min`, SQLite takes the other columns of a group from the row of its least `seq`: the state before the call.
  const changed = `SELECT path, old, new, size FROM (
      SELECT c.path, c.kind AS old, min(c.seq) AS seq, e.kind AS new, e.size
        FROM workspace_commits o JOIN workspace_changes c ON c.seq = o.seq LEFT JOIN workspace_entries e ON e.path = c.path
        WHERE o.seq > ?1 AND o.call_id = ?2 GROUP BY c.path)
    WHERE coalesce(new, old) IN ('file', 'link') AND '/' || path NOT LIKE '%/.git/%'`
  const [total] = sql.all<{ count: number }>(`SELECT count(*) AS count FROM (${changed})`, seq, callId)
  const rows = sql.all<{ path: string; old: string | null; new: string | null; size: number | null }>(
    `${changed} ORDER BY path LIMIT ?3`,
    ...[seq, callId, limit],
  )
  const files = rows.map((row): CallFile => {
    const change = row.new === null ? 'deleted' : row.old === null ? 'created' : 'modified'
    return { path: row.path, change, size: row.new === null ? null : (row.size ?? 0) }
  })
  return { files, count: total?.count ?? 0 }
}

/**
 * Restores the manifest to its state after commit `target`, noted under `seq`, inside the caller's transaction.
 * @throws FailureError `not_found`
 */
export function rewind(sql: Sql, target: number, seq: number): void {
  requireKept(sql, target)
  const columns = ENTRY_COLUMNS.split(', ').map((column) => (column === 'path' ? 't.path' : `e.${column}`))
  sql.all(
    `INSERT INTO workspace_changes (seq, ${ENTRY_COLUMNS})
       SELECT ?, ${columns.join(', ')} FROM (SELECT DISTINCT path FROM workspace_changes WHERE seq > ?) t
         LEFT JOIN workspace_entries e ON e.path = t.path`,
    seq,
    target,
  )
  sql.all('DELETE FROM workspace_entries WHERE path IN (SELECT path FROM workspace_changes WHERE seq = ?)', seq)
  sql.all(
    `INSERT INTO workspace_entries (${ENTRY_COLUMNS})
       SELECT ${columnsOf('x')} FROM (${FIRST_SINCE}) first
         JOIN workspace_changes x ON x.seq = first.seq AND x.path = first.path WHERE x.kind IS NOT NULL`,
    target,
  )
}

/**
 * Drops commits older than COMMIT_RETENTION_MS, and the oldest beyond the limits on history, a batch at a time.
 * @returns true when there is more to drop
 */
export function expireCommits(sql: Sql, now: number): boolean {
  return sql.transaction(() => {
    const last = lastToExpire(sql, now)
    if (last === null) return false
    foldTotals(sql)
    sql.all(
      `UPDATE workspace_blobs AS b SET refs = b.refs - gone.lost
         FROM (SELECT hash, count(*) AS lost FROM workspace_changes
                WHERE seq <= ? AND hash IS NOT NULL GROUP BY hash) AS gone
        WHERE b.hash = gone.hash`,
      last,
    )
    sql.all(
      `UPDATE workspace_state SET kept_changes = kept_changes - gone.changes, kept_bytes = kept_bytes - gone.bytes
         FROM (SELECT coalesce(sum(changed), 0) AS changes, coalesce(sum(superseded_bytes), 0) AS bytes
                 FROM workspace_commits WHERE seq <= ?) AS gone`,
      last,
    )
    sql.all('DELETE FROM workspace_changes WHERE seq <= ?', last)
    sql.all('DELETE FROM workspace_commits WHERE seq <= ?', last)
    return lastToExpire(sql, now) !== null
  })
}

/** The newest commit of the next batch to drop; null when all may stay. */
function lastToExpire(sql: Sql, now: number): number | null {
  const oldest = sql.all<{ seq: number; at: number; changed: number; superseded_bytes: number }>(
    `SELECT seq, at, changed, superseded_bytes FROM workspace_commits ORDER BY seq LIMIT ${EXPIRE_BATCH_COMMITS}`,
  )
  const { head, ...kept } = readState(sql)
  let { kept_changes: changes, kept_bytes: bytes } = kept
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

function isKept(sql: Sql, seq: number): boolean {
  const [range] = sql.all<{ oldest: number | null; head: number }>(
    `SELECT (SELECT min(seq) FROM workspace_commits) AS oldest, ${HEAD} AS head`,
  )
  if (!range || !Number.isInteger(seq)) return false
  // The rows of the oldest kept commit hold the state before it.
  return seq <= range.head && seq >= (range.oldest ?? range.head + 1) - 1
}

/** @throws FailureError `not_found` for a commit that is unknown or no longer kept */
export function requireKept(sql: Sql, seq: number): void {
  if (!isKept(sql, seq))
    fail('not_found', `there is no commit ${seq}, or it is no longer kept; list the commits to see which are`)
}
