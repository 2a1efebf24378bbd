import { FailureError, orNull } from '../../core/failure.ts'
import {
  DELIVERIES_AT_ONCE,
  DELIVERIES_AT_ONCE_TO_ONE,
  DELIVERIES_AT_ONCE_TO_TROUBLED,
  DELIVERIES_MENDED_MS,
  DELIVERY_JITTER,
  DELIVERY_RETRIES_MS,
  SLOW_RECEIVER_MS,
  WEBHOOK_FAILING_MS,
  WEBHOOK_TIMEOUT_MS,
} from '../../core/limits/webhooks.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Http } from '../../ports/http.ts'
import type { Sql } from '../../ports/sql.ts'
import type { AuditLog } from '../audit-log.ts'
import type { Attempt, Delivery, WebhookOutbox } from './outbox.ts'
import { signedHeaders } from './signature.ts'
import type { StoredWebhook, WebhookList } from './webhook-list.ts'

interface Parts {
  readonly sql: Sql
  readonly clock: Clock
  readonly list: WebhookList
  readonly outbox: WebhookOutbox
  readonly audit: Pick<AuditLog, 'append'>
  readonly http: Pick<Http, 'open'>
  /** Secrets by which a webhook's messages are signed now. */
  readonly secretsOf: (webhook: StoredWebhook) => Promise<readonly string[]>
  /** Has work go on that nobody waits for. */
  readonly keepAlive: (work: Promise<void>) => void
  readonly logError: (thrown: unknown) => void
  /** Schedules the next run. */
  readonly plan: () => Promise<void>
}

/**
 * Delivers the outbox, some deliveries at a time. Receivers that failed or were slow the last time have few places, so that they
 * do not hold up the others. A delivery stays due until its attempt is noted: after a crash it is attempted again.
 */
export class WebhookDeliverer {
  readonly #parts: Parts
  /** Deliveries that are being sent, with their webhooks. */
  readonly #sending = new Map<string, string>()
  /** Webhooks whose last answer was slow. */
  readonly #slow = new Set<string>()
  /** Whether some delivery may be due that was not looked at; true at first, since a restart knows of none. */
  #hasNew = true
  /** Webhook that has the first choice of places in the next run. */
  #first = 0
  /** End of a pause after an attempt that could not be noted. */
  #pausedUntil = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Notes that deliveries were added, or changed. */
  hasNew(): void {
    this.#hasNew = true
  }

  /** Time of the next {@link run}; null when nothing waits. Without webhooks this reads nothing. */
  nextTime(): number | null {
    const { list, outbox, clock } = this.#parts
    const active = list.all.filter(({ disabled }) => disabled === null)
    if (active.length === 0) return null
    if (this.#hasNew) return Math.max(clock.now(), this.#pausedUntil)
    const times = active.flatMap(({ id }) => outbox.nextDue(id) ?? [])
    if (this.#sending.size > 0) times.push(clock.now() + DELIVERIES_MENDED_MS)
    return times.length > 0 ? Math.min(...times) : null
  }

  /** Begins the deliveries that are due, as far as there are places. The end of each calls this again. */
  run(): void {
    const { list, outbox, sql, clock, keepAlive } = this.#parts
    if (sql.isReadOnly || clock.now() < this.#pausedUntil) return
    this.#hasNew = false
    const active = list.all.filter(({ disabled }) => disabled === null)
    this.#first += 1
    for (const at of active.keys()) {
      const webhook = active[(at + this.#first) % active.length]
      const places = webhook ? this.#placesFor(webhook) : 0
      if (!webhook || places <= 0) continue
      const due = outbox.due(webhook.id, places + this.#sendingTo(webhook.id))
      for (const delivery of due.filter(({ id }) => !this.#sending.has(id)).slice(0, places)) {
        this.#sending.set(delivery.id, webhook.id)
        keepAlive(this.#deliver(webhook, delivery))
      }
    }
  }

  #placesFor(webhook: StoredWebhook): number {
    const free = Math.min(
      DELIVERIES_AT_ONCE - this.#sending.size,
      DELIVERIES_AT_ONCE_TO_ONE - this.#sendingTo(webhook.id),
    )
    if (!this.#isTroubled(webhook)) return free
    const troubled = this.#parts.list.all.filter((other) => this.#isTroubled(other))
    const taken = troubled.reduce((sum, { id }) => sum + this.#sendingTo(id), 0)
    return Math.min(free, DELIVERIES_AT_ONCE_TO_TROUBLED - taken)
  }

  #isTroubled({ id, failingSince }: StoredWebhook): boolean {
    return failingSince !== null || this.#slow.has(id)
  }

  #sendingTo(webhook: string): number {
    return [...this.#sending.values()].filter((id) => id === webhook).length
  }

  async #deliver(webhook: StoredWebhook, delivery: Delivery): Promise<void> {
    const { logError, plan, clock } = this.#parts
    try {
      const attempt = await this.#attempt(webhook, delivery)
      if (clock.now() - attempt.at > SLOW_RECEIVER_MS) this.#slow.add(webhook.id)
      else this.#slow.delete(webhook.id)
      this.#note(webhook.id, delivery, attempt)
    } catch (thrown) {
      // The delivery is still due: without a pause it would be sent again at once, and again.
      this.#pausedUntil = clock.now() + DELIVERIES_MENDED_MS
      this.#hasNew = true
      logError(thrown)
    }
    this.#sending.delete(delivery.id)
    try {
      this.run()
      await plan()
    } catch (thrown) {
      logError(thrown)
    }
  }

  async #attempt(webhook: StoredWebhook, { id, body }: Delivery): Promise<Attempt> {
    const { http, clock, secretsOf, logError } = this.#parts
    const at = clock.now()
    const secrets = await orNull(secretsOf(webhook), 'upstream', 'conflict')
    if (secrets === null) return { at, status: null, error: NO_SECRET }
    try {
      const headers = {
        'Content-Type': 'application/json',
        'User-Agent': 'Toolyard-Webhooks/1',
        ...(await signedHeaders({ id, body }, at, secrets)),
      }
      const request = { url: webhook.url, method: 'POST', headers, body, timeoutMs: WEBHOOK_TIMEOUT_MS }
      const answer = await http.open({ ...request, maxRedirects: 0, maxBytes: Number.MAX_SAFE_INTEGER }, NEVER)
      // The status says it all; nothing of a body is read.
      answer.body.cancel().catch(() => undefined)
      const { status } = answer
      return { at, status, error: status >= 200 && status < 300 ? null : whyNot(status) }
    } catch (thrown) {
      if (!(thrown instanceof FailureError)) logError(thrown)
      const code = thrown instanceof FailureError ? thrown.failure.code : ''
      return { at, status: null, error: WHY_UNSENT[code] ?? 'it could not be sent' }
    }
  }

  #note(id: string, delivery: Delivery, attempt: Attempt): void {
    const { sql, list, outbox, clock } = this.#parts
    sql.transaction(() => {
      const webhook = list.find(id)
      if (!webhook) return
      if (attempt.error === null) {
        outbox.over(delivery.id, attempt)
        if (webhook.failingSince !== null) list.put({ ...webhook, failingSince: null })
        return
      }
      const delay = DELIVERY_RETRIES_MS[delivery.attempts]
      const jitter = 1 + Math.random() * DELIVERY_JITTER
      if (delay === undefined) outbox.over(delivery.id, attempt)
      else outbox.again(delivery.id, attempt, Math.round(clock.now() + delay * jitter))
      const failingSince = webhook.failingSince ?? attempt.at
      if (attempt.status === GONE) this.#disable({ ...webhook, failingSince }, 'gone')
      else if (attempt.at - failingSince >= WEBHOOK_FAILING_MS) this.#disable({ ...webhook, failingSince }, 'failing')
      else if (webhook.failingSince === null) list.put({ ...webhook, failingSince })
    })
  }

  /** Switches a webhook off for its receiver's answers. */
  #disable(webhook: StoredWebhook, by: 'gone' | 'failing'): void {
    const { list, outbox, audit, clock } = this.#parts
    if (webhook.disabled !== null) return
    list.put({ ...webhook, disabled: { at: clock.now(), by } })
    outbox.abandon(webhook.id, 'the webhook was switched off')
    audit.append([
      {
        ...{ action: 'webhook.disable', by: { key: null, agent: null }, subject: webhook.id },
        ...{ decision: 'noted', reason: by },
      },
    ])
  }
}

const GONE = 410
const NO_SECRET = 'its secret cannot be opened, since the SECRETS_KEY of the server has changed; rotate it'
const NEVER = new AbortController().signal

const whyNot = (status: number) =>
  status >= 300 && status < 400 ? 'it answered with a redirect, which is not followed' : `it answered ${status}`

const WHY_UNSENT: Readonly<Record<string, string>> = {
  forbidden: 'its address is refused: only those of the public internet are reached',
  timeout: `it did not answer within ${WEBHOOK_TIMEOUT_MS / 1_000} seconds`,
  upstream: 'it cannot be reached',
}
