import type { Hono } from 'hono'
import { randomDigits } from '../../../auth/key.ts'
import { fail } from '../../../core/failure.ts'
import { type TenantId, tenantId } from '../../../core/ids.ts'
import { placedId } from '../../../core/placement.ts'
import { type TenantInternet, UNRESTRICTED } from '../../../core/tenant-internet.ts'
import type { KeyStore } from '../../../ports/keys.ts'
import type { AppEnv } from '../../dialect.ts'
import { CANNOT_DENY, decodeTenantInternet } from '../../internet-policy.ts'
import type { Guard } from '../../operations/operation.ts'
import { encodeOneMore, PageOf } from '../../operations/page.ts'
import { guardedRoute } from '../../operations/route.ts'
import { noSuchTenant } from '../../tenant-keys/tenant-keys.ts'
import * as codec from './codec.ts'
import { ownerOnly } from './guard.ts'
import type { AdminParts } from './parts.ts'

const TENANT = { tenant: 'Id of the tenant.' }

/** Tenants, for the owner of the server. */
export function addTenants(app: Hono<AppEnv>, parts: AdminParts): void {
  const { keys, clock, adminToken, ownedTenant, checkJurisdiction, spares } = parts
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
    async (
      c,
      { body: { id: own = newTenantId(), name, jurisdiction = null, location_hint: locationHint = null, ...body } },
    ) => {
      if (jurisdiction !== null) checkJurisdiction(jurisdiction)
      const id = tenantId(placedId(own, { jurisdiction, locationHint }))
      const internet = body.internet && keptInternet(body.internet, parts)
      const tenant = { id, name, createdAt: clock.now(), ...(internet && { internet }) }
      if (!(await keys.addTenant(tenant))) await refuseTaken(keys, id)
      // Sessions that a server made for it when it let requests in without a key.
      if (internet) await ownedTenant(id).endSandboxes('exceeding')
      const fresh = { internet: UNRESTRICTED, warmSandboxes: 0, disabledAt: null, deletedAt: null, purgedAt: null }
      return c.json(codec.encodeTenant({ ...fresh, ...tenant }), 201)
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
      summary: 'Rename, disable or enable a tenant, or set its internet or its warm sandboxes',
      description:
        'Keys of a disabled tenant are refused within 30 seconds. Its sandboxes are ended, with what runs in them; files stay. So are sandboxes that reach more than another `internet` allows; a wider one is in force from the next sandbox of a session on. With `warm_sandboxes` that many sandboxes wait booted for first commands of its sessions; those over a smaller number are ended. Send one field at least.',
      params: TENANT,
      body: codec.ChangeTenant,
      answers: { 200: { description: 'The tenant as it is now.', content: codec.TenantAnswer } },
      problems: [404],
      example: { params: { tenant: 'dev' }, body: { name: 'Development' }, status: 200 },
    },
    async (c, { body: { name, disabled, warm_sandboxes: warmSandboxes, ...body } }) => {
      const id = tenantId(c.req.param('tenant'))
      const internet = body.internet && keptInternet(body.internet, parts)
      const tenant = await keys.changeTenant(id, {
        ...(name === undefined ? {} : { name }),
        ...(disabled === undefined ? {} : { disabledAt: disabled ? clock.now() : null }),
        ...(internet && { internet }),
        ...(warmSandboxes === undefined ? {} : { warmSandboxes }),
      })
      if (!tenant) return cannotChange(keys, id)
      if (disabled === true) await ownedTenant(id).endSandboxes()
      if (disabled === false) await ownedTenant(id).keepSandboxes()
      if (internet) await ownedTenant(id).endSandboxes('exceeding')
      if (disabled !== undefined || internet || warmSandboxes !== undefined) await spares.poolsChanged()
      return c.json(codec.encodeTenant(tenant))
    },
  )
}

/** Internet policies that sandboxes of this server can keep. @throws FailureError `invalid_input` */
export function keptInternet(
  input: Parameters<typeof decodeTenantInternet>[0],
  { canDenyInternet }: Pick<AdminParts, 'canDenyInternet'>,
): TenantInternet {
  const internet = decodeTenantInternet(input)
  if (canDenyInternet || (internet.default === true && internet.ceiling === true)) return internet
  return fail('invalid_input', CANNOT_DENY)
}

/** Refusal of an id that some tenant has or had, here or at another place. @throws FailureError `conflict` */
async function refuseTaken(keys: Pick<KeyStore, 'namesake'>, id: TenantId): Promise<never> {
  const taken = await keys.namesake(id)
  if (taken?.deletedAt != null)
    fail('conflict', `the tenant "${taken.id}" was deleted, and an id is never given again; choose another id`)
  const why = taken && taken.id !== id ? ', and the place of a tenant never changes' : ''
  fail('conflict', `there is a tenant "${taken?.id ?? id}" already${why}; choose another id`)
}

/** Refusal of a change. @throws FailureError `not_found`, `conflict` for a deleted tenant */
async function cannotChange(keys: Pick<KeyStore, 'tenant'>, id: TenantId): Promise<never> {
  if (!(await keys.tenant(id))) noSuchTenant()
  fail('conflict', `the tenant "${id}" was deleted, and does not come back; make a new one with another id`)
}

const newTenantId = () => `t${randomDigits(15, 'abcdefghijklmnopqrstuvwxyz0123456789')}`
