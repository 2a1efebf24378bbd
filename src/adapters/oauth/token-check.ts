import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { MAX_SUBJECT_CHARS, MAX_TOKEN_CHARS, TOKEN_LEEWAY_SECONDS } from '../../core/limits/oauth.ts'
import type { Clock } from '../../ports/clock.ts'
import type { TokenCheck, TokenClaims } from '../../ports/tokens.ts'
import type { IssuerKeys } from './issuer-keys.ts'

interface Parts {
  readonly issuer: string
  /** Names of this server in `aud`, of which a token needs one. */
  readonly audiences: readonly string[]
  /** Claim with the id of the tenant. */
  readonly tenantClaim: string
  readonly keys: Pick<IssuerKeys, 'current' | 'newer'>
  readonly clock: Clock
}

/** Algorithms whose verifying key signs nothing: `none` and HMACs are not among them. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** Check of JWTs (RFC 7519, RFC 9068). `jose` is loaded by the first token. */
export function jwtCheck({ issuer, audiences, tenantClaim, keys, clock }: Parts): TokenCheck {
  return {
    async check(token) {
      if (token.length > MAX_TOKEN_CHARS) return null
      const jose = await import('jose')
      const options = {
        issuer,
        audience: [...audiences],
        algorithms: ALGORITHMS,
        clockTolerance: TOKEN_LEEWAY_SECONDS,
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp', 'sub'],
      }

      /** Claims of a token with a good signature; null for any other, `no key` for one by a key that is not there. */
      async function verified(by: JWTVerifyGetKey): Promise<JWTPayload | 'no key' | null> {
        try {
          return (await jose.jwtVerify(token, by, options)).payload
        } catch (thrown) {
          // Whatever else is wrong, with a key of the issuer too, nothing is verified.
          return thrown instanceof jose.errors.JWKSNoMatchingKey ? 'no key' : null
        }
      }

      // A text that would be refused by any key must not make anybody ask the issuer.
      if (!mayBeGood()) return null
      const known = await verified(await keys.current())
      if (known !== 'no key') return known && claimsOf(known, tenantClaim)
      const newer = await keys.newer()
      const claims = newer && (await verified(newer))
      return claims === 'no key' || claims === null ? null : claimsOf(claims, tenantClaim)

      function mayBeGood(): boolean {
        try {
          const { alg = '', kid } = jose.decodeProtectedHeader(token)
          const { iss, aud = [], exp = 0 } = jose.decodeJwt(token)
          const names = [aud].flat()
          return (
            ALGORITHMS.includes(alg) &&
            (kid === undefined || typeof kid === 'string') &&
            iss === issuer &&
            audiences.some((name) => names.includes(name)) &&
            exp * 1_000 > clock.now() - TOKEN_LEEWAY_SECONDS * 1_000
          )
        } catch {
          return false
        }
      }
    },
  }
}

/** Subjects are ASCII, by OpenID Connect Core, section 2. */
const PRINTABLE = /^[\x20-\x7e]+$/

/** Claims that decide who calls; null without a usable subject or end. */
function claimsOf(payload: JWTPayload, tenantClaim: string): TokenClaims | null {
  const { sub, exp } = payload
  if (typeof sub !== 'string' || sub.length > MAX_SUBJECT_CHARS || !PRINTABLE.test(sub) || exp === undefined)
    return null
  const tenant = Object.hasOwn(payload, tenantClaim) ? payload[tenantClaim] : undefined
  return {
    subject: sub,
    tenant: typeof tenant === 'string' ? tenant : null,
    scopes: scopesIn(payload.scope ?? payload.scp),
    expiresAt: exp * 1_000,
  }
}

/** Scopes as words with blanks between (RFC 8693), or as a list, which some issuers have. */
function scopesIn(claim: unknown): string[] {
  if (typeof claim === 'string') return claim.split(' ')
  return Array.isArray(claim) ? claim.filter((word) => typeof word === 'string') : []
}
