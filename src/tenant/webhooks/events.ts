import type { EndedCall } from '../calls-api.ts'
import type { EndedState, WebhookEvent } from '../webhooks-api.ts'
import type { WebhookOutbox } from './outbox.ts'
import type { EventFacts, WebhookList } from './webhook-list.ts'

interface Parts {
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

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Whether a webhook wants ended calls, so that sessions should report them soon and each by itself. */
  get wantsCalls(): boolean {
    return this.#parts.list.wanting('call.ended').length > 0
  }

  callsEnded(calls: readonly EndedCall[]): void {
    if (!this.wantsCalls) return
    for (const call of calls) {
      const { session } = call
      const [tool, state] = [call.made ?? call.tool, stateOf(call)]
      this.#add('call.ended', { session, tool, state }, () => ({
        ...{ session, call_id: call.callId, tool, state, reason: call.failure, key: call.key, agent: call.agent },
        ...{ started_at: new Date(call.startedAt).toISOString(), ms: call.ms },
        ...(call.each && { count: call.each.ms.length }),
      }))
    }
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

const stateOf = ({ failure, isRefused }: EndedCall): EndedState => {
  if (isRefused) return 'refused'
  if (failure === null) return 'done'
  return failure === 'lost' ? 'lost' : 'failed'
}
