import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares two texts in constant time. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/**
 * Whether a signed `/files` URL was made with this sandbox's token. Such a URL names no sandbox, so the daemon tries each.
 * @see the e2b SDK's `getSignature`: `v1_` + base64(sha256(`path:operation:user:token[:expiration]`)) without padding
 */
export function isSignedBy(accessToken: string, method: string, query: URLSearchParams): boolean {
  const operation = method === 'GET' || method === 'HEAD' ? 'read' : 'write'
  const expiration = query.get('signature_expiration')
  const parts = [query.get('path') ?? '', operation, query.get('username') ?? '', accessToken]
  if (expiration !== null) parts.push(expiration)
  const expected = `v1_${createHash('sha256').update(parts.join(':')).digest('base64').replace(/=+$/, '')}`
  return sameSecret(expected, query.get('signature') ?? '')
}

/** Unix seconds. */
export function isExpired(query: URLSearchParams): boolean {
  const expiration = query.get('signature_expiration')
  return expiration !== null && !(Number(expiration) >= Date.now() / 1000)
}
