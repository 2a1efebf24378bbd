import type { Hono } from 'hono'
import { may } from '../../../../auth/principal.ts'
import { fail } from '../../../../core/failure.ts'
import { isChildKey } from '../../../../core/key-chain.ts'
import type { AppEnv, Services } from '../../../dialect.ts'
import { encodeOneMore, PageOf } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import {
  ChangeKey,
  CreateKey,
  encodeKey,
  KeyAnswer,
  keyCursor,
  NewKeyAnswer,
  RotateKey,
} from '../../../tenant-keys/codec.ts'
import { TenantKeys } from '../../../tenant-keys/tenant-keys.ts'
import { noSuchKey, principalOf, reaches, refuseChild } from './caller.ts'
import { addChildren } from './children.ts'
import { addCurrent } from './current.ts'
import * as codec from './keys-codec.ts'
import type { KeysParts } from './keys-parts.ts'

const TAG = 'keys'
const KEY = { key: 'The id of a key, or the ids of a child key’s chain, as `GET /v1/keys/current` shows them.' }

/** Keys of the caller's tenant, its own key, and the child keys that it mints. */
export function addKeys(app: Hono<AppEnv>, parts: KeysParts): void {
  addCurrent(app, parts)
  addChildren(app, parts)
  const { keys, clock } = parts
  const keysOf = ({ tenant }: Services) => new TenantKeys({ keys, clock, auditOf: () => tenant.audit })

  route(
    app,
    'get',
    '/v1/keys',
    {
      id: 'listKeys',
      tag: TAG,
      summary: 'List the keys of the tenant',
      description:
        'Keys in order of creation, revoked and expired ones too. Child keys are listed apart, by the key that minted them.',
      scope: 'admin',
      query: codec.KeysQuery,
      answers: { 200: { description: 'A page of keys.', content: PageOf(KeyAnswer) } },
      problems: [],
      example: { status: 200 },
    },
    async (c, { query: { limit, cursor } }) => {
      const principal = principalOf(c)
      refuseChild(principal)
      const page = { limit: limit + 1, ...(cursor !== undefined && { after: cursor }) }
      const found = await keys.listKeys(principal.tenant, page)
      return c.json(encodeOneMore(found, limit, (key) => encodeKey(key, clock.now()), keyCursor))
    },
  )

  route(
    app,
    'post',
    '/v1/keys',
    {
      id: 'createKey',
      tag: TAG,
      summary: 'Create a key of the tenant',
      description: 'Give `expires_at` or `expires_in_days`, not both; without them the key does not expire.',
      scope: 'admin',
      body: CreateKey,
      answers: {
        201: {
          description: 'The key, which is shown this once.',
          content: NewKeyAnswer,
          headers: { Location: 'Where the key is looked at.' },
        },
      },
      problems: [404],
      example: { body: { name: 'worker', scopes: ['read', 'execute'] }, status: 201 },
    },
    async (c, { services, body }) => {
      const principal = principalOf(c)
      refuseChild(principal)
      const made = await keysOf(services).create(principal.tenant, body, { key: principal.keyId, agent: null })
      c.header('Cache-Control', 'no-store')
      c.header('Location', `/v1/keys/${made.id}`)
      return c.json(made, 201)
    },
  )

  route(
    app,
    'get',
    '/v1/keys/:key',
    {
      id: 'getKey',
      tag: TAG,
      summary: 'Get a key',
      description:
        'A key of the tenant needs the scope `admin`; a child key is shown to itself and to the keys above it.',
      scope: 'read',
      params: KEY,
      answers: { 200: { description: 'The key, without its secret.', content: KeyAnswer.or(codec.ChildKey) } },
      problems: [404],
      example: { params: { key: 'local.0123456789ab' }, status: 200 },
    },
    async (c, { services }) => {
      const principal = principalOf(c)
      const id = c.req.param('key') ?? ''
      if (isChildKey(id)) {
        const found = reaches(principal, id) ? await services.tenant.childKeys.find(id) : null
        return c.json(codec.encodeChild(found ?? noSuchKey()))
      }
      requireAdmin(principal)
      return c.json(encodeKey((await keys.key(principal.tenant, id)) ?? noSuchKey(), clock.now()))
    },
  )

  route(
    app,
    'post',
    '/v1/keys/:key/rotate',
    {
      id: 'rotateKey',
      tag: TAG,
      summary: 'Give a key of the tenant a new secret',
      description:
        'The new secret is good at once. The one before it stays good for `overlap_seconds`, a day if not given, and one before that ends now. The id of the key stays, and with it its child keys, links and limits. A key may rotate itself.',
      scope: 'admin',
      params: KEY,
      body: RotateKey,
      bodyIsOptional: true,
      answers: { 200: { description: 'The key with its new text, which is shown this once.', content: NewKeyAnswer } },
      problems: [404, 409],
      example: { params: { key: 'K_OLD' }, body: { overlap_seconds: 3600 }, status: 200 },
    },
    async (c, { services, body }) => {
      const principal = principalOf(c)
      refuseChild(principal)
      const by = { key: principal.keyId, agent: null }
      c.header('Cache-Control', 'no-store')
      return c.json(await keysOf(services).rotate(principal.tenant, c.req.param('key'), body ?? {}, by))
    },
  )

  route(
    app,
    'patch',
    '/v1/keys/:key',
    {
      id: 'updateKey',
      tag: TAG,
      summary: 'Rename a key of the tenant, or change the addresses from which it is good',
      description: 'A change holds everywhere within 30 seconds. Send one field at least.',
      scope: 'admin',
      params: KEY,
      body: ChangeKey,
      answers: { 200: { description: 'The key as it is now.', content: KeyAnswer } },
      problems: [404],
      example: { params: { key: 'K_OLD' }, body: { allowed_addresses: ['10.0.0.0/8'] }, status: 200 },
    },
    async (c, { services, body }) => {
      const principal = principalOf(c)
      refuseChild(principal)
      const by = { key: principal.keyId, agent: null }
      return c.json(await keysOf(services).change(principal.tenant, c.req.param('key'), body, by))
    },
  )

  route(
    app,
    'delete',
    '/v1/keys/:key',
    {
      id: 'revokeKey',
      tag: TAG,
      summary: 'Revoke a key',
      description:
        'A key of the tenant needs the scope `admin`; a child key is revoked by itself and by any key above it, and with it all below. The key is refused everywhere within 30 seconds.',
      scope: 'read',
      params: KEY,
      answers: { 204: { description: 'It is revoked. Its `revoked_at` says since when.' } },
      problems: [404],
      example: { params: { key: 'local.0123456789ab' }, status: 204 },
    },
    async (c, { services }) => {
      const principal = principalOf(c)
      const id = c.req.param('key') ?? ''
      const by = { key: principal.keyId, agent: null }
      if (!isChildKey(id)) {
        requireAdmin(principal)
        await keysOf(services).revoke(principal.tenant, id, by)
        return c.body(null, 204)
      }
      const known = reaches(principal, id) ? await services.tenant.childKeys.revoke(id, by) : null
      const revoked = known ?? noSuchKey()
      // Repeated after a failure here, it ends what was begun.
      await keys.revokeChild(id, revoked.expiresAt, clock.now())
      return c.body(null, 204)
    },
  )
}

/** @throws FailureError `forbidden` */
function requireAdmin(principal: ReturnType<typeof principalOf>): void {
  refuseChild(principal)
  if (may(principal, 'admin')) return
  fail('forbidden', 'this key may not manage keys: it lacks the scope "admin"; ask the owner for a key that has it', {
    data: { missingScope: 'admin' },
  })
}
