import { type Failure, toFailure } from '../core/failure.ts'
import type { TenantId } from '../core/ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { KeyStore, Scope, StoredKey } from '../ports/keys.ts'
import { looksLikeChildKey, OPEN_ROOT } from './child-key.ts'
import { ChildKeyCheck } from './child-key-check.ts'
import type { ChildSigner } from './child-signer.ts'
import type { ClosedTenants } from './closed-tenants.ts'
import { sameHash } from './constant-time.ts'
import { hashKey, parseKey } from './key.ts'
import { KeyCache } from './key-cache.ts'
import type { Principal } from './principal.ts'
import { scopesLeft } from './restrictions.ts'
import { looksLikeToken, type TokenJudge } from './token.ts'

/** The caller of a request, or the reason of its refusal. */
type Authentication = { readonly principal: Principal } | { readonly failure: Failure }

/**
 * Authenticates a request. Never throws.
 * @param credentials all keys that the request sent, wherever they stood; none for a request without a key
 */
export type Authenticate = (credentials: readonly string[]) => Promise<Authentication>

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
  async function child(credential: string): Promise<Authentication> {
    const found = await children?.find(credential)
    if (!found) return INVALID
    const { root, chain, restrictions } = found
    const now = clock.now()
    const isRevoked = root.revokedChildren.some((revoked) => chain.includes(revoked))
    if (isRevoked || !isAlive(root, now, closed) || now >= restrictions.expiresAt) return INVALID
    const keyId = chain.at(-1) ?? root.id
    return { principal: { tenant: root.tenant, scopes: scopesLeft(root.scopes, restrictions), keyId, restrictions } }
  }

  return async (credentials) => {
    const [credential, ...others] = new Set(credentials)
    if (credential === undefined) return openTenant === null ? MISSING : openCaller(openTenant)
    if (others.length > 0) return AMBIGUOUS
    if (credential === LOCAL_SECRET && openTenant !== null) return openCaller(openTenant)
    try {
      if (looksLikeChildKey(credential)) return await child(credential)
      const key = parseKey(credential)
      if (!key) return tokens !== null && looksLikeToken(credential) ? await token(tokens, credential, closed) : INVALID
      const [stored, hash] = await Promise.all([cache.find(key.id), hashKey(key)])
      // An unknown id is compared as well, so that it takes as long as a wrong secret.
      const same = sameHash(hash, stored?.hash ?? NO_HASH)
      if (!stored || !same || !isAlive(stored, clock.now(), closed)) return INVALID
      return { principal: { tenant: stored.tenant, scopes: stored.scopes, keyId: stored.id } }
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
  }
}

async function token(
  tokens: Pick<TokenJudge, 'principal'>,
  credential: string,
  closed: Pick<ClosedTenants, 'has'> | null,
): Promise<Authentication> {
  const principal = await tokens.principal(credential)
  return principal === null || closed?.has(principal.tenant) ? INVALID_TOKEN : { principal }
}

const isAlive = (
  { tenant, expiresAt, revokedAt, tenantDisabledAt }: StoredKey,
  now: number,
  closed: Pick<ClosedTenants, 'has'> | null,
) => revokedAt === null && tenantDisabledAt === null && (expiresAt === null || now < expiresAt) && !closed?.has(tenant)

/** The caller on a local server, which has one user with every permission. */
const openCaller = (tenant: TenantId): Authentication => ({
  principal: { tenant, scopes: EVERY_SCOPE, keyId: null },
})

const EVERY_SCOPE: readonly Scope[] = ['read', 'execute', 'admin']

/** The keys, and the root of child keys that the open tenant mints, which has no row. */
export const withOpenRoot = (keys: Parts['keys'], tenant: TenantId): Pick<KeyStore, 'find'> => ({
  async find(id) {
    if (id !== OPEN_ROOT) return keys.find(id)
    const revokedChildren = (await keys.revokedChildren?.(OPEN_ROOT)) ?? []
    return { ...openRoot(tenant), scopes: EVERY_SCOPE, ...NEVER_ENDS, revokedChildren }
  },
})

/** Root of the chains of an open tenant. */
export const openRoot = (tenant: TenantId) => ({ id: OPEN_ROOT, tenant, hash: NO_HASH })

const NEVER_ENDS = { expiresAt: null, revokedAt: null, tenantDisabledAt: null }

/** The secret that Toolcore's clients send by default. It is no key where keys are required. */
const LOCAL_SECRET = 'dev-secret-token'

const NO_HASH = new Uint8Array(32)

const refused = (message: string): Authentication => ({ failure: { code: 'unauthenticated', message } })

/** One sentence for every invalid key: it tells a guesser nothing about existing keys and tenants. */
const INVALID = refused(
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
