import { EXPORT_PAGE_ROWS } from '../../core/limits/export.ts'
import type { Sql } from '../../ports/sql.ts'
import type { WorkspaceEntry } from '../../ports/workspace.ts'
import { ENTRY_COLUMNS, type EntryRow, entryFromRow } from '../entry-row.ts'
import type { Commit } from '../history/commits.ts'

/** State of a path before a commit; null where there was nothing. */
export interface NotedChange {
  readonly commit: number
  readonly path: string
  readonly before: WorkspaceEntry | null
}

/** Commits behind one, up to another, oldest first: EXPORT_PAGE_ROWS at most. */
export const pageOfCommits = (sql: Sql, after: number, upTo: number): Commit[] =>
  sql.all<Commit & Record<string, string | number>>(COMMITS, after, upTo)

/** Noted states behind a commit and a path, up to a commit: EXPORT_PAGE_ROWS at most. Those that a snapshot keeps are among them. */
export const pageOfNoted = (sql: Sql, after: { readonly number: number; readonly text: string }, upTo: number) =>
  sql.all<NotedRow>(NOTED, after.number, after.text, upTo).map(({ seq, ...row }): NotedChange => {
    const { kind } = row
    return { commit: seq, path: row.path, before: kind === null ? null : entryFromRow({ ...row, kind } as EntryRow) }
  })

/**
 * Contents behind a hash that something refers to: EXPORT_PAGE_ROWS are looked at.
 * @param alsoOfFiles whether contents of present files are among them
 */
export function pageOfContents(
  sql: Sql,
  after: string,
  alsoOfFiles: boolean,
): { readonly contents: readonly StoredRow[]; readonly looked: number; readonly last: string } {
  const found = sql.all<StoredRow>(CONTENTS, after)
  const hashes = JSON.stringify(found.map(({ hash }) => hash))
  const ofFiles = alsoOfFiles ? [] : sql.all<{ hash: string }>(OF_FILES, hashes)
  const left = new Set(ofFiles.map(({ hash }) => hash))
  return {
    contents: found.filter(({ hash }) => !left.has(hash)),
    looked: found.length,
    last: found.at(-1)?.hash ?? after,
  }
}

type StoredRow = { readonly hash: string; readonly size: number }
type NotedRow = Omit<EntryRow, 'kind'> & { readonly seq: number; readonly kind: EntryRow['kind'] | null }

const COMMITS = `SELECT seq, call_id AS callId, at, changed FROM workspace_commits
  WHERE seq > ?1 AND seq <= ?2 ORDER BY seq LIMIT ${EXPORT_PAGE_ROWS}`
const NOTED = `SELECT seq, ${ENTRY_COLUMNS} FROM workspace_changes
  WHERE (seq, path) > (?1, ?2) AND seq <= ?3 ORDER BY seq, path LIMIT ${EXPORT_PAGE_ROWS}`
const CONTENTS = `SELECT hash, size FROM workspace_blobs WHERE refs > 0 AND hash > ?1 ORDER BY hash LIMIT ${EXPORT_PAGE_ROWS}`
const OF_FILES = `SELECT DISTINCT hash FROM workspace_entries WHERE hash IN (SELECT value FROM json_each(?1))`
