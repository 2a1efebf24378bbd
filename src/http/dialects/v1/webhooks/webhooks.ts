import type { Hono } from 'hono'
import * as z from 'zod'
import { MAX_WEBHOOKS_PER_TENANT } from '../../../../core/limits/webhooks.ts'
import type { AppEnv } from '../../../dialect.ts'
import type { Operation } from '../../../operations/operation.ts'
import { encodeHeld, PageOf, pageQuery, placeInTime } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import {
  ChangedWebhook,
  decodeWants,
  encodeWebhook,
  failUnknown,
  NewWebhook,
  Webhook,
  WebhookWithSecret,
} from './webhooks-codec.ts'

const tag = 'webhooks'
const scope = 'admin'
const params = { webhook: 'Id of the webhook.' }
const example = { params: { webhook: 'whk_0' }, status: 200 }

const CREATE: Operation<never, typeof NewWebhook> = {
  id: 'createWebhook',
  tag,
  summary: 'Add a webhook',
  description:
    'Events are sent to it as Standard Webhooks, signed with the secret of the answer. A receiver answers 2xx within 15 seconds, or is asked again for three days.',
  scope,
  body: NewWebhook,
  answers: {
    201: {
      description: 'The webhook with its secret, which is shown this once.',
      content: WebhookWithSecret,
      headers: { Location: 'Where the webhook is looked at.' },
    },
  },
  problems: [403, 409],
  example: {
    body: { url: 'https://93.184.215.14/events', events: ['call.ended'], states: ['failed', 'lost'] },
    status: 201,
  },
}

const ListQuery = z.strictObject(pageQuery(MAX_WEBHOOKS_PER_TENANT))

const LIST: Operation<typeof ListQuery> = {
  id: 'listWebhooks',
  tag,
  summary: 'List webhooks, oldest first',
  scope,
  query: ListQuery,
  answers: { 200: { description: 'A page of webhooks.', content: PageOf(Webhook) } },
  problems: [],
  example: { status: 200 },
}

const GET: Operation = {
  id: 'getWebhook',
  tag,
  summary: 'Get a webhook',
  scope,
  params,
  answers: { 200: { description: 'The webhook.', content: Webhook } },
  problems: [404],
  example,
}

const UPDATE: Operation<never, typeof ChangedWebhook> = {
  id: 'updateWebhook',
  tag,
  summary: 'Change a webhook',
  description:
    'What is left out stays, and null takes a filter away. What waits when it is switched off is not sent later, unless a delivery is retried.',
  scope,
  params,
  body: ChangedWebhook,
  answers: { 200: { description: 'The webhook after it.', content: Webhook } },
  problems: [403, 404],
  example: { ...example, body: { sessions: ['report'], enabled: true } },
}

const DELETE: Operation = {
  id: 'deleteWebhook',
  tag,
  summary: 'Delete a webhook',
  description: 'What waits for it is dropped.',
  scope,
  params,
  answers: { 204: { description: 'It is gone.' } },
  problems: [404],
  example: { ...example, status: 204 },
}

const ROTATE: Operation = {
  id: 'rotateWebhookSecret',
  tag,
  summary: 'Give a webhook a new secret',
  description: 'For a day events are signed with the old secret too.',
  scope,
  params,
  answers: {
    200: { description: 'The webhook with its new secret, which is shown this once.', content: WebhookWithSecret },
  },
  problems: [404, 409],
  example,
}

/** `/v1/webhooks`: receivers of a tenant's events. */
export function addWebhooks(app: Hono<AppEnv>): void {
  route(app, 'post', '/v1/webhooks', CREATE, async (c, { services: { tenant, key }, body }) => {
    const { url, description = '' } = body
    const made = { url, description, wants: decodeWants(body, { events: ['call.ended'] }) }
    const { secret, ...webhook } = await tenant.webhooks.create(made, { key, agent: null })
    c.header('Location', `/v1/webhooks/${webhook.id}`)
    return c.json({ ...encodeWebhook(webhook), secret }, 201, NO_STORE)
  })

  route(app, 'get', '/v1/webhooks', LIST, async (c, { services, query }) =>
    c.json(encodeHeld((await services.tenant.webhooks.list()).map(encodeWebhook), query, placeInTime)),
  )

  route(app, 'get', '/v1/webhooks/:webhook', GET, async (c, { services }) => {
    const id = c.req.param('webhook')
    return c.json(encodeWebhook((await services.tenant.webhooks.find(id)) ?? failUnknown(id)))
  })

  route(app, 'patch', '/v1/webhooks/:webhook', UPDATE, async (c, { services: { tenant, key }, body }) => {
    const id = c.req.param('webhook')
    const { url, description, enabled } = body
    const { wants } = (await tenant.webhooks.find(id)) ?? failUnknown(id)
    const changes = {
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(enabled !== undefined && { isEnabled: enabled }),
      wants: decodeWants(body, wants),
    }
    return c.json(encodeWebhook((await tenant.webhooks.change(id, changes, { key, agent: null })) ?? failUnknown(id)))
  })

  route(app, 'delete', '/v1/webhooks/:webhook', DELETE, async (c, { services: { tenant, key } }) => {
    const id = c.req.param('webhook')
    if (!(await tenant.webhooks.remove(id, { key, agent: null }))) failUnknown(id)
    return c.body(null, 204)
  })

  route(app, 'post', '/v1/webhooks/:webhook/rotate', ROTATE, async (c, { services: { tenant, key } }) => {
    const id = c.req.param('webhook')
    const { secret, ...webhook } = (await tenant.webhooks.rotate(id, { key, agent: null })) ?? failUnknown(id)
    return c.json({ ...encodeWebhook(webhook), secret }, 200, NO_STORE)
  })
}

const NO_STORE = { 'Cache-Control': 'no-store' }
