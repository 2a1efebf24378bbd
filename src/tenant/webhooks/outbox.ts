import {
  DELIVERIES_CHECK_EVERY,
  DELIVERY_KEPT_MS,
  MAX_KEPT_DELIVERIES,
  MAX_WAITING_DELIVERIES,
} from '../../core/limits/webhooks.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Sql, SqlValue } from '../../ports/sql.ts'
import type { DeliveryInfo } from '../webhooks-api.ts'

/** A delivery with what is sent. */
export interface Delivery extends DeliveryInfo {
  readonly body: string
}

/** Result of an attempt to deliver. */
export interface Attempt {
  readonly at: number
  readonly status: number | null
  /** Null for a success. */
  readonly error: string | null
}

interface Row extends Record<string, SqlValue> {
  readonly seq: number
  readonly id: string
  readonly type: string
  readonly body: string
  readonly state: string
  readonly at: number
  readonly attempts: number
  readonly attempted_at: number | null
  readonly status: number | null
  readonly error: string | null
  readonly due_at: number | null
}

/**
 * Outbox of webhooks: deliveries that wait for their receivers, and the last ones that are over. A delivery is written in the
 * transaction of what it is about, so none is lost in a crash.
 */
export class WebhookOutbox {
  readonly #sql: Sql
  readonly #clock: Clock
  /** Number of deliveries added since the limits were checked. */
  #sinceChecked = DELIVERIES_CHECK_EVERY

  constructor({ sql, clock }: { readonly sql: Sql; readonly clock: Clock }) {
    this.#sql = sql
    this.#clock = clock
  }

  /**
   * Adds a delivery, due now, in the caller's transaction.
   * @param about what the event is about, for one that a webhook gets once
   * @returns its id
   */
  add(webhook: string, type: string, data: object, about: string | null = null): string {
    const now = this.#clock.now()
    const id = `msg_${crypto.randomUUID().replaceAll('-', '')}`
    const body = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data })
    this.#sql.run(
      `INSERT OR IGNORE INTO webhook_deliveries (id, webhook, type, body, about, at, state, due_at, attempts)
         VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?, 0)`,
      ...[id, webhook, type, body, about, now, now],
    )
    this.#sinceChecked += 1
    return id
  }

  /** Deliveries of a webhook that are due, the first due first. */
  due(webhook: string, limit: number): readonly Delivery[] {
    return this.#rows('webhook = ? AND due_at <= ? ORDER BY due_at LIMIT ?', webhook, this.#clock.now(), limit)
  }

  /** Time when the next of a webhook's deliveries is due, later than now; null when none is. */
  nextDue(webhook: string): number | null {
    const [row] = this.#sql.all<{ due_at: number }>(
      'SELECT due_at FROM webhook_deliveries WHERE webhook = ? AND due_at > ? ORDER BY due_at LIMIT 1',
      webhook,
      this.#clock.now(),
    )
    return row?.due_at ?? null
  }

  find(webhook: string, id: string): Delivery | null {
    return this.#rows('webhook = ? AND id = ?', webhook, id)[0] ?? null
  }

  /** Deliveries of a webhook, newest first. */
  page(webhook: string, limit: number, before = Number.MAX_SAFE_INTEGER): readonly Delivery[] {
    return this.#rows('webhook = ? AND seq < ? ORDER BY seq DESC LIMIT ?', webhook, before, limit)
  }

  /** Notes an attempt that the receiver took, or the last one that it did not. */
  over(id: string, { at, status, error }: Attempt): void {
    this.#sql.run(
      `UPDATE webhook_deliveries SET state = ?, due_at = NULL, attempts = attempts + 1, attempted_at = ?, status = ?, error = ?,
         ended_at = ? WHERE id = ?`,
      ...[error === null ? 'delivered' : 'failed', at, status, error, this.#clock.now(), id],
    )
  }

  /** Notes a failed attempt that is followed by another. */
  again(id: string, { at, status, error }: Attempt, dueAt: number): void {
    this.#sql.run(
      `UPDATE webhook_deliveries SET due_at = ?, attempts = attempts + 1, attempted_at = ?, status = ?, error = ?
         WHERE id = ? AND due_at IS NOT NULL`,
      ...[dueAt, at, status, error, id],
    )
  }

  /** Has a delivery that is over sent once more, as at first. */
  renew(id: string): void {
    this.#sql.run(
      `UPDATE webhook_deliveries SET state = 'waiting', due_at = ?, attempts = 0, ended_at = NULL WHERE id = ?`,
      ...[this.#clock.now(), id],
    )
  }

  /** Ends the waiting deliveries of a webhook that is switched off. */
  abandon(webhook: string, error: string): void {
    this.#sql.run(
      `UPDATE webhook_deliveries SET state = 'failed', due_at = NULL, error = ?, ended_at = ? WHERE webhook = ? AND due_at IS NOT NULL`,
      ...[error, this.#clock.now(), webhook],
    )
  }

  /** Removes all deliveries of a webhook. */
  forget(webhook: string): void {
    this.#sql.run('DELETE FROM webhook_deliveries WHERE webhook = ?', webhook)
  }

  /**
   * Drops the oldest of too many waiting deliveries, and those whose time of being shown is over, once in a while.
   * @param isDue whether to do it in any case
   * @returns the number of those that had waited, by webhook
   */
  sweep(isDue = false): ReadonlyMap<string, number> {
    const dropped = new Map<string, number>()
    if (!isDue && this.#sinceChecked < DELIVERIES_CHECK_EVERY) return dropped
    this.#sinceChecked = 0
    const now = this.#clock.now()
    const gone = this.#sql.all<{ webhook: string }>(
      `UPDATE webhook_deliveries SET state = 'dropped', due_at = NULL, ended_at = ?, error = ? WHERE seq IN (
         SELECT seq FROM webhook_deliveries WHERE due_at IS NOT NULL ORDER BY seq DESC LIMIT -1 OFFSET ?) RETURNING webhook`,
      ...[now, 'more than MAX_WAITING_DELIVERIES waited', MAX_WAITING_DELIVERIES],
    )
    for (const { webhook } of gone) dropped.set(webhook, (dropped.get(webhook) ?? 0) + 1)
    this.#sql.run('DELETE FROM webhook_deliveries WHERE due_at IS NULL AND ended_at <= ?', now - DELIVERY_KEPT_MS)
    this.#sql.run(
      `DELETE FROM webhook_deliveries WHERE seq IN (
         SELECT seq FROM webhook_deliveries WHERE due_at IS NULL ORDER BY seq DESC LIMIT -1 OFFSET ?)`,
      MAX_KEPT_DELIVERIES,
    )
    return dropped
  }

  #rows(where: string, ...params: (string | number)[]): Delivery[] {
    return this.#sql.all<Row>(`SELECT * FROM webhook_deliveries WHERE ${where}`, ...params).map((row) => ({
      id: row.id,
      number: row.seq,
      type: row.type,
      body: row.body,
      state: row.state as DeliveryInfo['state'],
      at: row.at,
      attempts: row.attempts,
      attemptedAt: row.attempted_at,
      status: row.status,
      error: row.error,
      dueAt: row.due_at,
    }))
  }
}
