import type { Hono } from 'hono'
import { randomDigits } from '../../../auth/key.ts'
import { fail } from '../../../core/failure.ts'
import { type TenantId, tenantId } from '../../../core/ids.ts'
import type { KeyStore } from '../../../ports/keys.ts'
import type { AppEnv } from '../../dialect.ts'
import type { Guard } from '../../operations/operation.ts'
import { encodeOneMore, PageOf } from '../../operations/page.ts'
import { guardedRoute } from '../../operations/route.ts'
import { noSuchTenant } from '../../tenant-keys/tenant-keys.ts'
import * as codec from './codec.ts'
import { ownerOnly } from './guard.ts'
import type { AdminParts } from './parts.ts'

const TENANT = { tenant: 'Id of the tenant.' }

/** Tenants, for the owner of the server. */
export function addTenants(app: Hono<AppEnv>, { keys, clock, adminToken, ownedTenant }: AdminParts): void {
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
      if (!(await keys.addTenant(tenant))) {
        const taken = await keys.tenant(id)
        if (taken?.deletedAt != null)
          fail('conflict', `the tenant "${id}" was deleted, and an id is never given again; choose another id`)
        fail('conflict', `there is a tenant "${id}" already; choose another id`)
      }
      return c.json(codec.encodeTenant({ ...tenant, disabledAt: null, deletedAt: null, purgedAt: null }), 201)
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
      description: 'Deleted ones are in it until nothing of them is left.',
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
      description:
        'Keys of a disabled tenant are refused within 30 seconds. Its sandboxes are ended, with what runs in them; files stay. Send one field at least.',
      params: TENANT,
      body: codec.ChangeTenant,
      answers: { 200: { description: 'The tenant as it is now.', content: codec.TenantAnswer } },
      problems: [404],
      example: { params: { tenant: 'dev' }, body: { name: 'Development' }, status: 200 },
    },
    async (c, { body: { name, disabled } }) => {
      const id = tenantId(c.req.param('tenant'))
      const tenant = await keys.changeTenant(id, {
        ...(name === undefined ? {} : { name }),
        ...(disabled === undefined ? {} : { disabledAt: disabled ? clock.now() : null }),
      })
      if (!tenant) return cannotChange(keys, id)
      if (disabled === true) await ownedTenant(id).endSandboxes()
      if (disabled === false) await ownedTenant(id).keepSandboxes()
      return c.json(codec.encodeTenant(tenant))
    },
  )
}

/** Refusal of a change. @throws FailureError `not_found`, `conflict` for a deleted tenant */
async function cannotChange(keys: Pick<KeyStore, 'tenant'>, id: TenantId): Promise<never> {
  if (!(await keys.tenant(id))) noSuchTenant()
  fail('conflict', `the tenant "${id}" was deleted, and does not come back; make a new one with another id`)
}

const newTenantId = () => tenantId(`t${randomDigits(15, 'abcdefghijklmnopqrstuvwxyz0123456789')}`)
