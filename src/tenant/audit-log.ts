import type { Actor } from '../core/actor.ts'
import {
  AUDIT_PRUNED_AT_ONCE,
  AUDIT_RETENTION_DAYS,
  AUDIT_SEGMENT_ENTRIES,
  MAX_AUDIT_ENTRIES,
  MAX_AUDIT_ROWS,
} from '../core/limits/audit.ts'
import { sha256 } from '../core/sha256.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import type { AuditHead } from './audit-api.ts'
import type { SegmentTable } from './audit-segments/segment-table.ts'
import { DAY_MS } from './call-counter.ts'

/** An action or a refusal, for the audit log. Holds no arguments, no answers and no secrets. */
export interface AuditNote {
  /** `tool.call`, `tool.refused`, `tool.create` and so on: `docs/audit.md` lists them. */
  readonly action: string
  readonly by: Actor
  readonly session?: string
  /** Name of the tool, the secret and so on. */
  readonly subject: string | null
  readonly decision: 'done' | 'failed' | 'refused' | 'noted'
  /** A code. */
  readonly reason?: string | null
  /** Number of actions, when one entry stands for several. */
  readonly count?: number
  /** A few numbers and names besides. */
  readonly detail?: Readonly<Record<string, unknown>>
}

type Row = { readonly seq: number; readonly at: number; readonly entry: string; readonly hash: string }

const GENESIS = '0'.repeat(64)

/**
 * Actions in a tenant and who did them, in an order that can be checked: each entry holds the hash of the one before it, and its
 * own hash is the SHA-256 of its JSON. The newest entries are rows here, and older ones in sealed segments. When old entries are
 * dropped, an entry names the last of them and its hash.
 */
export class AuditLog {
  readonly #sql: Sql
  readonly #clock: Clock
  readonly #segments: SegmentTable
  #isLong = false

  constructor(sql: Sql, clock: Clock, segments: SegmentTable) {
    this.#sql = sql
    this.#clock = clock
    this.#segments = segments
  }

  /** Whether there are rows to seal, as it was at the last look. */
  get isLong(): boolean {
    return this.#isLong
  }

  /** Looks whether there are rows to seal: a segment more than stay. */
  measure(): boolean {
    this.#isLong = this.#head().seq - this.#oldest() >= MAX_AUDIT_ROWS + AUDIT_SEGMENT_ENTRIES
    return this.#isLong
  }

  /** Appends entries, in the transaction of the change that they describe. */
  append(notes: readonly AuditNote[]): void {
    const before = this.#head()
    let head: AuditHead = before
    for (const note of notes) head = this.#write(note, head)
    // Looked at once per hundred entries.
    const hundreds = ({ seq }: AuditHead) => Math.floor(seq / 100)
    if (hundreds(head) !== hundreds(before)) this.measure()
  }

  /** The last entry; number 0 for an empty log. */
  head(): AuditHead {
    const { seq, hash } = this.#head()
    return { seq, hash }
  }

  /** Entries that follow number `after`, of those that are not sealed, each as a line of JSON. */
  entries(after: number, limit: number): { readonly seq: number; readonly line: string }[] {
    return this.#sql
      .all<Row>('SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?', after, limit)
      .map(({ seq, entry, hash }) => ({ seq, line: `${entry.slice(0, -1)},"hash":"${hash}"}` }))
  }

  /** An entry that is not sealed. */
  row(seq: number): Row | null {
    return this.#sql.all<Row>('SELECT * FROM audit WHERE seq = ?', seq)[0] ?? null
  }

  /** Removes rows up to number `through`, which are sealed, in the caller's transaction. */
  removeRows(through: number): void {
    this.#sql.run('DELETE FROM audit WHERE seq <= ?', through)
  }

  /** The last dropped entry; number 0 when none was. */
  checkpoint(): AuditHead {
    const [row] = this.#sql.all<{ seq: number; hash: string }>('SELECT seq, hash FROM audit_checkpoint')
    return row ?? { seq: 0, hash: GENESIS }
  }

  /** Time when {@link expire} has something to drop, at most once a day; null for an empty log. */
  expiresAt(): number | null {
    const at = this.#segments.following(0)?.lastAt ?? this.#oldestAt()
    return at === null ? null : (Math.floor(at / DAY_MS) + 1 + AUDIT_RETENTION_DAYS) * DAY_MS
  }

  /** Drops days past their time, and what exceeds the whole log's length, a batch at a time. Segments go as a whole. */
  expire(): void {
    const before = (Math.floor(this.#clock.now() / DAY_MS) - AUDIT_RETENTION_DAYS) * DAY_MS
    const last = this.#segments.following(0) ? this.#lastSealed(before) : this.#lastRow(before)
    if (last) this.#sql.transaction(() => this.#drop(last))
  }

  #lastSealed(before: number): AuditHead | null {
    const through = this.#head().seq - MAX_AUDIT_ENTRIES
    const oldest = this.#segments.following(0)
    if (!oldest || (oldest.lastAt >= before && oldest.last > through)) return null
    return this.#segments.lastBefore(before, through)
  }

  #lastRow(before: number): AuditHead | null {
    if ((this.#oldestAt() ?? before) >= before) return null
    const [last] = this.#sql.all<{ seq: number | null }>(
      'SELECT max(seq) AS seq FROM (SELECT seq, at FROM audit ORDER BY seq LIMIT ?) WHERE at < ?',
      AUDIT_PRUNED_AT_ONCE,
      before,
    )
    return last?.seq == null ? null : this.row(last.seq)
  }

  #drop({ seq, hash }: AuditHead): void {
    const by: Actor = { key: null, agent: null }
    const detail = { through: seq, hash }
    this.#write({ action: 'audit.checkpoint', by, subject: null, decision: 'noted', detail }, this.#head())
    this.#sql.all('INSERT OR REPLACE INTO audit_checkpoint (id, seq, hash) VALUES (1, ?, ?)', seq, hash)
    this.#segments.drop(seq)
    this.removeRows(seq)
  }

  #write({ action, by, session, subject, decision, reason, count = 1, detail = {} }: AuditNote, head: AuditHead) {
    const seq = head.seq + 1
    const at = this.#clock.now()
    const entry = JSON.stringify({
      seq,
      at: new Date(at).toISOString(),
      action,
      key: by.key,
      agent: by.agent,
      session: session ?? null,
      subject,
      decision,
      reason: reason ?? null,
      count,
      detail,
      prev: head.hash,
    })
    const hash = sha256(entry)
    this.#sql.run('INSERT INTO audit (seq, at, entry, hash) VALUES (?, ?, ?, ?)', seq, at, entry, hash)
    return { seq, hash }
  }

  #head(): AuditHead {
    const [last] = this.#sql.all<{ seq: number; hash: string }>('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1')
    return last ?? this.checkpoint()
  }

  /** Number of the oldest row; 0 when there is none. */
  #oldest(): number {
    return this.#sql.all<{ seq: number }>('SELECT seq FROM audit ORDER BY seq LIMIT 1')[0]?.seq ?? 0
  }

  #oldestAt(): number | null {
    return this.#sql.all<{ at: number }>('SELECT at FROM audit ORDER BY seq LIMIT 1')[0]?.at ?? null
  }
}
