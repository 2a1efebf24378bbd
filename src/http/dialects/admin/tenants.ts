import type { Context, Hono } from 'hono'
import { randomDigits } from '../../../auth/key.ts'
import { fail } from '../../../core/failure.ts'
import { tenantId } from '../../../core/ids.ts'
import type { AppEnv } from '../../dialect.ts'
import type { Guard } from '../../operations/operation.ts'
import { encodeOneMore, PageOf } from '../../operations/page.ts'
import { guardedRoute } from '../../operations/route.ts'
import { problemResponse, toProblem } from '../../problem.ts'
import { noSuchTenant } from '../../tenant-keys/tenant-keys.ts'
import * as codec from './codec.ts'
import { reachOf } from './guard.ts'
import { type AdminParts, OWNER_ONLY } from './parts.ts'

const TENANT = { tenant: 'Id of the tenant.' }

/** Tenants, for the owner of the server. */
export function addTenants(app: Hono<AppEnv>, { keys, clock, adminToken }: AdminParts): void {
  const owner: Guard<void> = { credentials: ['owner'], allow: (c) => ownerOnly(c, adminToken) }

  guardedRoute(
    app,
    'post',
    '/admin/tenants',
    owner,
    {
      id: 'createTenant',
      tag: 'tenants',
      summary: 'Create a tenant',
      body: codec.CreateTenant,
      answers: { 201: { description: 'The tenant is there.', content: codec.TenantAnswer } },
      problems: [404, 409],
      example: { body: { id: 'acme', name: 'Acme' }, status: 201 },
    },
    async (c, { body: { id = newTenantId(), name } }) => {
      const tenant = { id, name, createdAt: clock.now() }
      if (!(await keys.addTenant(tenant))) fail('conflict', `there is a tenant "${id}" already; choose another id`)
      return c.json(codec.encodeTenant({ ...tenant, disabledAt: null }), 201)
    },
  )

  guardedRoute(
    app,
    'get',
    '/admin/tenants',
    owner,
    {
      id: 'listTenants',
      tag: 'tenants',
      summary: 'List tenants',
      query: codec.TenantsQuery,
      answers: { 200: { description: 'A page of tenants.', content: PageOf(codec.TenantAnswer) } },
      problems: [404],
      example: { query: { limit: '20' }, status: 200 },
    },
    async (c, { query: { limit, cursor } }) => {
      const tenants = await keys.listTenants({ limit: limit + 1, ...(cursor === undefined ? {} : { after: cursor }) })
      return c.json(encodeOneMore(tenants, limit, codec.encodeTenant, ({ id }) => id))
    },
  )

  guardedRoute(
    app,
    'get',
    '/admin/tenants/:tenant',
    owner,
    {
      id: 'getTenant',
      tag: 'tenants',
      summary: 'Get a tenant',
      params: TENANT,
      answers: { 200: { description: 'The tenant.', content: codec.TenantAnswer } },
      problems: [400, 404],
      example: { params: { tenant: 'dev' }, status: 200 },
    },
    async (c) => {
      const tenant = await keys.tenant(tenantId(c.req.param('tenant')))
      return c.json(codec.encodeTenant(tenant ?? noSuchTenant()))
    },
  )

  guardedRoute(
    app,
    'patch',
    '/admin/tenants/:tenant',
    owner,
    {
      id: 'updateTenant',
      tag: 'tenants',
      summary: 'Rename, disable or enable a tenant',
      description: 'Keys of a disabled tenant are refused within 30 seconds. Send one field at least.',
      params: TENANT,
      body: codec.ChangeTenant,
      answers: { 200: { description: 'The tenant as it is now.', content: codec.TenantAnswer } },
      problems: [404],
      example: { params: { tenant: 'dev' }, body: { name: 'Development' }, status: 200 },
    },
    async (c, { body: { name, disabled } }) => {
      const tenant = await keys.changeTenant(tenantId(c.req.param('tenant')), {
        ...(name === undefined ? {} : { name }),
        ...(disabled === undefined ? {} : { disabledAt: disabled ? clock.now() : null }),
      })
      return c.json(codec.encodeTenant(tenant ?? noSuchTenant()))
    },
  )

  // A deleted tenant's id would be free again, and its next owner would find the files of the one before.
  app.use('/admin/tenants/:tenant', async (c, next) => {
    if (c.req.method !== 'DELETE') return next()
    await ownerOnly(c, adminToken)
    const refusal = toProblem({ code: 'conflict', message: 'a tenant cannot be deleted' }, c.env.requestId)
    return problemResponse(
      {
        ...refusal,
        status: 405,
        title: 'Method not allowed',
        code: 'method_not_allowed',
        hint: 'disable it with PATCH and {"disabled": true}: from then on all its keys are refused',
      },
      { Allow: 'GET, PATCH' },
    )
  })
}

async function ownerOnly(c: Context<AppEnv>, adminToken: string): Promise<void> {
  if ((await reachOf(c, adminToken)) !== 'all tenants') {
    fail('forbidden', 'only the owner of the server may manage tenants; send "Authorization: Bearer <ADMIN_TOKEN>"', {
      data: OWNER_ONLY,
    })
  }
}

const newTenantId = () => tenantId(`t${randomDigits(15, 'abcdefghijklmnopqrstuvwxyz0123456789')}`)
