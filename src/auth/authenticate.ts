import { type Failure, toFailure } from '../core/failure.ts'
import { hexOfBytes } from '../core/hex.ts'
import type { TenantId } from '../core/ids.ts'
import { isInNetworks } from '../core/networks.ts'
import type { Clock } from '../ports/clock.ts'
import type { KeyStore, Scope, StoredKey } from '../ports/keys.ts'
import { looksLikeChildKey, OPEN_ROOT } from './child-key.ts'
import { ChildKeyCheck } from './child-key-check.ts'
import type { ChildSigner } from './child-signer.ts'
import type { ClosedTenants } from './closed-tenants.ts'
import { sameHash } from './constant-time.ts'
import { type ApiKey, hashKey, parseKey } from './key.ts'
import { KeyCache } from './key-cache.ts'
import type { Principal } from './principal.ts'
import { scopesLeft } from './restrictions.ts'
import { looksLikeToken, type TokenJudge } from './token.ts'

/** The caller of a request, or the reason of its refusal. */
export type Authentication = { readonly principal: Principal } | { readonly failure: Failure }

/**
 * Authenticates a request. Never throws.
 * @param credentials all keys that the request sent, wherever they stood; none for a request without a key
 * @param address IP address of the client; null where it is not known, which a key for some addresses is not good for
 */
export type Authenticate = (credentials: readonly string[], address?: string | null) => Promise<Authentication>

interface Parts {
  readonly keys: Pick<KeyStore, 'find'> & Partial<Pick<KeyStore, 'revokedChildren'>>
  readonly clock: Clock
  /** Signs child keys; null on a server without a secret for them, which takes none. */
  readonly signer?: ChildSigner | null
  /** Judge of access tokens; null on a server without an issuer, which takes none. */
  readonly tokens?: Pick<TokenJudge, 'principal'> | null
  /** Tenants whose keys are refused whatever is cached of them. */
  readonly closed?: Pick<ClosedTenants, 'has'> | null
  /** Tenant of requests without a key. Only ever set on a local server. */
  readonly openTenant: TenantId | null
}

/** Creates the authentication. Make one per isolate: it holds the cache of keys. */
export function createAuthenticate({
  keys,
  clock,
  signer = null,
  tokens = null,
  closed = null,
  openTenant,
}: Parts): Authenticate {
  const cache = new KeyCache(openTenant === null ? keys : withOpenRoot(keys, openTenant), clock)
  const children = signer && new ChildKeyCheck(cache, signer)

  /** Judges a child key: the only look-up is that of the key at its root, which is cached as for the root key itself. */
  async function child(credential: string, address: string | null): Promise<Authentication> {
    const found = await children?.find(credential)
    if (!found) return INVALID
    const { root, chain, restrictions } = found
    const now = clock.now()
    const isRevoked = root.revokedChildren.some((revoked) => chain.includes(revoked))
    if (isRevoked || !isAlive(root, now, closed) || now >= restrictions.expiresAt) return INVALID
    if (!isAllowedFrom(root, address)) return { failure: refusedFrom(address) }
    const keyId = chain.at(-1) ?? root.id
    return { principal: { tenant: root.tenant, scopes: scopesLeft(root.scopes, restrictions), keyId, restrictions } }
  }

  /** The key's row, when its secret is the one sent: the present one, or the one before it in its last time. */
  async function withSecret(key: ApiKey): Promise<StoredKey | null> {
    const begunAt = clock.now()
    const [stored, hash] = await Promise.all([cache.find(key.id), hashKey(key)])
    if (hasSecret(stored, hash, clock.now()) || !stored) return stored
    // The secret may be newer than the row that this isolate remembers.
    const again = await cache.findAgain(key.id, begunAt)
    const isRotated = again !== null && hexOfBytes(again.hash) !== hexOfBytes(stored.hash)
    return isRotated && hasSecret(again, hash, clock.now()) ? again : null
  }

  return async (credentials, address = null) => {
    const [credential, ...others] = new Set(credentials)
    if (credential === undefined) return openTenant === null ? MISSING : openCaller(openTenant)
    if (others.length > 0) return AMBIGUOUS
    if (credential === LOCAL_SECRET && openTenant !== null) return openCaller(openTenant)
    try {
      if (looksLikeChildKey(credential)) return await child(credential, address)
      const key = parseKey(credential)
      if (!key) return tokens !== null && looksLikeToken(credential) ? await token(tokens, credential, closed) : INVALID
      const stored = await withSecret(key)
      if (!stored || !isAlive(stored, clock.now(), closed)) return INVALID
      if (!isAllowedFrom(stored, address)) return { failure: refusedFrom(address) }
      return { principal: { tenant: stored.tenant, scopes: stored.scopes, keyId: stored.id } }
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
  }
}

/** Whether a hash is that of a key's secret. An unknown id is compared as well, so that it takes as long as a wrong secret. */
export function hasSecret(stored: StoredKey | null, hash: Uint8Array, now: number): boolean {
  const isPresent = sameHash(hash, stored?.hash ?? NO_HASH)
  const old = stored?.old ?? null
  const isOld = old !== null && sameHash(hash, old.hash) && now < old.until
  return stored !== null && (isPresent || isOld)
}

/** Whether a key is good from an address; one that is good from everywhere needs none. */
export const isAllowedFrom = ({ addresses }: StoredKey, address: string | null) =>
  addresses.length === 0 || (address !== null && isInNetworks(address, addresses))

async function token(
  tokens: Pick<TokenJudge, 'principal'>,
  credential: string,
  closed: Pick<ClosedTenants, 'has'> | null,
): Promise<Authentication> {
  const principal = await tokens.principal(credential)
  return principal === null || closed?.has(principal.tenant) ? INVALID_TOKEN : { principal }
}

/** Whether a key is neither revoked nor expired, and its tenant open; whether a secret is that of the key is another question. */
export const isAlive = (
  { tenant, expiresAt, revokedAt, tenantDisabledAt }: StoredKey,
  now: number,
  closed: Pick<ClosedTenants, 'has'> | null,
) => revokedAt === null && tenantDisabledAt === null && (expiresAt === null || now < expiresAt) && !closed?.has(tenant)

/** The caller on a local server, which has one user with every permission. */
export const openCaller = (tenant: TenantId): Authentication => ({
  principal: { tenant, scopes: EVERY_SCOPE, keyId: null },
})

const EVERY_SCOPE: readonly Scope[] = ['read', 'execute', 'admin']

/** The keys, and the root of child keys that the open tenant mints, which has no row. */
export const withOpenRoot = (keys: Parts['keys'], tenant: TenantId): Pick<KeyStore, 'find'> => ({
  async find(id) {
    if (id !== OPEN_ROOT) return keys.find(id)
    const revokedChildren = (await keys.revokedChildren?.(OPEN_ROOT)) ?? []
    return { ...openRoot(tenant), hash: NO_HASH, scopes: EVERY_SCOPE, ...ALWAYS_GOOD, revokedChildren }
  },
})

/** Root of the chains of an open tenant. */
export const openRoot = (tenant: TenantId) => ({ id: OPEN_ROOT, tenant, firstHash: NO_HASH })

const ALWAYS_GOOD = {
  ...{ expiresAt: null, revokedAt: null, tenantDisabledAt: null },
  ...{ old: null, addresses: [] },
}

/** The secret that Toolcore's clients send by default. It is no key where keys are required. */
const LOCAL_SECRET = 'dev-secret-token'

const NO_HASH = new Uint8Array(32)

/** Refusal of a good key from an address that it is not good for. Who sends it has the key, and may know why. */
export const refusedFrom = (address: string | null): Failure => ({
  code: 'forbidden',
  message: `this key is good from some addresses only, and ${address ?? 'an unknown address'} is none of them; call from its network, or have an administrator of the tenant change the key's allowed_addresses`,
})

const refused = (message: string): { readonly failure: Failure } => ({ failure: { code: 'unauthenticated', message } })

/** One sentence for every invalid key: it tells a guesser nothing about existing keys and tenants. */
export const INVALID = refused(
  'this key is not valid: unknown, expired or revoked; check that it was copied whole, or ask the owner of the server for a new one',
)
/** Sentence for every invalid token: it tells as little as that for keys. */
const INVALID_TOKEN = refused(
  'this access token is not valid here: expired, of another issuer, for another server, or of no tenant; get a new one from the issuer',
)
const MISSING = refused(
  'this request has no API key; send "Authorization: Bearer <key>" or "X-API-Key: <key>", or put "/k/<key>" before the path',
)
const AMBIGUOUS = refused('this request has several API keys that differ; send one')
