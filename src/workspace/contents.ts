import { fail } from '../core/failure.ts'
import { jsonBatches } from '../core/json-batches.ts'
import { MAX_INLINE_BLOB_BYTES, MAX_LOCAL_CONTENT_BYTES, RELEASE_BATCH_BLOBS } from '../core/limits/workspace.ts'
import type { BlobStore, ByteRange } from '../ports/blobs.ts'
import type { Sql, SqlRow } from '../ports/sql.ts'
import { blobFromColumn, type HashedContent, streamOf } from './bytes.ts'
import { keepMany } from './keep-many.ts'
import { readState } from './manifest.ts'
import { type Reclaimed, reclaimContents } from './reclaim-contents.ts'
import { Waiting, type WaitingContents } from './waiting.ts'

/**
 * The bytes behind the manifest: small ones in SQLite, all of them in the blob store in the end. One object serves all calls of a
 * session and keeps stores and releases apart: no reference is released while content is stored, and none is stored during a
 * release. The blob store could otherwise see the two in either order, and delete a blob in use.
 */
export class Contents {
  readonly #sql: Sql
  readonly #blobs: BlobStore
  #keepsFetched = true
  #storing = 0
  #release: Promise<void> | null = null
  #flush: Promise<boolean> | null = null
  #underWay = 0
  #closing: PromiseWithResolvers<void> | null = null
  readonly #waiting: Waiting

  constructor(sql: Sql, blobs: BlobStore, mayWait: WaitingContents = NONE_WAITS) {
    this.#sql = sql
    this.#blobs = blobs
    this.#waiting = new Waiting(sql, mayWait)
  }

  /** Runs `work` unless the workspace has ended; its end waits for it. */
  async working<T>(work: () => Promise<T>): Promise<T> {
    this.requireOpen()
    this.#underWay += 1
    try {
      return await work()
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) this.#closing?.resolve()
    }
  }

  requireOpen(): void {
    if (this.#closing) fail('not_found', 'the task was removed')
  }

  /**
   * Runs `work`, which stores contents and then commits references to them: no content is released before it ends. Contents left
   * without a reference are released by a later flush, after a crash as well.
   */
  async storing<T>(work: () => Promise<T>): Promise<T> {
    while (this.#release) await this.#release
    this.#storing += 1
    try {
      return await work()
    } finally {
      this.#storing -= 1
    }
  }

  /** Sends contents to the blob store. Called within {@link storing}. */
  async send(blobs: readonly HashedContent[]): Promise<void> {
    const distinct = new Map(blobs.map((blob) => [blob.hash, blob]))
    const missing = [...distinct.values()].filter(({ hash }) => this.#remote(hash) !== 'yes')
    if (missing.length === 0) return
    // Noted before the store receives them: whatever happens now, a later flush releases contents without a reference.
    this.#sql.transaction(() => {
      for (const { hash, content } of missing) this.#note(hash, content.length, 'maybe')
    })
    await this.#blobs.put(missing)
    this.#mark(missing, 'yes')
  }

  /** Sends a stream, as {@link send} does. @returns the hash */
  async sendStream(stream: ReadableStream<Uint8Array>, size: number): Promise<string> {
    const hash = await this.#blobs.putStream(stream, size)
    this.#sql.transaction(() => {
      this.#note(hash, size, 'maybe')
      this.#mark([{ hash }], 'yes')
    })
    return hash
  }

  /** Keeps small contents in SQLite ahead of the commit that refers to them. Called within {@link storing}. */
  keepAhead(blobs: readonly HashedContent[]): void {
    this.#sql.transaction(() => {
      for (const batch of jsonBatches(blobs.map(({ hash, content }) => [hash, content.length]))) {
        this.#sql.run(NOTE_MANY, batch)
      }
      this.#keepLocal(blobs)
    })
  }

  /** Sizes of contents that a commit may refer to, by hash. Unknown and released ones are absent. */
  sizesOf(hashes: Iterable<string>): ReadonlyMap<string, number> {
    const rows = [...jsonBatches([...hashes])].flatMap((batch) =>
      this.#sql.all<{ hash: string; size: number }>(
        `SELECT b.hash, b.size FROM json_each(?) wanted JOIN workspace_blobs b ON b.hash = wanted.value
          WHERE b.remote = 'yes' OR b.local IS NOT NULL`,
        batch,
      ),
    )
    return new Map(rows.map(({ hash, size }) => [hash, size]))
  }

  /** Keeps small contents that the manifest refers to, inside the caller's transaction, after its commit was sealed. */
  keep(contents: readonly HashedContent[]): void {
    if (contents.length > 0) this.#keepLocal(contents)
  }

  /** Opens a content, or a part of it. @returns null when no such content is known; `size` is that of the whole content */
  async open(
    hash: string,
    range?: ByteRange,
  ): Promise<{ readonly size: number; readonly body: ReadableStream<Uint8Array> } | null> {
    const local = this.local(hash)
    return local ? { size: local.length, body: streamOf(partOf(local, range)) } : await this.#blobs.get(hash, range)
  }

  /** A content held in SQLite, else null. */
  local(hash: string): Uint8Array | null {
    const [row] = this.#sql.all(LOCAL_CONTENT, hash)
    return row ? blobFromColumn(row.content) : null
  }

  /** Contents held in SQLite, by their hashes. */
  locals(hashes: readonly string[]): ReadonlyMap<string, Uint8Array> {
    const rows = this.#sql.all<SqlRow & { hash: string }>(LOCAL_CONTENTS, JSON.stringify(hashes))
    return new Map(rows.map(({ hash, content }) => [hash, blobFromColumn(content)]))
  }

  /**
   * Keeps small contents that were fetched from the blob store, while there is room without dropping others: who reads many files mostly
   * reads them again, such as by the next search. One that the tables no longer know is not kept.
   */
  keepFetched(blobs: readonly HashedContent[]): void {
    if (this.#closing || this.#sql.isReadOnly || !this.#keepsFetched) return
    let room = MAX_LOCAL_CONTENT_BYTES - readState(this.#sql).local_bytes
    const fitting = blobs.filter(({ content }) => {
      const fits = content.length <= Math.min(room, MAX_INLINE_BLOB_BYTES)
      if (fits) room -= content.length
      return fits
    })
    if (fitting.length === 0) return
    try {
      this.#sql.transaction(() => this.#keepLocal(fitting))
    } catch {
      // Reading goes on where the database takes no more: these contents are read already.
      this.#keepsFetched = false
    }
  }

  /** Whether {@link flush} has something to do. */
  needsFlush(): boolean {
    return this.#hasGarbage() || this.#hasToSend()
  }

  #hasGarbage(): boolean {
    return this.#sql.all('SELECT 1 AS due FROM workspace_blobs WHERE refs = 0 LIMIT 1').length > 0
  }

  #hasToSend(): boolean {
    return this.#waiting.mustSend() || readState(this.#sql).local_bytes > MAX_LOCAL_CONTENT_BYTES
  }

  /** Has all that waits go to the blob store by the next flushes: a fork copied it, and the next one is to share it. */
  sendAll(): void {
    this.#waiting.sendAll()
  }

  /**
   * Does one batch of deferred work: sends contents to the blob store where too many wait for it, releases those without a
   * reference, and makes room in SQLite. May be interrupted at any point and repeated; a second call joins the one under way.
   * @returns true when there is more to do that can be done now
   * @throws FailureError `upstream`; nothing is lost then
   */
  flush(): Promise<boolean> {
    this.#flush ??= this.working(async () => {
      // First: what nothing refers to any more need not be sent.
      await this.#releaseGarbage()
      if (this.#waiting.mustSend()) await this.#sendWaiting()
      this.#makeRoom()
      // While content is stored nothing is released: at once again would be in vain.
      return (this.#storing === 0 && this.#hasGarbage()) || this.#hasToSend()
    }).finally(() => {
      this.#flush = null
    })
    return this.#flush
  }

  /** Refers to contents in the store again, as {@link reclaimContents}. */
  reclaim(after: string): Promise<Reclaimed> {
    return this.working(() => this.storing(() => reclaimContents(this.#sql, this.#blobs, after)))
  }

  /** Waits for work under way, refuses more, and releases all of the session's contents. May be repeated. */
  async destroy(): Promise<void> {
    this.#closing ??= Promise.withResolvers<void>()
    if (this.#underWay > 0) await this.#closing.promise
    await this.#blobs.releaseAll()
  }

  async #sendWaiting(): Promise<void> {
    this.#waiting.advance()
    if (!this.#waiting.mustSend()) return
    const blobs = this.#waiting.next()
    if (blobs.length === 0) return
    await this.storing(async () => {
      this.#mark(blobs, 'maybe')
      await this.#blobs.put(blobs)
      this.#mark(blobs, 'yes')
      this.#waiting.advance()
    })
  }

  async #releaseGarbage(): Promise<void> {
    // Content being stored has no reference yet and looks like garbage; the next flush comes to it.
    if (this.#storing > 0) return
    const garbage = this.#sql.all<{ hash: string; remote: string }>(
      `SELECT hash, remote FROM workspace_blobs WHERE refs = 0 LIMIT ${RELEASE_BATCH_BLOBS}`,
    )
    const remote = garbage.filter((blob) => blob.remote !== 'no')
    if (remote.length === 0) return this.#drop(garbage)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#release = promise
    try {
      // From here on the store may lack these contents: a commit that writes them again sends them again.
      this.#mark(remote, 'maybe')
      await this.#blobs.release(remote.map(({ hash }) => hash))
      this.#drop(garbage)
    } finally {
      this.#release = null
      resolve()
    }
  }

  /** Drops rows of blobs without a reference. */
  #drop(blobs: readonly { readonly hash: string }[]): void {
    if (blobs.length === 0) return
    this.#sql.transaction(() => {
      this.#dropLocal(
        this.#sql.all<{ local: number | null }>(
          'DELETE FROM workspace_blobs WHERE refs = 0 AND hash IN (SELECT value FROM json_each(?)) RETURNING local',
          hashList(blobs),
        ),
      )
    })
  }

  #makeRoom(): void {
    let excess = readState(this.#sql).local_bytes - MAX_LOCAL_CONTENT_BYTES
    if (excess <= 0) return
    const oldest = this.#sql.all<{ hash: string; local: number; size: number }>(
      `SELECT c.hash, c.id AS local, c.size FROM workspace_contents c JOIN workspace_blobs b ON b.hash = c.hash
        WHERE b.remote = 'yes' ORDER BY c.id LIMIT ${RELEASE_BATCH_BLOBS}`,
    )
    const leaving: { readonly hash: string; readonly local: number }[] = []
    for (const blob of oldest) {
      if (excess <= 0) break
      leaving.push(blob)
      excess -= blob.size
    }
    this.#sql.transaction(() => {
      const left = 'UPDATE workspace_blobs SET local = NULL WHERE hash IN (SELECT value FROM json_each(?))'
      this.#sql.run(left, hashList(leaving))
      this.#dropLocal(leaving)
    })
  }

  #dropLocal(blobs: readonly { readonly local: number | null }[]): void {
    const gone = this.#sql.all<{ size: number }>(
      'DELETE FROM workspace_contents WHERE id IN (SELECT value FROM json_each(?)) RETURNING size',
      JSON.stringify(blobs.flatMap(({ local }) => local ?? [])),
    )
    const bytes = gone.reduce((sum, { size }) => sum + size, 0)
    if (gone.length > 0) this.#sql.run(DROPPED, bytes)
  }

  #remote(hash: string): string | null {
    return (
      this.#sql.all<{ remote: string }>('SELECT remote FROM workspace_blobs WHERE hash = ?', hash)[0]?.remote ?? null
    )
  }

  /** Notes a blob that a commit will refer to. `remote` is the state of a blob unknown until now. */
  #note(hash: string, size: number, remote: 'no' | 'maybe'): void {
    this.#sql.all(
      'INSERT INTO workspace_blobs (hash, size, refs, remote) VALUES (?, ?, 0, ?) ON CONFLICT DO NOTHING',
      hash,
      size,
      remote,
    )
  }

  #keepLocal(blobs: readonly HashedContent[]): void {
    if (blobs.length >= MIN_MANY) {
      keepMany(this.#sql, blobs)
      return
    }
    let added = 0
    for (const { hash, content } of blobs) {
      const [row] = this.#sql.all<{ local: number }>(
        `UPDATE workspace_blobs SET local = (${NEXT_LOCAL}) WHERE hash = ? AND local IS NULL RETURNING local`,
        hash,
      )
      if (!row) continue
      this.#sql.run(PUT_LOCAL, row.local, hash, content.length, content)
      added += content.length
    }
    if (added > 0) this.#sql.all('UPDATE workspace_state SET local_bytes = local_bytes + ?', added)
  }

  #mark(blobs: readonly { readonly hash: string }[], remote: 'maybe' | 'yes'): void {
    this.#sql.all(
      'UPDATE workspace_blobs SET remote = ? WHERE hash IN (SELECT value FROM json_each(?))',
      remote,
      hashList(blobs),
    )
  }
}

/** SQL for the row number of the next content. */
const NEXT_LOCAL = 'SELECT coalesce(max(id), 0) + 1 FROM workspace_contents'
const PUT_LOCAL = 'INSERT INTO workspace_contents (id, hash, size, content) VALUES (?, ?, ?, ?)'
/** SQL for what dropped contents leave. The next content gets the number of the newest one that was dropped, and must be behind the mark. */
const DROPPED = `UPDATE workspace_state SET local_bytes = local_bytes - ?,
  sent_to = min(sent_to, (SELECT coalesce(max(id), 0) FROM workspace_contents))`
const NOTE_MANY = `INSERT INTO workspace_blobs (hash, size, refs, remote)
  SELECT value ->> 0, value ->> 1, 0, 'no' FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`
/** Contents from which on they are kept together: fewer are faster one by one. */
const MIN_MANY = 16
const LOCAL_CONTENT = `SELECT content FROM workspace_contents
  WHERE id = (SELECT local FROM workspace_blobs WHERE hash = ?)`

const LOCAL_CONTENTS = `SELECT b.hash, c.content FROM json_each(?) wanted
  JOIN workspace_blobs b ON b.hash = wanted.value JOIN workspace_contents c ON c.id = b.local`

/** Every content goes at the next flush. */
const NONE_WAITS: WaitingContents = { contents: 0, bytes: 0 }

export const partOf = (content: Uint8Array, range?: ByteRange) =>
  range ? content.subarray(range.offset, range.offset + range.length) : content

/** Hashes as JSON for `json_each`: a statement takes 100 parameters, but one of them may be a long list. */
const hashList = (blobs: readonly { readonly hash: string }[]) => JSON.stringify(blobs.map(({ hash }) => hash))

/** Throws for a file in the manifest whose content was found nowhere, which should not happen. */
export function contentMissing(path: string): never {
  return fail('upstream', `the content of ${path} could not be found in the file store; try again`)
}
