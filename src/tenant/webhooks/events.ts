import type { FailureError } from '../../core/failure.ts'
import { MAX_REPORTED_BUDGETS } from '../../core/limits/webhooks.ts'
import { rateLimitedOf } from '../../core/rate-limited.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Sql } from '../../ports/sql.ts'
import { type Counted, nameIn } from '../../registry/limit-settings.ts'
import { DAY_MS } from '../call-counter.ts'
import type { EndedCall } from '../calls-api.ts'
import { BudgetSpentError } from '../child-counter.ts'
import type { EndedState, WebhookEvent } from '../webhooks-api.ts'
import type { WebhookOutbox } from './outbox.ts'
import type { EventFacts, WebhookList } from './webhook-list.ts'

interface Parts {
  readonly sql: Pick<Sql, 'isReadOnly'>
  readonly clock: Clock
  readonly list: WebhookList
  readonly outbox: WebhookOutbox
  /** Has the outbox delivered. */
  readonly deliverer: { hasNew(): void }
}

/**
 * Events of a tenant: each goes into the outbox for the webhooks that want it, in the caller's transaction. An event holds no
 * arguments, no answers and no secrets.
 */
export class WebhookEvents {
  readonly #parts: Parts
  /** Budgets whose end is in the outbox: a refused caller may come a thousand times. */
  readonly #reported = new Set<string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Whether a webhook wants ended calls, so that sessions should report them soon and each by itself. */
  get wantsCalls(): boolean {
    return this.#parts.list.wanting('call.ended').length > 0
  }

  /** Adds the events of ended calls, and of the human tasks that sessions report with them. */
  callsEnded(calls: readonly EndedCall[]): void {
    if (this.#parts.list.all.length === 0) return
    for (const call of calls) {
      const { session } = call
      if (call.humanTask === 'dropped') continue
      if (call.humanTask !== undefined) {
        this.#add(`human_task.${call.humanTask}`, { session }, () => ({ session, task: call.callId }))
        continue
      }
      const [tool, state] = [call.made ?? call.tool, stateOf(call)]
      this.#add('call.ended', { session, tool, state }, () => ({
        ...{ session, call_id: call.callId, tool, state, reason: call.failure, key: call.key, agent: call.agent },
        ...{ started_at: new Date(call.startedAt).toISOString(), ms: call.ms },
        ...(call.each && { count: call.each.ms.length }),
      }))
    }
  }

  /** Adds the event of a day's quota, a day's budget or a key's budget that refused a call: once a day for each. */
  callRefused(refusal: FailureError, call: Counted & { readonly session: string }): void {
    const { sql, clock, list } = this.#parts
    if (sql.isReadOnly || list.wanting('budget.reached').length === 0) return
    const reached = reachedBy(refusal, call)
    if (reached === null) return
    const about = JSON.stringify([...Object.values(reached), Math.floor(clock.now() / DAY_MS)])
    const { session } = call
    const place = `${session} ${about}`
    if (this.#reported.has(place)) return
    if (this.#reported.size >= MAX_REPORTED_BUDGETS) this.#reported.clear()
    this.#reported.add(place)
    this.#add('budget.reached', { session }, () => ({ session, ...reached }), about)
  }

  /** @param about what a webhook gets this event for once; null for an event of its own */
  #add(type: WebhookEvent, facts: EventFacts, data: () => object, about: string | null = null): void {
    const { list, outbox, deliverer } = this.#parts
    const wanting = list.wanting(type, facts)
    if (wanting.length === 0) return
    const made = data()
    for (const { id } of wanting) outbox.add(id, type, made, about)
    for (const [id, count] of outbox.sweep()) {
      const webhook = list.find(id)
      if (webhook) list.put({ ...webhook, dropped: webhook.dropped + count })
    }
    deliverer.hasNew()
  }
}

/** The budget or quota behind a refusal; null for a refusal that passes by itself. */
function reachedBy(refusal: FailureError, call: Counted) {
  if (refusal instanceof BudgetSpentError) {
    const { key, kind, limit } = refusal.spent
    return { scope: 'child_key', name: key, kind, limit }
  }
  const limited = rateLimitedOf(refusal.failure)
  if (limited?.scope === 'server' || (limited?.kind !== 'per-day' && limited?.kind !== 'budget-per-day')) return null
  const { scope, kind, limit } = limited
  const name = nameIn(scope, call)
  return { scope, name, kind, limit }
}

const stateOf = ({ failure, isRefused }: EndedCall): EndedState => {
  if (isRefused) return 'refused'
  if (failure === null) return 'done'
  return failure === 'lost' ? 'lost' : 'failed'
}
