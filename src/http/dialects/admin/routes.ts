import type { Context } from 'hono'
import { randomDigits } from '../../../auth/key.ts'
import type { Actor } from '../../../core/actor.ts'
import { type Failure, fail } from '../../../core/failure.ts'
import { type TenantId, tenantId } from '../../../core/ids.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { KeyStore } from '../../../ports/keys.ts'
import type { AuditApi } from '../../../tenant/audit-api.ts'
import { type AppEnv, type Dialect, dialectApp } from '../../dialect.ts'
import { parseInput, readInput } from '../../input.ts'
import { OWNER } from '../../owner-vocabulary.ts'
import { problemResponse, toProblem } from '../../problem.ts'
import { CreateKey, encodeKey, keyCursor } from '../../tenant-keys/codec.ts'
import { noSuchTenant, TenantKeys } from '../../tenant-keys/tenant-keys.ts'
import * as codec from './codec.ts'
import { type Reach, reachOf } from './guard.ts'

interface Parts {
  readonly keys: KeyStore
  readonly clock: Clock
  /** The owner's secret. Null: the admin API is off. */
  readonly adminToken: string | null
  /** Audit log of a tenant, for changes of its keys. */
  auditOf(tenant: TenantId): Pick<AuditApi, 'noteKey'>
}

/**
 * The admin dialect, our own: tenants and their API keys, for the owner of the server; a tenant's own keys, for its
 * administrators.
 */
export const admin = ({ adminToken, ...parts }: Parts): Dialect => ({
  name: 'admin',
  owns: (path) => path === '/admin' || path.startsWith('/admin/'),
  app: adminToken === null ? switchedOff() : routes(parts, adminToken),
})

function switchedOff() {
  const app = dialectApp(problem)
  app.notFound((c) => {
    const off = toProblem({ code: 'not_found', message: 'admin API is off; set ADMIN_TOKEN' }, c.env.requestId)
    return problemResponse({
      ...off,
      hint: 'the owner sets it with "wrangler secret put ADMIN_TOKEN", or in .dev.vars',
    })
  })
  return app
}

function routes({ keys, clock, auditOf }: Omit<Parts, 'adminToken'>, adminToken: string) {
  const app = dialectApp(problem)
  app.notFound((c) => problem(c, { code: 'not_found', message: 'the admin API has no such path' }))

  const reach = (c: Context<AppEnv>) => reachOf(c, adminToken)
  const tenantKeys = new TenantKeys({ keys, clock, auditOf })

  async function ownerOnly(c: Context<AppEnv>): Promise<void> {
    if ((await reach(c)) !== 'all tenants') {
      fail('forbidden', 'only the owner of the server may manage tenants; send "Authorization: Bearer <ADMIN_TOKEN>"', {
        data: OWNER_ONLY,
      })
    }
  }

  app.post('/admin/tenants', async (c) => {
    await ownerOnly(c)
    const { id = newTenantId(), name } = await readInput(c.req.raw, codec.CreateTenant)
    const tenant = { id, name, createdAt: clock.now() }
    if (!(await keys.addTenant(tenant))) fail('conflict', `there is a tenant "${id}" already; choose another id`)
    return c.json(codec.encodeTenant({ ...tenant, disabledAt: null }), 201)
  })

  app.get('/admin/tenants', async (c) => {
    await ownerOnly(c)
    const { limit, cursor } = parseInput(c.req.query(), codec.TenantsQuery)
    const tenants = await keys.listTenants({ limit: limit + 1, ...(cursor === undefined ? {} : { after: cursor }) })
    return c.json(
      codec.encodePage('tenants', tenants, limit, { encode: codec.encodeTenant, cursor: (tenant) => tenant.id }),
    )
  })

  app.get('/admin/tenants/:tenant', async (c) => {
    await ownerOnly(c)
    const tenant = await keys.tenant(tenantId(c.req.param('tenant')))
    return c.json(codec.encodeTenant(tenant ?? noSuchTenant()))
  })

  app.patch('/admin/tenants/:tenant', async (c) => {
    await ownerOnly(c)
    const id = tenantId(c.req.param('tenant'))
    const { name, disabled } = await readInput(c.req.raw, codec.ChangeTenant)
    const tenant = await keys.changeTenant(id, {
      ...(name === undefined ? {} : { name }),
      ...(disabled === undefined ? {} : { disabledAt: disabled ? clock.now() : null }),
    })
    return c.json(codec.encodeTenant(tenant ?? noSuchTenant()))
  })

  // A deleted tenant's id would be free again, and its next owner would find the files of the one before.
  app.delete('/admin/tenants/:tenant', async (c) => {
    await ownerOnly(c)
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

  app.post('/admin/tenants/:tenant/keys', async (c) => {
    const by = await reach(c)
    const tenant = ownKeys(by, c.req.param('tenant'))
    const made = await tenantKeys.create(tenant, await readInput(c.req.raw, CreateKey), actorOf(by))
    c.header('Cache-Control', 'no-store')
    return c.json(made, 201)
  })

  app.get('/admin/tenants/:tenant/keys', async (c) => {
    const tenant = ownKeys(await reach(c), c.req.param('tenant'))
    const { limit, cursor } = parseInput(c.req.query(), codec.KeysQuery)
    const found = await keys.listKeys(tenant, { limit: limit + 1, ...(cursor === undefined ? {} : { after: cursor }) })
    if (found.length === 0 && !(await keys.tenant(tenant))) noSuchTenant()
    return c.json(codec.encodePage('keys', found, limit, { encode: encodeKey, cursor: keyCursor }))
  })

  app.delete('/admin/tenants/:tenant/keys/:key', async (c) => {
    const by = await reach(c)
    const tenant = ownKeys(by, c.req.param('tenant'))
    return c.json(await tenantKeys.revoke(tenant, c.req.param('key'), actorOf(by)))
  })

  return app
}

/**
 * The tenant whose keys the request is about. @throws FailureError `forbidden` for another tenant's keys, in one sentence whether
 * there is such a tenant or not
 */
function ownKeys(reach: Reach, requestedId: string): TenantId {
  if (reach === 'all tenants') return tenantId(requestedId)
  if (reach.onlyKeysOf !== requestedId) {
    fail('forbidden', 'this key may manage the keys of its own tenant and nothing else', { data: OWNER_ONLY })
  }
  return reach.onlyKeysOf
}

/** Scope that no key has, for the audit log of the tenant whose key was shown. */
const OWNER_ONLY = { missingScope: 'owner' }

/** Actor for the audit log. The owner of the server shows no key. */
const actorOf = (reach: Reach): Actor => ({ key: reach === 'all tenants' ? null : reach.key, agent: null })

const newTenantId = () => tenantId(`t${randomDigits(15, 'abcdefghijklmnopqrstuvwxyz0123456789')}`)

function problem(c: Context<AppEnv>, failure: Failure): Response {
  return problemResponse(toProblem(failure, c.env.requestId, OWNER))
}
