import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { FailureError } from '../../../core/failure.ts'
import type { TenantId } from '../../../core/ids.ts'
import type { SealedState } from '../../../tenant/sealed-api.ts'
import type { AppEnv } from '../../dialect.ts'
import type { Guard } from '../../operations/operation.ts'
import { guardedRoute } from '../../operations/route.ts'
import { existingTenant } from '../../tenant-keys/tenant-keys.ts'
import { ownerOnly } from './guard.ts'
import type { AdminParts } from './parts.ts'

const PATH = '/admin/tenants/:tenant/encryption'
const TENANT = { tenant: 'Id of the tenant.' }

const count = z.int().min(0)
const keyId = z.string().nullable()

const Encryption = z
  .object({
    tenant: z.string(),
    key: keyId.meta({ description: 'Id of the key that encrypts now; null for one without an id.' }),
    records: z
      .array(z.object({ key: keyId, secrets: count, webhooks: count, answers: count }))
      .meta({ description: 'Encrypted records by the key that opens them; null for those that name none.' }),
    remaining: count.meta({ description: 'Records of other keys than the present one.' }),
  })
  .meta({ id: 'Encryption' })

const RenewedEncryption = Encryption.extend({
  changed: count.meta({ description: 'Records that this request encrypted by the present key.' }),
  unreadable: count.meta({ description: 'Records that no key of the server opens; they stay as they are.' }),
}).meta({ id: 'RenewedEncryption' })

const encode = (tenant: TenantId, { keyId: key, records, remaining }: SealedState) => ({
  tenant,
  key,
  records: records.map(({ keyId: of, ...counts }) => ({ key: of, ...counts })),
  remaining,
})

/** Encryption of a tenant's secrets, for the owner of the server, who gives it another key. */
export function addEncryption(app: Hono<AppEnv>, { keys, adminToken, ownedTenant }: AdminParts): void {
  const owner: Guard<void> = { credentials: ['owner'], allow: (c) => ownerOnly(c, adminToken) }
  const existing = (c: Context<AppEnv>) => existingTenant(keys, c.req.param('tenant'))

  guardedRoute(
    app,
    'get',
    PATH,
    owner,
    {
      id: 'getEncryption',
      tag: 'tenants',
      summary: "Get the keys by which a tenant's secrets are encrypted",
      description: 'A key of SECRETS_KEY that no record of any tenant names can be taken away.',
      params: TENANT,
      answers: { 200: { description: 'Encrypted records by key.', content: Encryption } },
      problems: [400, 404],
      example: { params: { tenant: 'dev' }, status: 200 },
    },
    async (c) => {
      const id = await existing(c)
      return c.json(encode(id, await ownedTenant(id).sealed()))
    },
  )

  guardedRoute(
    app,
    'post',
    `${PATH}/renew`,
    owner,
    {
      id: 'renewEncryption',
      tag: 'tenants',
      summary: "Encrypt a tenant's secrets by the present key",
      description: 'Encrypts some hundred records at a time; repeat it until `changed` is 0.',
      params: TENANT,
      answers: { 200: { description: 'The state afterwards.', content: RenewedEncryption } },
      problems: [400, 404, 409],
      example: { params: { tenant: 'dev' }, status: 200 },
    },
    async (c) => {
      const id = await existing(c)
      const renewal = await ownedTenant(id).renewSealed()
      if ('failure' in renewal) throw new FailureError(renewal.failure)
      const { changed, unreadable, ...state } = renewal.state
      return c.json({ ...encode(id, state), changed, unreadable })
    },
  )
}
