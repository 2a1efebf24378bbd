import { looksLikeToken } from '../auth/token.ts'
import { percentDecoded } from '../core/percent-decoded.ts'
import { SECRET_HEADER } from './secret-header.ts'

/** Keys of a request, and the request without the one in its path. */
export interface Received {
  readonly credentials: readonly string[]
  readonly request: Request
  /** URL of {@link request}. */
  readonly url: URL
}

/**
 * Finds every key a request carries: `Authorization: Bearer`, `X-API-Key`, Toolcore's `X-Internal-Secret`, and, for clients that
 * cannot send headers, the prefix `/k/<key>` of its path, which is cut off: the resulting request has the key in no URL.
 */
export function receive(request: Request): Received {
  const credentials = headerCredentials(request.headers)
  const url = new URL(request.url)
  const { keys, path } = cutPathKeys(url.pathname)
  if (keys.length === 0) return { credentials, request, url }

  url.pathname = path
  const rewritten = new Request(url, request)
  // A page opened with the key in its path names that path in this header.
  rewritten.headers.delete('Referer')
  return { credentials: [...credentials, ...keys], request: rewritten, url }
}

/** Token of `Authorization: Bearer …`; another scheme counts as an empty key, which is not good, and never as none. */
export function bearerToken(headers: Headers): string | null {
  const value = headers.get('Authorization')
  if (value === null) return null
  const [scheme] = /^Bearer +/i.exec(value) ?? []
  return scheme === undefined ? '' : value.slice(scheme.length)
}

function headerCredentials(headers: Headers): string[] {
  return [bearerToken(headers), headers.get('X-API-Key'), headers.get(SECRET_HEADER)].filter((value) => value !== null)
}

/**
 * Path without its keys: `/k/<key>/rest` → `/rest`, repeated, since a second key must not stay behind in the path either.
 * Empty segments and percent-encoding around a key make no difference.
 */
function cutPathKeys(pathname: string): { keys: string[]; path: string } {
  const keys: string[] = []
  let rest = pathname
  for (;;) {
    const [, prefix, key, below] = /^\/+([^/]+)\/+([^/]+)\/*(.*)/s.exec(rest) ?? []
    if (prefix === undefined || key === undefined || percentDecoded(prefix) !== 'k') return { keys, path: rest }
    // An access token belongs into a header alone (RFC 6750, 5.3): there it is an empty key, which is not good.
    keys.push(looksLikeToken(percentDecoded(key)) ? '' : percentDecoded(key))
    rest = `/${below ?? ''}`
  }
}
