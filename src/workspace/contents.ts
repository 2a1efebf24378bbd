import { fail } from '../core/failure.ts'
import { FLUSH_BATCH_BLOBS, MAX_LOCAL_CONTENT_BYTES, RELEASE_BATCH_BLOBS } from '../core/limits.ts'
import type { BlobStore } from '../ports/blobs.ts'
import type { Sql, SqlRow } from '../ports/sql.ts'
import { blobFromColumn, streamOf } from './bytes.ts'
import { readState } from './manifest.ts'

/**
 * The bytes behind the manifest: small ones in SQLite, all of them in the blob store in the end.
 * Nothing is sent while references are given up, and none is given up while something is sent: the two calls could
 * reach the store in either order, and a blob that is referred to could be deleted.
 */
export class Contents {
  readonly #sql: Sql
  readonly #blobs: BlobStore
  #sends = 0
  #release: Promise<void> | null = null

  constructor(sql: Sql, blobs: BlobStore) {
    this.#sql = sql
    this.#blobs = blobs
  }

  /** Runs `work`, which sends contents and then commits a manifest that refers to them, while nothing is released. */
  async sending<T>(work: () => Promise<T>): Promise<T> {
    while (this.#release) await this.#release
    this.#sends += 1
    try {
      return await work()
    } finally {
      this.#sends -= 1
    }
  }

  /** Sends contents that this session does not refer to yet. Within {@link sending}. */
  async send(blobs: readonly { readonly hash: string; readonly content: Uint8Array }[]): Promise<void> {
    const distinct = new Map(blobs.map((blob) => [blob.hash, blob]))
    const missing = [...distinct.values()].filter(({ hash }) => this.#remote(hash) !== 'yes')
    if (missing.length === 0) return
    // Noted before the store hears of them: whatever happens now, a later flush gives up what nothing refers to.
    this.#sql.transaction(() => {
      for (const { hash, content } of missing) this.#note(hash, content.length, 'maybe')
    })
    await this.#blobs.put(missing)
    this.#sql.transaction(() => {
      for (const { hash, content } of missing) this.#note(hash, content.length, 'yes')
    })
  }

  /** Within {@link sending}. @returns the hash */
  async sendStream(stream: ReadableStream<Uint8Array>, size: number): Promise<string> {
    const hash = await this.#blobs.putStream(stream, size)
    this.#note(hash, size, 'yes')
    return hash
  }

  /** Keeps contents that the manifest refers to, inside the caller's transaction and after the commit was sealed. */
  keep(contents: ReadonlyMap<string, Uint8Array>): void {
    let added = 0
    for (const [hash, content] of contents) {
      const rows = this.#sql.all(
        `INSERT INTO workspace_contents (hash, size, content)
           SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM workspace_blobs WHERE hash = ?1 AND refs > 0)
           ON CONFLICT (hash) DO NOTHING RETURNING id`,
        hash,
        content.length,
        content,
      )
      if (rows.length > 0) added += content.length
    }
    if (added > 0) this.#sql.all('UPDATE workspace_state SET local_bytes = local_bytes + ?', added)
  }

  /** @returns null when no such content is known */
  async open(hash: string): Promise<{ readonly size: number; readonly body: ReadableStream<Uint8Array> } | null> {
    const local = this.local(hash)
    return local ? { size: local.length, body: streamOf(local) } : await this.#blobs.get(hash)
  }

  /** A content that is held in SQLite. */
  local(hash: string): Uint8Array | null {
    const [row] = this.#sql.all('SELECT content FROM workspace_contents WHERE hash = ?', hash)
    return row ? blobFromColumn(row.content) : null
  }

  /** True when {@link flush} would do something. */
  needsFlush(): boolean {
    const [row] = this.#sql.all<{ due: number }>(
      `SELECT EXISTS (SELECT 1 FROM workspace_blobs WHERE remote <> 'yes')
           OR EXISTS (SELECT 1 FROM workspace_blobs WHERE refs = 0) AS due`,
    )
    return row?.due === 1
  }

  /**
   * One batch of what may wait: contents on to the blob store, those that nothing refers to given up, and room made in
   * SQLite. May be cut off at any point and be done again.
   * @throws FailureError `upstream`
   */
  async flush(): Promise<void> {
    await this.#sendKept()
    await this.#releaseGarbage()
    this.#makeRoom()
  }

  async #sendKept(): Promise<void> {
    const rows = this.#sql.all<SqlRow & { hash: string }>(
      `SELECT b.hash, c.content FROM workspace_blobs b JOIN workspace_contents c ON c.hash = b.hash
        WHERE b.remote <> 'yes' AND b.refs > 0 LIMIT ${FLUSH_BATCH_BLOBS}`,
    )
    const blobs = rows.map((row) => ({ hash: row.hash, content: blobFromColumn(row.content) }))
    if (blobs.length === 0) return
    const hashes = blobs.map(({ hash }) => hash)
    await this.sending(async () => {
      this.#mark(hashes, 'maybe')
      await this.#blobs.put(blobs)
      this.#mark(hashes, 'yes')
    })
  }

  async #releaseGarbage(): Promise<void> {
    // What is being sent has no reference yet and looks like garbage; the next flush comes to it.
    if (this.#sends > 0) return
    const garbage = this.#sql.all<{ hash: string; remote: string }>(
      `SELECT hash, remote FROM workspace_blobs WHERE refs = 0 LIMIT ${RELEASE_BATCH_BLOBS}`,
    )
    const remote = garbage.filter((blob) => blob.remote !== 'no').map(({ hash }) => hash)
    if (remote.length > 0) {
      // From here on nothing may rely on the store having them: what is written anew meanwhile is sent again.
      this.#mark(remote, 'maybe')
      const released = this.#blobs.release(remote)
      this.#release = released
        .catch(() => undefined)
        .finally(() => {
          this.#release = null
        })
      await released
    }
    this.#drop(garbage.map(({ hash }) => hash))
  }

  /** Forgets blobs, except those that something refers to again. */
  #drop(hashes: readonly string[]): void {
    if (hashes.length === 0) return
    this.#sql.transaction(() => {
      const gone = this.#sql.all<{ hash: string }>(
        'DELETE FROM workspace_blobs WHERE refs = 0 AND hash IN (SELECT value FROM json_each(?)) RETURNING hash',
        JSON.stringify(hashes),
      )
      this.#dropLocal(gone.map(({ hash }) => hash))
    })
  }

  #makeRoom(): void {
    let excess = readState(this.#sql).local_bytes - MAX_LOCAL_CONTENT_BYTES
    if (excess <= 0) return
    const oldest = this.#sql.all<{ hash: string; size: number }>(
      `SELECT c.hash, c.size FROM workspace_contents c JOIN workspace_blobs b ON b.hash = c.hash
        WHERE b.remote = 'yes' ORDER BY c.id LIMIT ${RELEASE_BATCH_BLOBS}`,
    )
    const hashes: string[] = []
    for (const { hash, size } of oldest) {
      if (excess <= 0) break
      hashes.push(hash)
      excess -= size
    }
    this.#sql.transaction(() => this.#dropLocal(hashes))
  }

  #dropLocal(hashes: readonly string[]): void {
    const gone = this.#sql.all<{ size: number }>(
      'DELETE FROM workspace_contents WHERE hash IN (SELECT value FROM json_each(?)) RETURNING size',
      JSON.stringify(hashes),
    )
    const bytes = gone.reduce((sum, { size }) => sum + size, 0)
    if (bytes > 0) this.#sql.all('UPDATE workspace_state SET local_bytes = local_bytes - ?', bytes)
  }

  #remote(hash: string): string | null {
    return (
      this.#sql.all<{ remote: string }>('SELECT remote FROM workspace_blobs WHERE hash = ?', hash)[0]?.remote ?? null
    )
  }

  #note(hash: string, size: number, remote: 'maybe' | 'yes'): void {
    this.#sql.all(
      `INSERT INTO workspace_blobs (hash, size, refs, remote) VALUES (?, ?, 0, ?)
         ON CONFLICT (hash) DO UPDATE SET remote = excluded.remote`,
      hash,
      size,
      remote,
    )
  }

  #mark(hashes: readonly string[], remote: 'maybe' | 'yes'): void {
    this.#sql.all(
      'UPDATE workspace_blobs SET remote = ? WHERE hash IN (SELECT value FROM json_each(?))',
      remote,
      JSON.stringify(hashes),
    )
  }

  /** Gives up all that the session refers to. Nothing may be sent afterwards. */
  async releaseAll(): Promise<void> {
    await this.#blobs.releaseAll()
  }
}

/** The content of a file that the manifest has must be somewhere. */
export function contentMissing(path: string): never {
  return fail('upstream', `the content of ${path} could not be found in the file store; try again`)
}
