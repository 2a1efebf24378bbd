import type { Hono } from 'hono'
import { may } from '../../../../auth/principal.ts'
import { childKeysIn, isChildKey, rootKeyOf } from '../../../../core/key-chain.ts'
import { ruleFor } from '../../../../registry/limit-settings.ts'
import type { TenantApi } from '../../../../tenant/api.ts'
import type { AppEnv } from '../../../dialect.ts'
import { encodeTenantInternet } from '../../../internet-policy.ts'
import { route } from '../../../operations/route.ts'
import { encodeTime } from '../../../tenant-keys/codec.ts'
import { principalOf } from './caller.ts'
import { CurrentKey, encodeMay } from './keys-codec.ts'
import type { KeysParts } from './keys-parts.ts'

const SCOPES = ['read', 'execute', 'admin'] as const

/** `GET /v1/keys/current`: who is asking. */
export function addCurrent(app: Hono<AppEnv>, { keys }: Pick<KeysParts, 'keys'>): void {
  route(
    app,
    'get',
    '/v1/keys/current',
    {
      id: 'getCurrentKey',
      tag: 'keys',
      summary: 'Get the key that asks',
      description:
        'Tenant, scopes, restrictions and limits of the key that the request came with, and what sessions of its tenant reach.',
      scope: 'read',
      answers: { 200: { description: 'The key and what it may.', content: CurrentKey } },
      problems: [],
      example: { status: 200 },
    },
    async (c, { services }) => {
      const principal = principalOf(c)
      const { tenant, keyId, restrictions } = principal
      const root = keyId === null ? null : await keys.key(tenant, rootKeyOf(keyId))
      const ids = keyId === null ? [] : childKeysIn(keyId)
      const children = await Promise.all(ids.map((id) => services.tenant.childKeys.find(id)))
      const expiresAt = restrictions?.expiresAt ?? root?.expiresAt ?? null
      return c.json({
        tenant,
        id: keyId,
        name: isChildKey(keyId) ? (children.at(-1)?.name ?? null) : (root?.name ?? null),
        scopes: SCOPES.filter((scope) => may(principal, scope)),
        parents: keyId === null ? [] : [rootKeyOf(keyId), ...ids].slice(0, -1),
        restrictions: (restrictions?.links ?? []).map((link, at) => ({
          id: ids[at],
          ...encodeMay({ ...link, calls_per_minute: link.callsPerMinute }),
          used: children[at]?.used ?? null,
          expires_at: encodeTime(link.expiresAt),
        })),
        limits: await limitsOf(services.tenant, keyId),
        internet: encodeTenantInternet(await services.internetPolicies()),
        expires_at: expiresAt === null ? null : encodeTime(expiresAt),
      })
    },
  )
}

/** The tenant's rules that count the key's calls whatever they are: its own, and the tenant's. */
async function limitsOf({ limits }: Pick<TenantApi, 'limits'>, keyId: string | null) {
  const { rules } = await limits.read()
  const own = keyId === null ? null : ruleFor(rules, 'key', rootKeyOf(keyId))
  return [ruleFor(rules, 'tenant', ''), own].filter((rule) => rule !== null)
}
