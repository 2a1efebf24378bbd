import type { Sql } from '../ports/sql.ts'

/** A content with its hash. */
interface Kept {
  readonly hash: string
  readonly content: Uint8Array
}

/** Bytes of one batch, which go as one parameter: a Durable Object takes 2 MB. */
const BATCH_BYTES = 1024 * 1024
/** Contents of one batch: their hashes go as one text. */
const BATCH_CONTENTS = 2_000

/**
 * Keeps many small contents, of rows that exist, in SQLite by a few statements, inside the caller's transaction. What is kept
 * already stays.
 */
export function keepMany(sql: Sql, blobs: readonly Kept[]): void {
  const distinct = [...new Map(blobs.map((blob) => [blob.hash, blob])).values()]
  for (let from = 0; from < distinct.length; ) {
    const batch = batchFrom(distinct, from)
    keepBatch(sql, batch)
    from += batch.length
  }
}

/** Contents from a place on that go together; at least one. */
function batchFrom(blobs: readonly Kept[], from: number): readonly Kept[] {
  let bytes = 0
  let to = from
  for (let blob = blobs[to]; blob && to - from < BATCH_CONTENTS; blob = blobs[++to]) {
    bytes += blob.content.length
    if (bytes > BATCH_BYTES && to > from) break
  }
  return blobs.slice(from, to)
}

function keepBatch(sql: Sql, blobs: readonly Kept[]): void {
  // One byte more: SQLite takes a part of no bytes for NULL.
  const bytes = new Uint8Array(blobs.reduce((sum, { content }) => sum + content.length, 1))
  const places: [hash: string, first: number, length: number][] = []
  let at = 0
  for (const { hash, content } of blobs) {
    bytes.set(content, at)
    places.push([hash, at + 1, content.length])
    at += content.length
  }
  const [{ newest } = { newest: 0 }] = sql.all<{ newest: number }>(NEWEST)
  sql.run(PUT, newest, JSON.stringify(places), bytes)
  sql.run(REFER, newest)
  sql.run(COUNT, newest)
}

const NEWEST = 'SELECT coalesce(max(id), 0) AS newest FROM workspace_contents'
const PUT = `INSERT INTO workspace_contents (id, hash, size, content)
  SELECT ?1 + row_number() OVER (), b.hash, place.value ->> 2, substr(?3, place.value ->> 1, place.value ->> 2)
    FROM json_each(?2) place CROSS JOIN workspace_blobs b ON b.hash = place.value ->> 0 WHERE b.local IS NULL`
const REFER = `UPDATE workspace_blobs AS b SET local = c.id FROM workspace_contents c WHERE c.id > ?1 AND b.hash = c.hash`
const COUNT = `UPDATE workspace_state
  SET local_bytes = local_bytes + (SELECT coalesce(sum(size), 0) FROM workspace_contents WHERE id > ?1)`
