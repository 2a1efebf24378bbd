import { orNull } from '../core/failure.ts'
import {
  IDEMPOTENCY_KEPT_MS,
  KEPT_OUTCOMES_CHECK_EVERY,
  MAX_KEPT_OUTCOME_BYTES,
  MAX_KEPT_OUTCOMES,
  MAX_KEPT_OUTCOMES_BYTES,
  REQUEST_IN_FLIGHT_MS,
} from '../core/limits/idempotency.ts'
import { redact } from '../core/redact.ts'
import type { ServedGroup } from '../core/served.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql, SqlValue } from '../ports/sql.ts'
import type { KeyedRequest, LedgerApi, LedgerState, RequestAnswer } from './ledger-api.ts'
import { placeOfAnswer, type SecretBox } from './secret-box.ts'

interface Parts {
  readonly sql: Sql
  readonly clock: Clock
  readonly tenant: string
  /** Null on a server without a key to encrypt secrets: such a server keeps no answer with a secret. */
  readonly box: SecretBox | null
}

interface Row extends Record<string, SqlValue> {
  readonly request: string
  readonly attempt: string
  readonly about: string
  readonly at: number
  readonly status: number | null
  readonly closed: number
  readonly answer: ArrayBuffer | Uint8Array | null
}

/**
 * Requests of a tenant with an idempotency key. A request whose end is not noted is under way for REQUEST_IN_FLIGHT_MS, and of
 * unknown outcome then: the Worker that carried it out is gone. Answers are encrypted, since one may hold a new API key.
 */
export class RequestLedger implements ServedGroup<LedgerApi> {
  readonly #parts: Parts
  /** Number of requests begun since kept answers were last checked. */
  #sinceChecked = KEPT_OUTCOMES_CHECK_EVERY

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async begin(request: KeyedRequest): Promise<LedgerState> {
    const { sql, clock } = this.#parts
    const now = clock.now()
    const [row] = sql.all<Row>(
      'SELECT request, attempt, about, at, status, closed, answer FROM ledger WHERE id = ? AND at > ?',
      request.id,
      now - IDEMPOTENCY_KEPT_MS,
    )
    if (row && row.attempt !== request.attempt) return this.#stateOf(row, request, now)
    if (!row) this.#note(request, now)
    return { state: 'begun' }
  }

  async #stateOf({ about, at, ...row }: Row, { id, request }: KeyedRequest, now: number): Promise<LedgerState> {
    if (row.request !== request) return { state: 'reused' }
    if (row.status === null && now - at < REQUEST_IN_FLIGHT_MS) return { state: 'in use' }
    if (row.status === null || row.status === DOUBTFUL) return { state: 'unknown', about, at }
    const text = row.answer && (await this.#read(new Uint8Array(row.answer), row.closed === 1, id))
    return text === null
      ? { state: 'not kept', about, at }
      : { state: 'done', answer: JSON.parse(text) as RequestAnswer }
  }

  /** Text of a stored answer; null for one of a server with another key, or without one. */
  async #read(stored: Uint8Array, isClosed: boolean, id: string): Promise<string | null> {
    const { box } = this.#parts
    if (!isClosed) return new TextDecoder().decode(stored)
    return box && orNull(box.open(stored, this.#place(id)), 'upstream')
  }

  #note({ id, request, attempt, about }: KeyedRequest, now: number): void {
    if (this.#sinceChecked >= KEPT_OUTCOMES_CHECK_EVERY) this.sweep()
    this.#sinceChecked += 1
    this.#parts.sql.run(
      'INSERT OR REPLACE INTO ledger (id, request, attempt, about, at, bytes, closed) VALUES (?, ?, ?, ?, ?, 0, 0)',
      ...[id, request, attempt, redact(about).slice(0, MAX_ABOUT_CHARS), now],
    )
  }

  async end({ id, attempt }: Pick<KeyedRequest, 'id' | 'attempt'>, answer: RequestAnswer | null): Promise<void> {
    const { sql, clock, box } = this.#parts
    if (answer === null) {
      sql.run('DELETE FROM ledger WHERE id = ? AND attempt = ?', id, attempt)
      return
    }
    const bytes = await this.#stored(answer, id)
    const kept = bytes && bytes.length <= MAX_KEPT_OUTCOME_BYTES ? bytes : null
    const status = answer.isDoubtful ? DOUBTFUL : answer.status
    sql.run(
      'UPDATE ledger SET at = ?, status = ?, bytes = ?, closed = ?, answer = ? WHERE id = ? AND attempt = ?',
      ...[clock.now(), status, kept?.length ?? 0, box ? 1 : 0, kept, id, attempt],
    )
  }

  /** Drops answers that are too old, and the oldest of too many. Requests under way stay. */
  sweep(): void {
    const { sql, clock } = this.#parts
    this.#sinceChecked = 0
    sql.run('DELETE FROM ledger WHERE at <= ?', clock.now() - IDEMPOTENCY_KEPT_MS)
    sql.run(
      `DELETE FROM ledger WHERE id IN (SELECT id FROM (
         SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS total
           FROM ledger WHERE status IS NOT NULL WINDOW newest AS (ORDER BY at DESC, rowid DESC)
       ) WHERE place > ? OR total > ?)`,
      MAX_KEPT_OUTCOMES,
      MAX_KEPT_OUTCOMES_BYTES,
    )
  }

  /** The answer as it is stored; null for one that may not be. */
  async #stored({ isDoubtful, isSecret, ...answer }: RequestAnswer, id: string): Promise<Uint8Array | null> {
    if (isDoubtful || answer.body === null) return null
    const text = JSON.stringify(answer)
    const { box } = this.#parts
    if (box) return box.close(text, this.#place(id))
    return isSecret || redact(text) !== text ? null : new TextEncoder().encode(text)
  }

  #place(id: string): string {
    return placeOfAnswer(this.#parts.tenant, id)
  }
}

/** Status of a request that was answered, and may have been carried out or not. */
const DOUBTFUL = 0
const MAX_ABOUT_CHARS = 200
