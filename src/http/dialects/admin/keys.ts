import type { Hono } from 'hono'
import type { Actor } from '../../../core/actor.ts'
import { fail } from '../../../core/failure.ts'
import { type TenantId, tenantId } from '../../../core/ids.ts'
import type { AppEnv } from '../../dialect.ts'
import type { Guard } from '../../operations/operation.ts'
import { encodeOneMore, PageOf } from '../../operations/page.ts'
import { guardedRoute } from '../../operations/route.ts'
import {
  ChangeKey,
  CreateKey,
  encodeKey,
  KeyAnswer,
  keyCursor,
  NewKeyAnswer,
  RotateKey,
} from '../../tenant-keys/codec.ts'
import { noSuchTenant, TenantKeys } from '../../tenant-keys/tenant-keys.ts'
import * as codec from './codec.ts'
import { type Reach, reachOf } from './guard.ts'
import { type AdminParts, OWNER_ONLY } from './parts.ts'

const KEYS = '/admin/tenants/:tenant/keys'
const TENANT = { tenant: 'Id of the tenant.' }
const KEY = { ...TENANT, key: 'Id of the key.' }

/** Keys of tenants: of all for the owner of the server, of its own for a key with the scope `admin`. */
export function addKeys(app: Hono<AppEnv>, { keys, clock, adminToken, auditOf }: AdminParts): void {
  const guard: Guard<Reach> = { credentials: ['owner', 'key'], scope: 'admin', allow: (c) => reachOf(c, adminToken) }
  const tenantKeys = new TenantKeys({ keys, clock, auditOf })

  guardedRoute(
    app,
    'post',
    KEYS,
    guard,
    {
      id: 'createKey',
      tag: 'keys',
      summary: 'Create a key',
      description: 'Give expires_at, expires_in_days or neither, for a key that stays.',
      params: TENANT,
      body: CreateKey,
      answers: { 201: { description: 'The key, whose text is shown this once.', content: NewKeyAnswer } },
      problems: [404],
      example: { params: { tenant: 'dev' }, body: { name: 'laptop', expires_in_days: 90 }, status: 201 },
    },
    async (c, { allowed: by, body: input }) => {
      const tenant = ownKeys(by, c.req.param('tenant'))
      c.header('Cache-Control', 'no-store')
      return c.json(await tenantKeys.create(tenant, input, actorOf(by)), 201)
    },
  )

  guardedRoute(
    app,
    'get',
    KEYS,
    guard,
    {
      id: 'listKeys',
      tag: 'keys',
      summary: 'List the keys of a tenant, oldest first',
      params: TENANT,
      query: codec.KeysQuery,
      answers: { 200: { description: 'A page of keys, without their texts.', content: PageOf(KeyAnswer) } },
      problems: [404],
      example: { params: { tenant: 'dev' }, status: 200 },
    },
    async (c, { allowed: by, query: { limit, cursor } }) => {
      const tenant = ownKeys(by, c.req.param('tenant'))
      const page = { limit: limit + 1, ...(cursor === undefined ? {} : { after: cursor }) }
      const found = await keys.listKeys(tenant, page)
      if (found.length === 0 && !(await keys.tenant(tenant))) noSuchTenant()
      return c.json(encodeOneMore(found, limit, (key) => encodeKey(key, clock.now()), keyCursor))
    },
  )

  guardedRoute(
    app,
    'post',
    `${KEYS}/:key/rotate`,
    guard,
    {
      id: 'rotateKey',
      tag: 'keys',
      summary: 'Give a key a new secret',
      description:
        'The new secret is good at once. The one before it stays good for `overlap_seconds`, a day if not given, and one before that ends now. The id of the key stays, and with it its child keys, links and limits.',
      params: KEY,
      body: RotateKey,
      bodyIsOptional: true,
      answers: { 200: { description: 'The key with its new text, which is shown this once.', content: NewKeyAnswer } },
      problems: [400, 404, 409],
      example: { params: { tenant: 'dev', key: 'K_OLD' }, body: { overlap_seconds: 3600 }, status: 200 },
    },
    async (c, { allowed: by, body }) => {
      const tenant = ownKeys(by, c.req.param('tenant'))
      c.header('Cache-Control', 'no-store')
      return c.json(await tenantKeys.rotate(tenant, c.req.param('key'), body ?? {}, actorOf(by)))
    },
  )

  guardedRoute(
    app,
    'patch',
    `${KEYS}/:key`,
    guard,
    {
      id: 'updateKey',
      tag: 'keys',
      summary: 'Rename a key, or change the addresses from which it is good',
      description: 'A change holds everywhere within 30 seconds. Send one field at least.',
      params: KEY,
      body: ChangeKey,
      answers: { 200: { description: 'The key as it is now.', content: KeyAnswer } },
      problems: [400, 404],
      example: { params: { tenant: 'dev', key: 'K_OLD' }, body: { allowed_addresses: ['10.0.0.0/8'] }, status: 200 },
    },
    async (c, { allowed: by, body }) => {
      const tenant = ownKeys(by, c.req.param('tenant'))
      return c.json(await tenantKeys.change(tenant, c.req.param('key'), body, actorOf(by)))
    },
  )

  guardedRoute(
    app,
    'delete',
    `${KEYS}/:key`,
    guard,
    {
      id: 'revokeKey',
      tag: 'keys',
      summary: 'Revoke a key',
      description: 'The key is refused everywhere within 30 seconds.',
      params: KEY,
      answers: { 204: { description: 'It is revoked. Its `revoked_at` in the list says since when.' } },
      problems: [400, 404],
      example: { params: { tenant: 'dev', key: 'K_OLD' }, status: 204 },
    },
    async (c, { allowed: by }) => {
      const tenant = ownKeys(by, c.req.param('tenant'))
      await tenantKeys.revoke(tenant, c.req.param('key'), actorOf(by))
      return c.body(null, 204)
    },
  )
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

/** Actor for the audit log. The owner of the server shows no key. */
const actorOf = (reach: Reach): Actor => ({ key: reach === 'all tenants' ? null : reach.key, agent: null })
