import type { Sql, SqlRow } from '../../ports/sql.ts'
import { blobFromColumn } from '../bytes.ts'

/**
 * Contents as one array of bytes, which SQLite puts together and takes apart: a row or an array of its own for each of many small
 * contents takes longer to pass from object to object than what is in it.
 */
interface PackedContents {
  /** JSON list of texts, a content's hash and its size, in the order of the bytes. */
  readonly places: string
  readonly bytes: Uint8Array
}

/** Page of small contents that are not known to be in the blob store. */
export interface ContentPage {
  readonly parts: readonly PackedContents[]
  /** Hash behind which the next page begins; null on the last one. */
  readonly next: string | null
}

/** Contents that something refers to and that are not known to be in the blob store, from behind a hash. */
export function unsentPage(sql: Sql, after: string): ContentPage {
  const parts: PackedContents[] = []
  let [behind, bytes, rows] = [after, 0, PART_CONTENTS]
  while (bytes < PAGE_BYTES) {
    rows = rowsWithin(sql, behind, rows)
    const [part] = sql.all<Part>(PART, behind, rows)
    if (!part || part.last === null) return { parts, next: null }
    const packed = { places: part.places, bytes: blobFromColumn(part.bytes) }
    parts.push(packed)
    bytes += packed.bytes.length + packed.places.length
    behind = part.last
    if (part.found < rows) return { parts, next: null }
  }
  return { parts, next: behind }
}

/** Number of contents from behind a hash, of so many at most, that surely fit into a value. */
function rowsWithin(sql: Sql, after: string, most: number): number {
  for (let rows = most; rows > 1; ) {
    const [sum] = sql.all<{ bytes: number }>(SUM, after, rows)
    const bytes = sum?.bytes ?? 0
    if (bytes <= PART_BYTES) return rows
    // As many of their average size, and never as many as before.
    rows = Math.max(1, Math.min(Math.floor((rows * PART_BYTES) / bytes), rows - 1))
  }
  return 1
}

/** Puts contents into the empty workspace of a fork. What refers to them is noted later. */
export function putContents(sql: Sql, { places, bytes }: PackedContents): void {
  let at = 1
  const placed = (JSON.parse(places) as string[]).map((place) => {
    const first = at
    at += Number(place.slice(HASH_CHARS))
    return `${place.slice(0, HASH_CHARS)}${String(first).padStart(AT_CHARS, '0')}${place.slice(HASH_CHARS)}`
  })
  const [{ newest } = { newest: 0 }] = sql.all<{ newest: number }>(NEWEST)
  sql.run(PUT, newest, JSON.stringify(placed), bytes)
}

type Part = SqlRow & {
  readonly places: string
  readonly last: string | null
  /** Contents that were looked at. */
  readonly found: number
}

const HASH_CHARS = 64
/** Width of the number of a content's first byte, in the texts that SQLite takes apart. */
const AT_CHARS = 8
/** Contents of one part: their hashes and sizes are a text of less than a MiB. */
const PART_CONTENTS = 10_000
/** Bytes of one part, unless it is one content: a value of a Durable Object's database has 2 MB at most. */
const PART_BYTES = 1024 * 1024
/** Bytes from which on a page is full, those of the places among them: both objects hold it in memory. */
const PAGE_BYTES = 4 * 1024 * 1024

const UNSENT = `FROM workspace_blobs
  WHERE remote <> 'yes' AND refs > 0 AND local IS NOT NULL AND hash > ? ORDER BY hash LIMIT ?`
const SUM = `SELECT coalesce(sum(size), 0) AS bytes FROM (SELECT size ${UNSENT})`
// `group_concat` takes bytes as they are, and both lists have the order in which the rows come, whichever it is: that of the
// contents, which are read once each then.
const PART = `SELECT json_group_array(b.hash || length(c.content)) AS places, CAST(group_concat(c.content, '') AS BLOB) AS bytes,
    max(b.hash) AS last, count(*) AS found
  FROM (SELECT hash, local FROM (SELECT hash, local ${UNSENT}) ORDER BY local) b CROSS JOIN workspace_contents c ON c.id = b.local`

const NEWEST = 'SELECT coalesce(max(id), 0) AS newest FROM workspace_contents'
const SIZE = `CAST(substr(value, ${HASH_CHARS + AT_CHARS + 1}) AS INTEGER)`
// SQLite takes a part of no bytes at all for NULL.
const PUT = `INSERT INTO workspace_contents (id, hash, size, content)
  SELECT ?1 + 1 + key, substr(value, 1, ${HASH_CHARS}), ${SIZE},
      coalesce(substr(?3, CAST(substr(value, ${HASH_CHARS + 1}, ${AT_CHARS}) AS INTEGER), ${SIZE}), x'')
    FROM json_each(?2)`
