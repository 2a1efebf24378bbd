import type { Actor } from '../core/actor.ts'
import { AUDIT_PRUNED_AT_ONCE, AUDIT_RETENTION_DAYS, MAX_AUDIT_ENTRIES } from '../core/limits/audit.ts'
import { sha256 } from '../core/sha256.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import type { AuditHead, AuditPage } from './audit-api.ts'
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
 * own hash is the SHA-256 of its JSON. When old entries are dropped, an entry names the last of them and its hash.
 */
export class AuditLog {
  readonly #sql: Sql
  readonly #clock: Clock

  constructor(sql: Sql, clock: Clock) {
    this.#sql = sql
    this.#clock = clock
  }

  /** Appends entries, in the transaction of the change that they describe. */
  append(notes: readonly AuditNote[]): void {
    const before = this.#head()
    let head: AuditHead = before
    for (const note of notes) head = this.#write(note, head)
    // Checked once per hundred entries.
    const hundreds = ({ seq }: AuditHead) => Math.floor(seq / 100)
    if (hundreds(head) === hundreds(before)) return
    if (head.seq - this.#checkpoint().seq > MAX_AUDIT_ENTRIES + AUDIT_PRUNED_AT_ONCE) {
      this.#drop(head.seq - MAX_AUDIT_ENTRIES)
    }
  }

  /** The last entry; number 0 for an empty log. */
  head(): AuditHead {
    const { seq, hash } = this.#head()
    return { seq, hash }
  }

  /** Entries that follow number `after`, each a line of JSON; the first line says so where older ones were dropped. */
  page({ after, limit }: { readonly after: number; readonly limit: number }): AuditPage {
    const dropped = this.#checkpoint()
    const rows = this.#sql.all<Row>('SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?', after, limit)
    const lines = rows.map(({ entry, hash }) => `${entry.slice(0, -1)},"hash":"${hash}"}`)
    if (after < dropped.seq) lines.unshift(JSON.stringify({ checkpoint: dropped.seq, hash: dropped.hash }))
    return { lines, next: rows.length === limit ? (rows.at(-1)?.seq ?? null) : null }
  }

  /** Time when {@link expire} has something to drop, at most once a day; null for an empty log. */
  expiresAt(): number | null {
    const [oldest] = this.#sql.all<{ at: number }>('SELECT at FROM audit ORDER BY seq LIMIT 1')
    return oldest ? (Math.floor(oldest.at / DAY_MS) + 1 + AUDIT_RETENTION_DAYS) * DAY_MS : null
  }

  /** Drops days past their time, a batch at a time. */
  expire(): void {
    const now = this.#clock.now()
    const before = (Math.floor(now / DAY_MS) - AUDIT_RETENTION_DAYS) * DAY_MS
    const [last] = this.#sql.all<{ seq: number | null }>(
      'SELECT max(seq) AS seq FROM (SELECT seq, at FROM audit ORDER BY seq LIMIT ?) WHERE at < ?',
      AUDIT_PRUNED_AT_ONCE,
      before,
    )
    const through = last?.seq
    if (through != null) this.#sql.transaction(() => this.#drop(through))
  }

  #drop(through: number): void {
    const [last] = this.#sql.all<Row>('SELECT * FROM audit WHERE seq = ?', through)
    if (!last) return
    const by: Actor = { key: null, agent: null }
    const detail = { through, hash: last.hash }
    this.#write({ action: 'audit.checkpoint', by, subject: null, decision: 'noted', detail }, this.#head())
    this.#sql.all('INSERT OR REPLACE INTO audit_checkpoint (id, seq, hash) VALUES (1, ?, ?)', through, last.hash)
    this.#sql.all('DELETE FROM audit WHERE seq <= ?', through)
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
    return last ?? this.#checkpoint()
  }

  /** The last dropped entry. */
  #checkpoint(): AuditHead {
    const [row] = this.#sql.all<{ seq: number; hash: string }>('SELECT seq, hash FROM audit_checkpoint')
    return row ?? { seq: 0, hash: GENESIS }
  }
}
