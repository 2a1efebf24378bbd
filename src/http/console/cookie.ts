import type { SignedIn } from '../../auth/console/console-sessions.ts'
import { sameSecret } from '../../auth/constant-time.ts'
import type { Failure } from '../../core/failure.ts'
import { CONSOLE_SESSION_MS } from '../../core/limits/console.ts'
import { type Received, receive } from '../authenticate.ts'

/** Name of the console's cookie. By its prefix a browser takes it for this host alone, and from nobody but it. */
const COOKIE = '__Host-toolyard'
/** Header with the token against forged requests. */
const CSRF_HEADER = 'X-Toolyard-CSRF'

const ATTRIBUTES = 'HttpOnly; Secure; SameSite=Strict; Path=/'

/** `Set-Cookie` of a sign-in. */
export const consoleCookie = (token: string) =>
  `${COOKIE}=${token}; ${ATTRIBUTES}; Max-Age=${CONSOLE_SESSION_MS / 1_000}`
/** `Set-Cookie` that removes the cookie. */
export const NO_CONSOLE_COOKIE = `${COOKIE}=; ${ATTRIBUTES}; Max-Age=0`

/** Value of the cookie in a request; null without one. */
function cookieIn(headers: Headers): string | null {
  for (const pair of headers.get('Cookie')?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at !== -1 && pair.slice(0, at).trim() === COOKIE) return pair.slice(at + 1).trim()
  }
  return null
}

/**
 * The cookie's token, where it counts: on the paths that the console asks, without a key in any place, and only from a page of this very
 * origin. `SameSite` is not enough: for it another port of the same machine is the same site, whose pages could send requests and read
 * the answers. A browser says where a request comes from in `Sec-Fetch-Site`, which no page can set.
 */
export function countedToken(request: Request, { credentials, request: received, url }: Received): string | null {
  const isKeyed = credentials.length > 0 || received !== request
  if (isKeyed || !COUNTS.test(url.pathname) || !isOwnPage(request.headers)) return null
  return cookieIn(request.headers)
}

const COUNTS = /^\/(?:v1|admin)\/|^\/console\/(?:session|logout)\/?$/

/** Whether a request comes from a page of this origin. */
export const isOwnPage = (headers: Headers): boolean => headers.get('Sec-Fetch-Site') === 'same-origin'

/**
 * Whether other origins are to be told nothing of the answer: that of the console, and those to requests that bring its cookie and no key,
 * whether it counts or not.
 */
export function isForOwnOrigin(request: Request): boolean {
  if (OWN_PATHS.test(new URL(request.url).pathname)) return true
  return cookieIn(request.headers) !== null && receive(request).credentials.length === 0
}

const OWN_PATHS = /^\/console(?:\/|$)/

/** Refuses a request that may change something, by the cookie, without the token of that very session. */
export async function refuseWithoutCsrf({ method, headers }: Request, { csrf }: SignedIn): Promise<Failure | null> {
  if (method === 'GET' || method === 'HEAD') return null
  const sent = headers.get(CSRF_HEADER)
  if (sent !== null && (await sameSecret(sent, csrf))) return null
  return {
    code: 'forbidden',
    message: `what changes something needs the header ${CSRF_HEADER} with the token of this session of the console; GET /console/session has it`,
  }
}
