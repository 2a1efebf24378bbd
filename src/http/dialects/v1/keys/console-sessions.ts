import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { OPEN_ROOT } from '../../../../auth/child-key.ts'
import type { ConsoleSessions } from '../../../../auth/console/console-sessions.ts'
import { fail } from '../../../../core/failure.ts'
import { isChildKey } from '../../../../core/key-chain.ts'
import { MAX_LISTED_CONSOLE_SESSIONS } from '../../../../core/limits/console.ts'
import type { Clock } from '../../../../ports/clock.ts'
import type { ConsoleSession, ConsoleSessionReach, ConsoleSessionStore } from '../../../../ports/console-sessions.ts'
import { type AppEnv, servicesFor } from '../../../dialect.ts'
import type { Guard } from '../../../operations/operation.ts'
import { encodeOneMore, PageOf, pageQuery } from '../../../operations/page.ts'
import { guardedRoute } from '../../../operations/route.ts'
import { isOwner } from '../../../owner-guard.ts'
import { encodeTime, KeyCursor, keyCursor } from '../../../tenant-keys/codec.ts'
import { ownId, principalOf } from './caller.ts'

/** Parts of the server that the routes of the console's sessions use. */
export interface ConsoleSessionsParts {
  readonly consoleSessions: Pick<ConsoleSessions, 'end'>
  readonly consoleSessionStore: Pick<ConsoleSessionStore, 'list'>
  readonly clock: Clock
  readonly adminToken: string | null
}

const PATH = '/v1/console-sessions'
const time = z.iso.datetime()

const Query = z.object({
  ...pageQuery(MAX_LISTED_CONSOLE_SESSIONS),
  cursor: KeyCursor.optional().meta({ description: 'The next_cursor of the page before.' }),
})

const ConsoleSessionAnswer = z
  .object({
    id: z.string(),
    key_id: z.string().nullable().meta({
      description: 'The key that signed in; null for the owner of the server, and where requests need no key.',
    }),
    scopes: z
      .array(z.enum(['read', 'execute', 'admin', 'operator']))
      .meta({ description: 'Those of the key at the sign-in. What it may not do any more, nor may the session.' }),
    browser: z.string().meta({ description: 'What the browser calls itself, at most 200 characters.' }),
    current: z.boolean().meta({ description: 'Whether this request came by it.' }),
    created_at: time,
    last_used_at: time.meta({ description: 'To within a minute.' }),
    expires_at: time.meta({ description: 'It ends with its key, if that is earlier.' }),
  })
  .meta({ id: 'ConsoleSession' })

/** Sessions of the console: of the tenant for its administrators, else of the caller's key and those below it; the owner has its own. */
export function addConsoleSessions(app: Hono<AppEnv>, parts: ConsoleSessionsParts): void {
  const { consoleSessions, consoleSessionStore, clock, adminToken } = parts
  const guard: Guard<ConsoleSessionReach> = {
    credentials: ['key', 'owner'],
    scope: 'read',
    allow: async (c) => ((await isOwner(c, adminToken)) ? OWNER : reachOf(c)),
  }

  guardedRoute(
    app,
    'get',
    PATH,
    guard,
    {
      id: 'listConsoleSessions',
      tag: 'console',
      summary: 'List who is signed in to the console',
      description:
        'Sessions of the console that have not ended, oldest first: all of the tenant for a key with the scope `admin`, else those of the key that asks and of its child keys.',
      query: Query,
      answers: { 200: { description: 'A page of sessions of the console.', content: PageOf(ConsoleSessionAnswer) } },
      problems: [],
      example: { status: 200 },
    },
    async (c, { allowed: whose, query: { limit, cursor } }) => {
      const found = await consoleSessionStore.list(whose, { now: clock.now(), limit: limit + 1, after: cursor })
      const current = c.env.signedIn?.session.id ?? null
      return c.json(encodeOneMore(found, limit, (session) => encode(session, current), keyCursor))
    },
  )

  guardedRoute(
    app,
    'delete',
    `${PATH}/:console_session`,
    guard,
    {
      id: 'revokeConsoleSession',
      tag: 'console',
      summary: 'Sign a browser out of the console',
      description: 'Its cookie is refused everywhere within a second. The key that signed in stays.',
      params: { console_session: 'Id of the session of the console.' },
      answers: { 204: { description: 'It is over.' } },
      problems: [404],
      example: { params: { console_session: 'C_NONE' }, status: 404 },
    },
    async (c, { allowed: whose }) => {
      const by = whose.tenant === null ? null : principalOf(c).keyId
      if (await consoleSessions.end(c.req.param('console_session'), whose, by)) return c.body(null, 204)
      return fail(
        'not_found',
        'there is no such session of the console, or this key may not end it; GET /v1/console-sessions lists them',
      )
    },
  )
}

const OWNER: ConsoleSessionReach = { tenant: null, below: null }

function reachOf(c: Context<AppEnv>): ConsoleSessionReach {
  servicesFor(c, 'read')
  const principal = principalOf(c)
  const isAdministrator = !isChildKey(principal.keyId) && principal.scopes.includes('admin')
  return { tenant: principal.tenant, below: isAdministrator ? null : ownId(principal) }
}

const encode = (session: ConsoleSession, current: string | null): z.output<typeof ConsoleSessionAnswer> => ({
  id: session.id,
  key_id: session.tenant === null || session.key === OPEN_ROOT ? null : session.key,
  scopes: session.tenant === null ? ['operator'] : [...session.scopes],
  browser: session.browser,
  current: session.id === current,
  created_at: encodeTime(session.createdAt),
  last_used_at: encodeTime(session.usedAt),
  expires_at: encodeTime(session.expiresAt),
})
