import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { jsonAnswer, type StandInAnswer, type StandInRequest } from './stand-in.ts'

export const AUDIENCE = 'https://tools.example.com/mcp'

/** An issuer's keys, and tokens that they sign. */
export async function tokenIssuer({ alg = 'RS256', kid = 'one' }: { alg?: string; kid?: string } = {}) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }
  return {
    jwk,
    /** Token that is good, but for what differs. @param now milliseconds since 1970 */
    token: (
      issuer: string,
      now: number,
      claims: Record<string, unknown> = {},
      header: Record<string, unknown> = {},
    ) => {
      const seconds = Math.floor(now / 1_000)
      const usual = {
        iss: issuer,
        aud: AUDIENCE,
        sub: 'ann',
        tenant: 'acme',
        scope: 'read execute',
        exp: seconds + 600,
      }
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header })
        .sign(privateKey)
    },
  }
}

/** Answers of an issuer at its own address: metadata and keys. */
export function issuerAnswer({ path, headers }: StandInRequest, keys: readonly object[]): StandInAnswer {
  const issuer = `http://${headers.host}`
  if (path === '/.well-known/openid-configuration') return jsonAnswer({ issuer, jwks_uri: `${issuer}/keys` })
  return path === '/keys' ? jsonAnswer({ keys }) : { status: 404 }
}
