import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import { MAX_LABEL_CHARS } from '../../../../core/limits/tenants.ts'
import { MAX_URL_CHARS } from '../../../../core/limits/web.ts'
import { MAX_WEBHOOK_FILTER_NAMES } from '../../../../core/limits/webhooks.ts'
import {
  type DeliveryInfo,
  ENDED_STATES,
  WEBHOOK_EVENTS,
  type WebhookInfo,
  type WebhookWants,
} from '../../../../tenant/webhooks-api.ts'

const time = z.iso.datetime()
const names = (what: string) =>
  z
    .array(z.string().min(1).max(MAX_LABEL_CHARS))
    .min(1)
    .max(MAX_WEBHOOK_FILTER_NAMES)
    .nullable()
    .meta({ description: what })

const fields = {
  url: z
    .string()
    .min(1)
    .max(MAX_URL_CHARS)
    .meta({ description: 'Address that events are sent to by POST, on the public internet.' }),
  description: z.string().max(MAX_LABEL_CHARS).meta({ description: 'Words for people.' }),
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1)
    .max(WEBHOOK_EVENTS.length)
    .meta({ description: 'Events that it wants.' }),
  sessions: names('Sessions whose events it wants, by their names; null for all.'),
  tools: names('Tools whose ended calls it wants; null for all.'),
  states: z
    .array(z.enum(ENDED_STATES))
    .min(1)
    .max(ENDED_STATES.length)
    .nullable()
    .meta({ description: 'How calls ended that it wants; null for all.' }),
}

export const NewWebhook = z
  .strictObject({
    url: fields.url,
    description: fields.description.optional(),
    events: fields.events.optional().meta({ description: 'Events that it wants: `call.ended` when left out.' }),
    sessions: fields.sessions.optional(),
    tools: fields.tools.optional(),
    states: fields.states.optional(),
  })
  .meta({ id: 'NewWebhook' })

export const ChangedWebhook = z
  .strictObject({
    ...z.object(fields).partial().shape,
    enabled: z.boolean().optional().meta({ description: 'Switches it off, or on again.' }),
  })
  .meta({ id: 'ChangedWebhook' })

export const Webhook = z
  .object({
    id: z.string(),
    ...fields,
    enabled: z.boolean(),
    disabled_at: time.nullable(),
    disabled_by: z.enum(['owner', 'gone', 'failing']).nullable().meta({
      description: 'Why nothing is sent: the owner said so, the receiver answered 410, or it failed for days.',
    }),
    failing_since: time.nullable().meta({ description: 'Time of the first failure since the last success.' }),
    dropped: z.int().meta({ description: 'Deliveries that were dropped, since too many waited.' }),
    old_secret_until: time.nullable().meta({ description: 'Time until which the secret before this one signs too.' }),
    created_at: time,
  })
  .meta({ id: 'Webhook' })

export const WebhookWithSecret = Webhook.extend({
  secret: z.string().meta({ description: 'What signs its events. It is shown this once.' }),
}).meta({ id: 'WebhookWithSecret' })

export const Delivery = z
  .object({
    id: z.string().meta({ description: 'The `webhook-id` of every attempt.' }),
    type: z.string(),
    state: z.enum(['waiting', 'delivered', 'failed', 'dropped']),
    attempts: z.int(),
    status: z.int().nullable().meta({ description: 'Status of the last answer.' }),
    error: z.string().nullable().meta({ description: 'Why the last attempt failed.' }),
    created_at: time,
    attempted_at: time.nullable(),
    next_attempt_at: time.nullable(),
  })
  .meta({ id: 'Delivery' })

type Wants = Partial<Pick<z.output<typeof ChangedWebhook>, 'events' | 'sessions' | 'tools' | 'states'>>

/** Settings of a webhook after a change; null takes a filter away, and what is left out stays. */
export function decodeWants({ events, sessions, tools, states }: Wants, before: WebhookWants): WebhookWants {
  return {
    events: events ? [...new Set(events)] : before.events,
    sessions: sessions === undefined ? before.sessions : (sessions ?? undefined),
    tools: tools === undefined ? before.tools : (tools ?? undefined),
    states: states === undefined ? before.states : (states ?? undefined),
  }
}

export function encodeWebhook({ wants, ...webhook }: WebhookInfo): z.input<typeof Webhook> {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    events: [...wants.events],
    sessions: wants.sessions ? [...wants.sessions] : null,
    tools: wants.tools ? [...wants.tools] : null,
    states: wants.states ? [...wants.states] : null,
    enabled: webhook.disabled === null,
    disabled_at: timeOf(webhook.disabled?.at),
    disabled_by: webhook.disabled?.by ?? null,
    failing_since: timeOf(webhook.failingSince),
    dropped: webhook.dropped,
    old_secret_until: timeOf(webhook.oldSecretUntil),
    created_at: new Date(webhook.createdAt).toISOString(),
  }
}

export const encodeDelivery = (delivery: DeliveryInfo): z.input<typeof Delivery> => ({
  id: delivery.id,
  type: delivery.type,
  state: delivery.state,
  attempts: delivery.attempts,
  status: delivery.status,
  error: delivery.error,
  created_at: new Date(delivery.at).toISOString(),
  attempted_at: timeOf(delivery.attemptedAt),
  next_attempt_at: timeOf(delivery.dueAt),
})

const timeOf = (ms: number | null | undefined) => (ms == null ? null : new Date(ms).toISOString())

/** @throws FailureError `not_found` */
export const failUnknown = (id: string): never =>
  fail('not_found', `there is no webhook ${id.slice(0, 64)}; GET /v1/webhooks lists those there are`)
