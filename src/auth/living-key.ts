import { FailureError } from '../core/failure.ts'
import type { TenantId } from '../core/ids.ts'
import { childKeysIn, rootKeyOf } from '../core/key-chain.ts'
import type { Clock } from '../ports/clock.ts'
import type { KeyStore, Scope } from '../ports/keys.ts'
import { isAllowedFrom, refusedFrom, withOpenRoot } from './authenticate.ts'
import type { ClosedTenants } from './closed-tenants.ts'
import { KeyCache } from './key-cache.ts'
import { may } from './principal.ts'
import { isTokenKeyId, type TokenTenants } from './token.ts'

interface Parts {
  readonly keys: Pick<KeyStore, 'find'> & Partial<Pick<KeyStore, 'revokedChildren'>>
  readonly clock: Clock
  /** Tenants of callers with tokens; null on a server that takes none. */
  readonly tokenTenants?: Pick<TokenTenants, 'enabled'> | null
  /** Tenants whose keys are refused whatever is cached of them. */
  readonly closed?: Pick<ClosedTenants, 'has'> | null
  /** Tenant of requests without a key. Only ever set on a local server. */
  readonly openTenant: TenantId | null
}

/**
 * Whether a key of that public id still may do something, for what was made with it earlier. What a child key made must not outlive it:
 * its chain does not say when it expires. A key that is good from some addresses gives no more to others by what it made.
 */
export type IsKeyAlive = (
  tenant: string,
  keyId: string | null,
  scope: Scope,
  address?: string | null,
) => Promise<boolean>

/** Rows of keys are cached, so that most checks make no look-up. Make one per isolate. @throws FailureError `upstream`, `forbidden` for an address from which the key is not good */
export function createIsKeyAlive({ keys, clock, tokenTenants = null, closed = null, openTenant }: Parts): IsKeyAlive {
  const cache = new KeyCache(openTenant === null ? keys : withOpenRoot(keys, openTenant), clock)
  return async (tenant, keyId, scope, address = null) => {
    if (closed?.has(tenant)) return false
    if (keyId === null) return openTenant === tenant
    // A token cannot be revoked, and what was made with it has its end.
    if (isTokenKeyId(keyId)) return (await tokenTenants?.enabled(tenant)) != null
    const key = await cache.find(rootKeyOf(keyId))
    const children = childKeysIn(keyId)
    if (key?.revokedChildren.some((revoked) => children.includes(revoked))) return false
    if (!key || key.tenant !== tenant || key.revokedAt !== null || key.tenantDisabledAt !== null) return false
    const isExpired = key.expiresAt !== null && clock.now() >= key.expiresAt
    const isAlive = !isExpired && may({ tenant: key.tenant, scopes: key.scopes, keyId }, scope)
    if (isAlive && !isAllowedFrom(key, address)) throw new FailureError(refusedFrom(address))
    return isAlive
  }
}
