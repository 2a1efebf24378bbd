import type { Context } from 'hono'
import { sameSecret } from '../../../auth/constant-time.ts'
import { may } from '../../../auth/principal.ts'
import { fail } from '../../../core/failure.ts'
import type { TenantId } from '../../../core/ids.ts'
import { isChildKey } from '../../../core/key-chain.ts'
import { bearerToken } from '../../authenticate.ts'
import type { AppEnv } from '../../dialect.ts'
import { NO_CHILD } from '../../tenant-keys/tenant-keys.ts'
import { OWNER_ONLY } from './parts.ts'

/** Tenants and keys that the caller may manage; `key` is the caller's own. */
export type Reach = 'all tenants' | { readonly onlyKeysOf: TenantId; readonly key: string }

/**
 * The caller's reach. The owner of the server shows ADMIN_TOKEN; a tenant shows a key of its own that has the scope `admin`.
 * @throws FailureError `unauthenticated`, `forbidden`, or what kept the key from being checked
 */
export async function reachOf(c: Context<AppEnv>, adminToken: string): Promise<Reach> {
  const sent = bearerToken(c.req.raw.headers)
  if (sent !== null && (await sameSecret(sent, adminToken))) return 'all tenants'

  const { caller } = c.env
  if ('failure' in caller) {
    if (caller.failure.code !== 'unauthenticated') fail(caller.failure.code, caller.failure.message)
    fail('unauthenticated', NEEDED)
  }
  // The open tenant of a local server sends no credential that could be judged.
  if (caller.principal.keyId === null) fail('unauthenticated', NEEDED)
  if (!may(caller.principal, 'admin')) {
    fail('forbidden', 'this key may not manage keys: it lacks the scope "admin"; ask the owner for a key that has it', {
      data: { missingScope: 'admin' },
    })
  }
  if (isChildKey(caller.principal.keyId)) fail('forbidden', NO_CHILD, { data: { missingScope: 'owner' } })
  return { onlyKeysOf: caller.principal.tenant, key: caller.principal.keyId }
}

/** @throws FailureError as {@link reachOf}, and `forbidden` for everybody but the owner of the server */
export async function ownerOnly(c: Context<AppEnv>, adminToken: string): Promise<void> {
  if ((await reachOf(c, adminToken)) !== 'all tenants') {
    fail('forbidden', 'only the owner of the server may manage tenants; send "Authorization: Bearer <ADMIN_TOKEN>"', {
      data: OWNER_ONLY,
    })
  }
}

const NEEDED =
  'the admin API needs "Authorization: Bearer <ADMIN_TOKEN>"; the keys of one tenant can also be managed with a key of that tenant that has the scope "admin"'
