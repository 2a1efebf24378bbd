import { toFailure } from '../core/failure.ts'
import { tenantId } from '../core/ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { KeyStore, Scope, Tenant } from '../ports/keys.ts'
import type { TokenCheck, TokenClaims } from '../ports/tokens.ts'
import { looksLikeChildKey } from './child-key.ts'
import { KeyCache } from './key-cache.ts'
import type { Principal } from './principal.ts'

/** Whether a credential has the form of a JWT: three parts of base64url. The chain of a child key may have two dots as well. */
export const looksLikeToken = (text: string): boolean =>
  !looksLikeChildKey(text) && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)

const PREFIX = 'oauth:'

/**
 * Id of a token's subject, in the place of a key's: in history, limits and connections. What could be read as the chain of a child key,
 * as a pattern of a limit, or as another line, is percent-encoded.
 */
export const tokenKeyId = (subject: string): string =>
  PREFIX +
  encodeURIComponent(subject.toWellFormed()).replace(
    /[!'()*.~]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Whether an id is that of a token's subject. */
export const isTokenKeyId = (keyId: string | null): keyId is string => keyId?.startsWith(PREFIX) === true

/** Tenants whose callers come with tokens, by id; rows are cached as those of keys are. */
export class TokenTenants {
  readonly #rows: KeyCache<Tenant>

  constructor(keys: Pick<KeyStore, 'tenant'>, clock: Clock) {
    this.#rows = new KeyCache({ find: async (id) => keys.tenant(tenantId(id)) }, clock)
  }

  /** The tenant if it exists and is not disabled; null else. @throws FailureError `upstream` */
  async enabled(id: string): Promise<Tenant | null> {
    if (!isTenantId(id)) return null
    const tenant = await this.#rows.find(id)
    return tenant?.disabledAt === null ? tenant : null
  }
}

interface Parts {
  readonly check: TokenCheck
  readonly tenants: TokenTenants
}

/** Judges access tokens. */
export class TokenJudge {
  readonly #check: TokenCheck
  readonly #tenants: TokenTenants

  constructor({ check, tenants }: Parts) {
    this.#check = check
    this.#tenants = tenants
  }

  /** Caller of a token; null for one that is not good. @throws FailureError `unavailable`, `upstream` */
  async principal(token: string): Promise<Principal | null> {
    const claims = await this.#check.check(token)
    const tenant = claims?.tenant == null ? null : await this.#tenants.enabled(claims.tenant)
    return claims && tenant && principalOf(claims, tenant)
  }
}

const principalOf = ({ subject, scopes, expiresAt }: TokenClaims, { id }: Tenant): Principal => ({
  tenant: id,
  scopes: SCOPES.filter((scope) => scopes.includes(scope)),
  keyId: tokenKeyId(subject),
  // What is made with a token does not outlive it, as with a child key.
  restrictions: { sessions: [], tools: null, isMetered: false, links: [], expiresAt },
})

const SCOPES: readonly Scope[] = ['read', 'execute', 'admin']

function isTenantId(text: string): boolean {
  try {
    return tenantId(text) === text
  } catch (thrown) {
    if (toFailure(thrown).code === 'invalid_input') return false
    throw thrown
  }
}
