import type { JSONWebKeySet } from 'jose'
import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { ISSUER_TIMEOUT_MS, MAX_ISSUER_DOCUMENT_BYTES, MAX_ISSUER_KEYS } from '../../core/limits/oauth.ts'
import { withoutLast } from '../../core/without-last.ts'
import type { Http } from '../../ports/http.ts'

interface Issuer {
  /** Identifier, exactly as its tokens have it in `iss`. */
  readonly issuer: string
  /** Address of its keys; null to take the one in its metadata. */
  readonly jwksUrl: string | null
  /** Guarded HTTP, which also reaches the issuer where its address is a private one. */
  readonly http: Pick<Http, 'fetch'>
}

/** Public keys of the issuer. @throws FailureError with the reason for the log, when there are none to be had */
export async function fetchKeys({ issuer, jwksUrl, http }: Issuer): Promise<JSONWebKeySet> {
  const url = jwksUrl ?? (await discoverKeysUrl(issuer, http))
  const parsed = KeyDocument.safeParse(await document(http, url))
  if (!parsed.success) fail('upstream', 'the key document of the issuer is no JWKS with 1 to 100 keys')
  return { keys: parsed.data.keys.filter(({ kty }) => ASYMMETRIC.has(kty)) }
}

/** Kinds of keys that sign by one half and verify by the other. */
const ASYMMETRIC: ReadonlySet<string> = new Set(['RSA', 'EC', 'OKP'])

const KeyDocument = z.object({
  keys: z
    .array(z.looseObject({ kty: z.string() }))
    .min(1)
    .max(MAX_ISSUER_KEYS),
})
const Metadata = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) })

/** Address of the keys, by RFC 8414 or else by OpenID Connect Discovery. */
async function discoverKeysUrl(issuer: string, http: Issuer['http']): Promise<string> {
  for (const url of metadataUrls(issuer)) {
    const found = Metadata.safeParse(await document(http, url))
    if (!found.success) continue
    const { issuer: named, jwks_uri: keys } = found.data
    if (named !== issuer)
      fail('upstream', 'the metadata of the issuer names another issuer; OAUTH_ISSUER has to be as it says')
    if (issuer.startsWith('https:') && !keys.startsWith('https:'))
      fail('upstream', 'the issuer has its keys at an address without TLS')
    return keys
  }
  fail('upstream', 'the issuer has no metadata at its two well-known addresses; set OAUTH_JWKS_URL')
}

function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  return [
    `${origin}/.well-known/oauth-authorization-server${withoutLast(pathname, '/')}`,
    `${withoutLast(issuer, '/')}/.well-known/openid-configuration`,
  ]
}

/** JSON at an address; null for an answer that is none. A redirect is none: keys of an issuer stay where they are. */
async function document(http: Issuer['http'], url: string): Promise<unknown> {
  const request = {
    url,
    headers: { Accept: 'application/json' },
    timeoutMs: ISSUER_TIMEOUT_MS,
    maxBytes: MAX_ISSUER_DOCUMENT_BYTES,
    maxRedirects: 0,
  }
  // Nobody's request ends this one: others wait for its answer too.
  const { status, body } = await http.fetch(request, new AbortController().signal)
  if (status !== 200) return null
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return null
  }
}
