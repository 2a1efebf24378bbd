import type { Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import { MAX_DELIVERY_PAGE } from '../../../../core/limits/webhooks.ts'
import type { AppEnv } from '../../../dialect.ts'
import type { Operation } from '../../../operations/operation.ts'
import { encodeOneMore, numberedPageQuery, PageOf } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { Delivery, encodeDelivery, failUnknown } from './webhooks-codec.ts'

const tag = 'webhooks'
const scope = 'admin'
const params = { webhook: 'Id of the webhook.' }
const example = { params: { webhook: 'whk_0' }, status: 200 }
const DeliveriesQuery = z.object(numberedPageQuery(MAX_DELIVERY_PAGE))

const TEST: Operation = {
  id: 'testWebhook',
  tag,
  summary: 'Send a webhook an event of no meaning',
  description: 'The event `webhook.test` goes the way of all others; its delivery says what came of it.',
  scope,
  params,
  answers: { 202: { description: 'The delivery, which waits to be sent.', content: Delivery } },
  problems: [404, 409],
  example: { ...example, status: 202 },
}

const LIST: Operation<typeof DeliveriesQuery> = {
  id: 'listDeliveries',
  tag,
  summary: 'List deliveries to a webhook, newest first',
  description: 'Those that are over are shown for a week, the last 2,000 of all webhooks together.',
  scope,
  params,
  query: DeliveriesQuery,
  answers: { 200: { description: 'A page of deliveries.', content: PageOf(Delivery) } },
  problems: [404],
  example,
}

const RETRY: Operation = {
  id: 'retryDelivery',
  tag,
  summary: 'Send a delivery again, with the same id',
  scope,
  params: { ...params, delivery: 'Id of the delivery.' },
  answers: { 202: { description: 'The delivery, which waits to be sent.', content: Delivery } },
  problems: [404, 409],
  example: { params: { webhook: 'whk_0', delivery: 'msg_0' }, status: 202 },
}

/** `/v1/webhooks/{webhook}/deliveries`: what was sent to a webhook, and what waits. */
export function addDeliveries(app: Hono<AppEnv>): void {
  route(app, 'post', '/v1/webhooks/:webhook/test', TEST, async (c, { services: { tenant } }) => {
    const id = c.req.param('webhook')
    return c.json(encodeDelivery((await tenant.webhooks.test(id)) ?? failUnknown(id)), 202)
  })

  route(
    app,
    'get',
    '/v1/webhooks/:webhook/deliveries',
    LIST,
    async (c, { services: { tenant }, query: { limit, cursor } }) => {
      const id = c.req.param('webhook')
      const page = { limit: limit + 1, ...(cursor !== undefined && { before: cursor }) }
      const found = (await tenant.webhooks.deliveries(id, page)) ?? failUnknown(id)
      return c.json(encodeOneMore(found, limit, encodeDelivery, ({ number }) => number))
    },
  )

  route(app, 'post', '/v1/webhooks/:webhook/deliveries/:delivery/retry', RETRY, async (c, { services: { tenant } }) => {
    const { webhook, delivery } = c.req.param()
    const found = await tenant.webhooks.retry(webhook, delivery)
    if (found) return c.json(encodeDelivery(found), 202)
    return (await tenant.webhooks.find(webhook)) === null
      ? failUnknown(webhook)
      : fail(
          'not_found',
          `there is no delivery ${delivery.slice(0, 64)}; GET /v1/webhooks/${webhook}/deliveries lists those kept`,
        )
  })
}
