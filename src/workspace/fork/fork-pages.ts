import type { Sql, SqlRow } from '../../ports/sql.ts'
import { blobFromColumn } from '../bytes.ts'
import type { HashedContent } from '../contents.ts'
import { ENTRY_COLUMNS } from '../entry-row.ts'
import { rowsAsOf } from '../history/as-of.ts'
import { requireKept } from '../history/kept.ts'

/** Page of a workspace's entries: rows as JSON, which the database of the other session takes as they are. */
export interface EntryPage {
  readonly texts: readonly string[]
  /** Path behind which the next page begins; null on the last one. */
  readonly next: string | null
}

/** Page of small contents that are not known to be in the blob store. */
export interface ContentPage {
  readonly contents: readonly HashedContent[]
  readonly next: string | null
}

/** Entries as of a commit, from behind a path. @throws FailureError `not_found` for a commit that is not kept */
export function entryPage(sql: Sql, commit: number, after: string): EntryPage {
  requireKept(sql, commit)
  const parts = sql.all<{ text: string; last: string; rows: number }>(PAGE, commit, after)
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const last = parts.at(-1)
  const isWhole = rows < PAGE_ROWS && parts.length < PAGE_TEXTS
  return { texts: parts.map(({ text }) => text), next: last && !isWhole ? last.last : null }
}

/** Contents that something refers to and that are not known to be in the blob store, from behind a hash. */
export function unsentPage(sql: Sql, after: string): ContentPage {
  const unsent = sql.all<{ hash: string; size: number; local: number }>(UNSENT, after)
  const room = { bytes: PAGE_CONTENT_BYTES }
  const within = unsent.filter(({ size }, at) => {
    room.bytes -= size
    return at === 0 || room.bytes >= 0
  })
  const rows = sql.all<SqlRow & { hash: string }>(CONTENTS, JSON.stringify(within.map(({ local }) => local)))
  const contents = rows.map(({ hash, content }) => ({ hash, content: blobFromColumn(content) }))
  const isLast = within.length === unsent.length && unsent.length < PAGE_CONTENTS
  return { contents, next: isLast ? null : (within.at(-1)?.hash ?? null) }
}

/** Rows of one page: what SQLite holds at once stays far below the memory of an isolate, with the longest paths too. */
const PAGE_ROWS = 10_000
/** Length of one text: a value of a Durable Object's database has 2 MB at most, and a character up to four bytes. */
const TEXT_CHARS = 400_000
/** Texts of one page: an RPC message has 32 MiB at most. */
const PAGE_TEXTS = 16
/** Contents of one page, and their bytes: both objects hold a page in memory. */
const PAGE_CONTENTS = 2_000
const PAGE_CONTENT_BYTES = 4 * 1024 * 1024

const PAGE = `WITH lines AS (
    SELECT path, json_array(${ENTRY_COLUMNS}) AS line FROM (${rowsAsOf('x.path > ?2')} ORDER BY path LIMIT ${PAGE_ROWS})),
  parts AS (SELECT path, line, sum(length(line)) OVER (ORDER BY path) / ${TEXT_CHARS} AS part FROM lines)
  SELECT '[' || group_concat(line, ',') || ']' AS text, max(path) AS last, count(*) AS rows
    FROM parts WHERE part < ${PAGE_TEXTS} GROUP BY part ORDER BY part`

const UNSENT = `SELECT hash, size, local FROM workspace_blobs
  WHERE remote <> 'yes' AND refs > 0 AND local IS NOT NULL AND hash > ? ORDER BY hash LIMIT ${PAGE_CONTENTS}`
const CONTENTS =
  'SELECT c.hash, c.content FROM json_each(?) wanted CROSS JOIN workspace_contents c ON c.id = wanted.value'
