import type { Context, Hono } from 'hono'
import { fail } from '../../../../core/failure.ts'
import { MAX_PLANS } from '../../../../core/limits/plans.ts'
import type { AppEnv } from '../../../dialect.ts'
import { parseInput } from '../../../input.ts'
import type { Guard } from '../../../operations/operation.ts'
import { encodeOneMore, PageOf } from '../../../operations/page.ts'
import { guardedRoute } from '../../../operations/route.ts'
import { existingTenant } from '../../../tenant-keys/tenant-keys.ts'
import { ownerOnly } from '../guard.ts'
import type { AdminParts } from '../parts.ts'
import * as codec from './codec.ts'

const TAG = 'invoices'
const PLAN = { plan: 'Name of the plan.' }
const TENANT = { tenant: 'Id of the tenant.' }
const TERMS = {
  currency: 'EUR',
  month: '49.00',
  meters: [
    { meter: 'calls', included: 10_000, price: '0.50', per: 1_000 },
    { meter: 'sandbox_running_seconds', included: 36_000, price: '0.00006', per: 1 },
  ],
}

/** Plans that the owner of the server sells, and which tenant has which. */
export function addPlans(app: Hono<AppEnv>, { keys, plans, clock, adminToken }: AdminParts): void {
  const owner: Guard<void> = { credentials: ['owner'], allow: (c) => ownerOnly(c, adminToken) }
  const named = (c: Context<AppEnv>) => parseInput(c.req.param('plan'), codec.PlanName)

  guardedRoute(
    app,
    'get',
    '/admin/plans',
    owner,
    {
      id: 'listPlans',
      tag: TAG,
      summary: 'List the plans',
      query: codec.PlansQuery,
      answers: { 200: { description: 'A page of them, by name.', content: PageOf(codec.PlanAnswer) } },
      problems: [404],
      example: { query: { limit: '20' }, status: 200 },
    },
    async (c, { query: { limit, cursor: after = '' } }) =>
      c.json(
        encodeOneMore(
          await plans.list({ limit: limit + 1, after }),
          limit,
          (plan) => plan,
          ({ name }) => name,
        ),
      ),
  )

  guardedRoute(
    app,
    'put',
    '/admin/plans/:plan',
    owner,
    {
      id: 'putPlan',
      tag: TAG,
      summary: 'Create or change a plan',
      description:
        'Invoices of a month are made by the plans as they are when somebody asks: keep those that you sent, and give a changed plan another name where earlier months are still to be billed.',
      params: PLAN,
      body: codec.PlanTerms,
      answers: { 200: { description: 'The plan as it is now.', content: codec.PlanAnswer } },
      problems: [404],
      example: { params: { plan: 'team' }, body: TERMS, status: 200 },
    },
    async (c, { body }) => {
      const plan = { name: named(c), ...body }
      if (!(await plans.put(plan, clock.now(), MAX_PLANS))) {
        fail('limit_exceeded', `there are ${MAX_PLANS} plans (MAX_PLANS); delete some that no tenant has`)
      }
      return c.json(plan)
    },
  )

  guardedRoute(
    app,
    'delete',
    '/admin/plans/:plan',
    owner,
    {
      id: 'deletePlan',
      tag: TAG,
      summary: 'Delete a plan that no tenant has, and no invitation gives',
      params: PLAN,
      answers: { 204: { description: 'The plan is gone.' } },
      problems: [404],
      example: { params: { plan: 'team' }, status: 204 },
    },
    async (c) => {
      const refused = await plans.remove(named(c), clock.now())
      if (refused === 'no such plan') noSuchPlan('not_found')
      if (refused === 'in use')
        fail(
          'conflict',
          'tenants have this plan, or an invitation gives it; give them another one, and revoke the invitation, first',
        )
      return c.body(null, 204)
    },
  )

  guardedRoute(
    app,
    'get',
    '/admin/tenants/:tenant/plan',
    owner,
    {
      id: 'getTenantPlan',
      tag: TAG,
      summary: 'Get the plan of a tenant',
      params: TENANT,
      answers: { 200: { description: 'Its plan, or null.', content: codec.PlanOfTenant } },
      problems: [400, 404],
      example: { params: { tenant: 'dev' }, status: 200 },
    },
    async (c) => {
      const tenant = await existingTenant(keys, c.req.param('tenant'))
      const of = await plans.ofTenants([tenant])
      return c.json({ tenant, plan: of.get(tenant) ?? null })
    },
  )

  guardedRoute(
    app,
    'put',
    '/admin/tenants/:tenant/plan',
    owner,
    {
      id: 'putTenantPlan',
      tag: TAG,
      summary: 'Give a tenant a plan, or take it',
      description: 'It holds for whole months, the current one too. It limits nothing.',
      params: TENANT,
      body: codec.AssignPlan,
      answers: { 200: { description: 'The plan that it has now.', content: codec.PlanOfTenant } },
      problems: [404],
      example: { params: { tenant: 'dev' }, body: { plan: 'team' }, status: 200 },
    },
    async (c, { body: { plan } }) => {
      const tenant = await existingTenant(keys, c.req.param('tenant'))
      // Its row would be left when the deletion is over.
      if ((await keys.tenant(tenant))?.deletedAt !== null) fail('conflict', 'the tenant was deleted; it has no plan')
      if (!(await plans.assign(tenant, plan))) noSuchPlan('invalid_input')
      return c.json({ tenant, plan })
    },
  )
}

export const noSuchPlan = (code: 'not_found' | 'invalid_input'): never =>
  fail(code, 'there is no plan of that name; GET /admin/plans lists them')
