import { FLUSH_BATCH_BLOBS } from '../core/limits/workspace.ts'
import type { Sql, SqlRow } from '../ports/sql.ts'
import { blobFromColumn, type HashedContent } from './bytes.ts'
import { readState } from './manifest.ts'

/** Number and bytes of the small contents that may wait in SQLite for the blob store. */
export interface WaitingContents {
  readonly contents: number
  readonly bytes: number
}

/** Part of what may wait that is left when contents were sent, so that the next ones go together, too. */
const SENT_DOWN_TO = 0.75

/**
 * Small contents that wait in SQLite for the blob store. To send one costs more than to keep it for a month, so a few wait; once they
 * are too many, the oldest go together.
 *
 * No index lists them, which would be a row of each write. `workspace_state.sent_to` is a mark instead: a number of
 * `workspace_contents`, up to which no content is of a row with `remote = 'no'`. New contents have higher numbers. Contents whose
 * sending or release was cut off (`maybe`) are few and may have any number: they have an index.
 */
export class Waiting {
  readonly #sql: Sql
  readonly #most: WaitingContents
  /** True from when too much waits until there is room for more again. */
  #isSending = false
  /** True from a copy of what waits until nothing waits. */
  #isSendingAll = false

  constructor(sql: Sql, most: WaitingContents) {
    this.#sql = sql
    this.#most = most
  }

  /** Has all that waits go to the blob store by the next flushes: a fork copied it, and the next one is to share it. */
  sendAll(): void {
    this.#isSendingAll = true
  }

  /** Whether contents must go to the blob store. What was dropped or sent since the mark counts until {@link advance}. */
  mustSend(): boolean {
    if (this.#sql.all(SOME_CUT_OFF).length > 0) return true
    this.#isSendingAll &&= this.#exceeds(0, 0)
    if (this.#isSendingAll) return true
    const { contents, bytes } = this.#most
    const share = this.#isSending ? SENT_DOWN_TO : 1
    this.#isSending = this.#exceeds(Math.floor(contents * share), Math.floor(bytes * share))
    return this.#isSending
  }

  /** Whether there are more numbers of contents behind the mark than so many, or more bytes. */
  #exceeds(contents: number, bytes: number): boolean {
    const [{ sentTo, newest } = { sentTo: 0, newest: 0 }] = this.#sql.all<Numbers>(NUMBERS)
    if (newest - sentTo > contents) return true
    // All that waits is in SQLite, so the sum of that is a bound, and looked up first.
    if (newest <= sentTo || readState(this.#sql).local_bytes <= bytes) return false
    const [behind] = this.#sql.all<{ bytes: number }>(BYTES_BEHIND, sentTo)
    return behind !== undefined && behind.bytes > bytes
  }

  /** Contents to send next: those that were cut off, then the oldest; FLUSH_BATCH_BLOBS at most. */
  next(): HashedContent[] {
    const cutOff = this.#sql.all<ContentRow>(CUT_OFF)
    const rows = cutOff.length > 0 ? cutOff : this.#sql.all<ContentRow>(OLDEST)
    return rows.map(({ hash, content }) => ({ hash, content: blobFromColumn(content) }))
  }

  /** Moves the mark behind what was dropped or sent. */
  advance(): void {
    const [{ sentTo, next } = { sentTo: 0, next: 0 }] = this.#sql.all<{ sentTo: number; next: number }>(NEXT_MARK)
    if (next > sentTo) this.#sql.run('UPDATE workspace_state SET sent_to = ?', next)
  }
}

type Numbers = { readonly sentTo: number; readonly newest: number }
type ContentRow = SqlRow & { readonly hash: string }

const NUMBERS = `SELECT sent_to AS sentTo, coalesce((SELECT max(id) FROM workspace_contents), 0) AS newest FROM workspace_state`
const BYTES_BEHIND = 'SELECT coalesce(sum(size), 0) AS bytes FROM workspace_contents WHERE id > ?'
const OF_CUT_OFF = `FROM workspace_blobs b CROSS JOIN workspace_contents c ON c.id = b.local WHERE b.remote = 'maybe' AND b.refs > 0`
const SOME_CUT_OFF = `SELECT 1 AS found ${OF_CUT_OFF} LIMIT 1`
const CUT_OFF = `SELECT b.hash, c.content ${OF_CUT_OFF} LIMIT ${FLUSH_BATCH_BLOBS}`
const BEHIND_MARK = `FROM workspace_contents c CROSS JOIN workspace_blobs b ON b.hash = c.hash
  WHERE c.id > (SELECT sent_to FROM workspace_state) AND b.remote = 'no'`
const OLDEST = `SELECT b.hash, c.content ${BEHIND_MARK} AND b.refs > 0 ORDER BY c.id LIMIT ${FLUSH_BATCH_BLOBS}`
const NEXT_MARK = `SELECT sent_to AS sentTo, coalesce((SELECT c.id - 1 ${BEHIND_MARK} ORDER BY c.id LIMIT 1),
  (SELECT max(id) FROM workspace_contents), 0) AS next FROM workspace_state`
