import type { Tone } from '../../parts/tone.ts'

/** Events of webhooks, and what happened then. */
export const EVENTS: Readonly<Record<string, string>> = {
  'call.ended': 'call.ended: a call ended, well or not',
  'human_task.created': 'human_task.created: an agent asks somebody something',
  'human_task.completed': 'human_task.completed: that was answered',
  'budget.reached': 'budget.reached: a budget is used up',
}

/** How calls end, of which a webhook may want some alone. */
export const ENDS: Readonly<Record<string, string>> = {
  done: 'done',
  failed: 'failed',
  refused: 'refused',
  lost: 'lost',
}

/** A receiver of the tenant's events. Null for a filter is all. */
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly events: readonly string[]
  readonly sessions: readonly string[] | null
  readonly tools: readonly string[] | null
  readonly states: readonly string[] | null
  readonly enabled: boolean
  readonly disabled_by: 'owner' | 'gone' | 'failing' | null
  readonly failing_since: string | null
  readonly dropped: number
  readonly old_secret_until: string | null
  readonly created_at: string
}

/** Delivery of an event to a webhook: made, or waiting to be. */
export interface Delivery {
  readonly id: string
  readonly type: string
  readonly state: 'waiting' | 'delivered' | 'failed' | 'dropped'
  readonly attempts: number
  readonly status: number | null
  readonly error: string | null
  readonly created_at: string
  readonly next_attempt_at: string | null
}

/** Tones of the states of deliveries. */
export const DELIVERY_TONES: Readonly<Record<Delivery['state'], Tone>> = {
  waiting: 'busy',
  delivered: 'good',
  failed: 'bad',
  dropped: 'warn',
}

/** State of a webhook in words. */
export function stateOf({ enabled, disabled_by, failing_since }: Webhook): [words: string, tone: Tone] {
  if (!enabled)
    return [disabled_by === 'owner' ? 'off' : `off: ${disabled_by}`, disabled_by === 'owner' ? 'plain' : 'bad']
  return failing_since ? ['failing', 'warn'] : ['on', 'good']
}

/** Path of a webhook at the server, with segments below it, each encoded. */
export const pathOfWebhook = (webhook: string, ...segments: readonly string[]): string =>
  ['/v1/webhooks', ...[webhook, ...segments].map(encodeURIComponent)].join('/')
