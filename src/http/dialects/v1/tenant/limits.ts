import type { Hono } from 'hono'
import { LimitSettings } from '../../../../registry/limit-settings.ts'
import type { AppEnv } from '../../../dialect.ts'
import { route } from '../../../operations/route.ts'

/** Body of a PUT. `rules` is required: left out by mistake they would end every limit. */
const PutLimits = LimitSettings.extend({ rules: LimitSettings.shape.rules.unwrap() }).meta({ id: 'NewLimits' })

const Limits = LimitSettings.meta({
  id: 'Limits',
  description:
    'Of the rules for one scope the first whose name fits holds; of the prices the first whose tool fits. 0: no limit.',
})

/** Limits on the use of a tenant's tools: all of them are read, and put, at once. They are the owner's. */
export function addLimits(app: Hono<AppEnv>): void {
  route(
    app,
    'get',
    '/v1/limits',
    {
      id: 'getLimits',
      tag: 'limits',
      summary: 'Get all limits and prices',
      scope: 'admin',
      answers: { 200: { description: 'The limits.', content: Limits } },
      problems: [],
      example: { status: 200 },
    },
    async (c, { services }) => c.json(await services.tenant.limits.read()),
  )

  route(
    app,
    'put',
    '/v1/limits',
    {
      id: 'putLimits',
      tag: 'limits',
      summary: 'Replace all limits and prices',
      description:
        'A rule for the tenant has no name, and burst goes with per_minute. Budgets and prices are in millionths of your currency.',
      scope: 'admin',
      body: PutLimits,
      answers: { 200: { description: 'The limits hold for the next call of any session.', content: Limits } },
      problems: [],
      example: {
        body: { rules: [{ scope: 'agent', name: 'team-*', per_minute: 600 }], prices: [{ tool: '*', per_call: 100 }] },
        status: 200,
      },
    },
    async (c, { services: { tenant, key }, body }) => {
      await tenant.limits.put(body, { key, agent: null })
      return c.json(body)
    },
  )
}
