import type { Hono } from 'hono'
import { fail } from '../../../../core/failure.ts'
import { LimitSettings, limitsTag } from '../../../../registry/limit-settings.ts'
import type { AppEnv } from '../../../dialect.ts'
import { route } from '../../../operations/route.ts'
import { problemResponse } from '../../../problem.ts'
import { special } from '../files/file-answers.ts'

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
      answers: { 200: { description: 'The limits.', content: Limits, headers: { ETag } } },
      problems: [],
      example: { status: 200 },
    },
    async (c, { services }) => {
      const settings = await services.tenant.limits.read()
      return c.json(settings, 200, { ETag: `"${limitsTag(settings)}"` })
    },
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
      headers: {
        'If-Match': 'ETag of the limits that these are put in place of. Otherwise 412, and nothing is changed.',
      },
      body: PutLimits,
      answers: {
        200: { description: 'The limits hold for the next call of any session.', content: Limits, headers: { ETag } },
      },
      problems: [400, 412],
      example: {
        body: { rules: [{ scope: 'agent', name: 'team-*', per_minute: 600 }], prices: [{ tool: '*', per_call: 100 }] },
        status: 200,
      },
    },
    async (c, { services: { tenant, key }, body }) => {
      const by = { key, agent: null }
      const known = knownLimits(c.req.header('If-Match'))
      if (!(await tenant.limits.put(body, by, known))) return otherLimits(c.env.requestId)
      return c.json(body, 200, { ETag: `"${limitsTag(body)}"` })
    },
  )
}

const ETag = 'Name of these very limits, in quotes.'

/** Limits that a condition names; undefined for any. A proxy that packs answers makes their tag a weak one, of limits that are the same. @throws FailureError `invalid_input` */
function knownLimits(condition: string | undefined): string | undefined {
  if (condition === undefined || condition.trim() === '*') return undefined
  const [, known] = /^\s*(?:W\/)?"([0-9a-f]{32})"\s*$/.exec(condition) ?? []
  return known ?? fail('invalid_input', 'If-Match is the ETag that GET /v1/limits had, quotes included')
}

const otherLimits = (requestId: string): Response =>
  problemResponse(
    special(requestId, {
      status: 412,
      title: 'Precondition failed',
      code: 'precondition_failed',
      detail: 'the limits were changed meanwhile',
      hint: 'read them again, make the change in what they are now, and put that with its ETag in If-Match',
    }),
  )
