import type { Sql } from '../../ports/sql.ts'
import { rowsAsOf } from '../history/as-of.ts'
import { keptRange, requireKept } from '../history/kept.ts'
import { PACKED_CHARS, PACKED_ENTRY } from './packed-entries.ts'

/** Page of a workspace's entries: JSON lists of texts as in `packed-entries.ts`, which the other session's database takes apart. */
export interface EntryPage {
  readonly texts: readonly string[]
  /** Path behind which the next page begins; null on the last one. */
  readonly next: string | null
}

/** Page of hashes of contents that the blob store has, or may have. */
export interface StoredPage {
  readonly hashes: readonly string[]
  readonly next: string | null
}

/** Entries as of a commit, from behind a path. @throws FailureError `not_found` for a commit that is not kept */
export function entryPage(sql: Sql, commit: number, after: string): EntryPage {
  requireKept(sql, commit)
  if (commit === keptRange(sql).head) return pageNow(sql, after)
  const parts = sql.all<Part>(PAGE_THEN, commit, after)
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const last = parts.at(-1)
  const isWhole = rows < PAGE_ROWS && parts.length < PAGE_TEXTS
  return { texts: parts.map(({ text }) => text), next: last && !isWhole ? last.last : null }
}

/** Entries as they are now: texts of a number of rows take a third of the time of texts of a length. */
function pageNow(sql: Sql, after: string): EntryPage {
  const texts: string[] = []
  let behind = after
  for (let rows = 0; rows < PAGE_ROWS && texts.length < PAGE_TEXTS; ) {
    const limit = rowsOfText(sql, behind)
    const [part] = sql.all<Part>(TEXT_NOW, behind, limit)
    if (!part || part.last === null) return { texts, next: null }
    texts.push(part.text)
    behind = part.last
    rows += part.rows
    if (part.rows < limit) return { texts, next: null }
  }
  return { texts, next: behind }
}

/** Number of rows from behind a path whose text surely fits into a value. */
function rowsOfText(sql: Sql, after: string): number {
  for (let rows = TEXT_ROWS; rows > 1; rows = Math.floor(rows / 2)) {
    const [bound] = sql.all<{ bytes: number }>(TEXT_BOUND, after, rows)
    if ((bound?.bytes ?? 0) <= TEXT_BYTES) return rows
  }
  return 1
}

/** Number of contents that the blob store has for this session, or may have. */
export const countStored = (sql: Sql): number => sql.all<{ count: number }>(COUNT_STORED)[0]?.count ?? 0

/** Contents that the blob store has for this session, or may have, from behind a hash. */
export function storedPage(sql: Sql, after: string): StoredPage {
  const hashes = sql.all<{ hash: string }>(STORED, after).map(({ hash }) => hash)
  return { hashes, next: hashes.length < PAGE_HASHES ? null : (hashes.at(-1) ?? null) }
}

type Part = { readonly text: string; readonly last: string; readonly rows: number }

/** Rows of one page: what SQLite holds at once stays far below the memory of an isolate, with the longest paths too. */
const PAGE_ROWS = 10_000
/** Length of one text: a value of a Durable Object's database has 2 MB at most, and a character takes six bytes of JSON at most. */
const TEXT_CHARS = 300_000
/** Rows of a text whose length is not measured: at most TEXT_BYTES with paths of a hundred characters. */
const TEXT_ROWS = 2_000
const TEXT_BYTES = 1_600_000
/** Texts of one page: an RPC message has 32 MiB at most. */
const PAGE_TEXTS = 16
/** Hashes of one page: less than a MiB. */
const PAGE_HASHES = 10_000

const PAGE_THEN = `WITH lines AS (
    SELECT path, ${PACKED_ENTRY} AS line FROM (${rowsAsOf('x.path > ?2')} ORDER BY path LIMIT ${PAGE_ROWS})),
  parts AS (SELECT path, line, sum(length(line)) OVER (ORDER BY path) / ${TEXT_CHARS} AS part FROM lines)
  SELECT json_group_array(line) AS text, max(path) AS last, count(*) AS rows
    FROM parts WHERE part < ${PAGE_TEXTS} GROUP BY part ORDER BY part`

// A character takes six bytes of JSON at most.
const TEXT_BOUND = `SELECT coalesce(sum(${PACKED_CHARS} + 6 * (length(path) + coalesce(length(target), 0))), 0) AS bytes
  FROM (SELECT path, target FROM workspace_entries WHERE path > ? ORDER BY path LIMIT ?)`
const TEXT_NOW = `SELECT json_group_array(line) AS text, max(path) AS last, count(*) AS rows
  FROM (SELECT path, ${PACKED_ENTRY} AS line FROM workspace_entries WHERE path > ? ORDER BY path LIMIT ?)`

const COUNT_STORED = `SELECT count(*) AS count FROM workspace_blobs WHERE remote <> 'no'`
const STORED = `SELECT hash FROM workspace_blobs WHERE remote <> 'no' AND hash > ? ORDER BY hash LIMIT ${PAGE_HASHES}`
