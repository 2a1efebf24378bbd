import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { OPEN_ROOT } from '../../../auth/child-key.ts'
import type { ConsoleSessions, SignedIn } from '../../../auth/console/console-sessions.ts'
import type { Principal } from '../../../auth/principal.ts'
import { FailureError, fail } from '../../../core/failure.ts'
import { MAX_SIGN_IN_KEY_CHARS } from '../../../core/limits/console.ts'
import type { Clock } from '../../../ports/clock.ts'
import { consoleCookie, isOwnPage, NO_CONSOLE_COOKIE } from '../../console/cookie.ts'
import type { AppEnv } from '../../dialect.ts'
import { readInput } from '../../input.ts'
import { encodeTime } from '../../tenant-keys/codec.ts'
import { SignInPace } from './sign-in-pace.ts'

const Login = z.strictObject({
  key: z.string().trim().min(1).max(MAX_SIGN_IN_KEY_CHARS).optional(),
})

/** Parts of the server that the sign-in uses. */
export interface SignInParts {
  readonly sessions: Pick<ConsoleSessions, 'signIn' | 'signInOpen' | 'end'>
  readonly clock: Clock
}

/**
 * Adds the sign-in of the console: `POST /console/login`, `GET /console/session`, `POST /console/logout`. They are for pages of this origin,
 * as the cookie is.
 */
export function addSignIn(app: Hono<AppEnv>, { sessions, clock }: SignInParts): void {
  const pace = new SignInPace(clock)

  app.post('/console/login', async (c) => {
    refuseOtherPages(c)
    const address = c.env.address ?? null
    const { key } = await readInput(c.req.raw, Login)
    // Each page that is opened tries without a key first: where that cannot be, it was no attempt.
    const without = key === undefined ? openPrincipal(c) : null
    pace.enter(address)
    const browser = c.req.header('User-Agent') ?? ''
    const made = await (without
      ? sessions.signInOpen(without, browser)
      : sessions.signIn(key ?? '', { address, browser }))
    if ('failure' in made) {
      pace.noteRefused(address)
      throw new FailureError(made.failure)
    }
    c.header('Set-Cookie', consoleCookie(made.token))
    return answer(c, made.signedIn)
  })

  app.get('/console/session', (c) => {
    refuseOtherPages(c)
    const { signedIn, caller } = c.env
    if (signedIn) return answer(c, signedIn)
    if ('failure' in caller) throw new FailureError(caller.failure)
    return fail('unauthenticated', 'this browser is not signed in to the console')
  })

  app.post('/console/logout', async (c) => {
    refuseOtherPages(c)
    const { signedIn, caller } = c.env
    // A token against forged requests that is wrong; a session that is over already may lose its cookie.
    if (!signedIn && 'failure' in caller && caller.failure.code !== 'unauthenticated')
      throw new FailureError(caller.failure)
    if (signedIn) {
      const { id, tenant, key } = signedIn.session
      await sessions.end(id, { tenant, below: key }, key)
    }
    c.header('Set-Cookie', NO_CONSOLE_COOKIE)
    c.header('Cache-Control', 'no-store')
    return c.body(null, 204)
  })
}

/** Caller of a request without a key, where requests need none. @throws FailureError `unauthenticated` where they do */
function openPrincipal({ env: { caller } }: Context<AppEnv>): Principal {
  if ('principal' in caller && caller.principal.keyId === null) return caller.principal
  const refused = 'failure' in caller && caller.failure.code !== 'unauthenticated'
  throw new FailureError(refused ? caller.failure : NO_KEY)
}

const NO_KEY = {
  code: 'unauthenticated',
  message: 'signing in needs a key of this server: {"key": "ty_…"}',
} as const

/** @throws FailureError `forbidden` for a page of another origin, and for what is no page */
function refuseOtherPages(c: Context<AppEnv>): void {
  if (isOwnPage(c.req.raw.headers)) return
  fail(
    'forbidden',
    'the console is signed in from its own page alone; open /console/ by https, or by http://localhost, in a browser that sends Sec-Fetch-Site; programs send a key with each request',
  )
}

function answer(c: Context<AppEnv>, { session, csrf, scopes }: SignedIn): Response {
  const { id, tenant, key, expiresAt } = session
  c.header('Cache-Control', 'no-store')
  return c.json({
    id,
    csrf,
    tenant,
    key_id: tenant === null || key === OPEN_ROOT ? null : key,
    scopes: tenant === null ? ['operator'] : scopes,
    expires_at: encodeTime(expiresAt),
  })
}
