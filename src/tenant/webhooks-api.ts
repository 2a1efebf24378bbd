import type { Actor } from '../core/actor.ts'

/** Events that a webhook can want. */
export const WEBHOOK_EVENTS = ['call.ended'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** How a call ended: `refused` never ran, `lost` was cut off by a crash. */
export const ENDED_STATES = ['done', 'failed', 'refused', 'lost'] as const
export type EndedState = (typeof ENDED_STATES)[number]

/** Webhooks of one tenant: receivers of its events, and what was sent to them. */
export interface WebhooksApi {
  /**
   * Adds a webhook.
   * @returns it with its secret, which is shown this once
   * @throws FailureError `forbidden` for an address that is refused; `limit_exceeded`; `conflict` on a server that keeps no secrets
   */
  create(webhook: NewWebhook, by: Actor): Promise<WebhookWithSecret>
  /** All webhooks, oldest first. */
  list(): Promise<readonly WebhookInfo[]>
  /** One webhook; null when there is none. */
  find(id: string): Promise<WebhookInfo | null>
  /** Changes a webhook. @returns null when there is none @throws FailureError as {@link create} */
  change(id: string, changes: WebhookChanges, by: Actor): Promise<WebhookInfo | null>
  /** Removes a webhook with its deliveries. @returns false when there is none */
  remove(id: string, by: Actor): Promise<boolean>
  /** Gives a webhook a new secret; the old one signs too for OLD_WEBHOOK_SECRET_MS. @returns null when there is none */
  rotate(id: string, by: Actor): Promise<WebhookWithSecret | null>
  /** Sends an event `webhook.test`. @returns null when there is none @throws FailureError `conflict` when it is switched off */
  test(id: string): Promise<DeliveryInfo | null>
  /** Deliveries of a webhook, newest first; `before` is the number of the last one of the page before. Null when there is no webhook. */
  deliveries(
    id: string,
    page: { readonly limit: number; readonly before?: number },
  ): Promise<readonly DeliveryInfo[] | null>
  /**
   * Sends a delivery again, with its id and its body.
   * @returns null when there is none
   * @throws FailureError `conflict` when it waits already, or the webhook is switched off
   */
  retry(id: string, delivery: string): Promise<DeliveryInfo | null>
}

/** Events that a webhook wants. A filter that is left out lets all pass, and one for calls concerns no other events. */
export interface WebhookWants {
  readonly events: readonly WebhookEvent[]
  readonly sessions?: readonly string[] | undefined
  readonly tools?: readonly string[] | undefined
  readonly states?: readonly EndedState[] | undefined
}

export interface NewWebhook {
  readonly url: string
  readonly description: string
  readonly wants: WebhookWants
}

export interface WebhookChanges extends Partial<NewWebhook> {
  /** Switches the webhook on or off. */
  readonly isEnabled?: boolean
}

export interface WebhookInfo extends NewWebhook {
  readonly id: string
  /** Milliseconds since 1970, as all times here. */
  readonly createdAt: number
  /** Since when, and why, nothing is sent: its owner, an answer 410, or days of failures. */
  readonly disabled: { readonly at: number; readonly by: 'owner' | 'gone' | 'failing' } | null
  /** Time of the first failure since the last success. */
  readonly failingSince: number | null
  /** Number of deliveries that were dropped since too many waited. */
  readonly dropped: number
  /** End of the time in which an old secret signs too. */
  readonly oldSecretUntil: number | null
}

export interface WebhookWithSecret extends WebhookInfo {
  readonly secret: string
}

export interface DeliveryInfo {
  /** The `webhook-id` of all its attempts. */
  readonly id: string
  /** Number by which deliveries are ordered. */
  readonly number: number
  readonly type: string
  readonly state: 'waiting' | 'delivered' | 'failed' | 'dropped'
  readonly at: number
  readonly attempts: number
  readonly attemptedAt: number | null
  /** Status of the last answer; null without one. */
  readonly status: number | null
  /** Why the last attempt failed. */
  readonly error: string | null
  /** Time of the next attempt. */
  readonly dueAt: number | null
}
