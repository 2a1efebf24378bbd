import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { Scope } from '../../../auth/principal.ts'
import { fail } from '../../../core/failure.ts'
import { sessionName } from '../../../core/ids.ts'
import { EVENTS_MS, MAX_EVENT_LOOKS, MAX_FOLLOW_MS } from '../../../core/limits/requests.ts'
import { MAX_LISTED_CALLS } from '../../../core/limits/sessions.ts'
import type { CallView, SessionApi } from '../../../session/api.ts'
import { integer, withDefault } from '../../../tools/arguments.ts'
import { untilEnd } from '../../admission/until-end.ts'
import { type AppEnv, servicesFor } from '../../dialect.ts'
import { parseInput } from '../../input.ts'
import { ownVocabulary } from '../../owner-vocabulary.ts'
import { encodeCall, encodeListedCall } from './calls-codec.ts'
import { callEvents } from './events.ts'

const Page = z.object({
  limit: withDefault(integer.pipe(z.int().min(1).max(MAX_LISTED_CALLS)), 50),
  cursor: integer.pipe(z.int().min(1)).optional(),
})

/**
 * Calls of a session: `GET /v1/sessions/{name}/calls`, newest first; `…/{id}`, the state of one; `…/{id}/events`, its progress as
 * server-sent events; `POST …/{id}/cancel`. A slash in a session's name is sent as `%2F`.
 */
export function addCalls(app: Hono<AppEnv>): void {
  app.get('/v1/sessions/:name/calls', async (c) => {
    const { limit, cursor } = parseInput(c.req.query(), Page)
    const page = await sessionOf(c, 'read').history({ limit, ...(cursor !== undefined && { before: cursor }) })
    if (!page) return noSession()
    const { calls, next } = page
    return c.json({ calls: calls.map(encodeListedCall), ...(next !== undefined && { next_cursor: String(next) }) })
  })

  app.get('/v1/sessions/:name/calls/:id', async (c) => {
    const session = sessionOf(c, 'read')
    return c.json(encodeCall((await session.callOf(c.req.param('id'))) ?? (await noCall(session)), ownVocabulary(c)))
  })

  app.get('/v1/sessions/:name/calls/:id/events', async (c) => {
    const services = servicesFor(c, 'read')
    const session = sessionOf(c, 'read')
    const callId = c.req.param('id')
    if (!(await session.callOf(callId))) return noCall(session)
    const follow = (after: number): Promise<CallView | null> =>
      session.follow({ callId, after, patienceMs: MAX_FOLLOW_MS })
    const until = services.now() + EVENTS_MS
    let looks = 0
    const goOn = () => ++looks < MAX_EVENT_LOOKS && services.now() < until
    const ended = c.env.openStream?.() ?? (() => {})
    return new Response(
      untilEnd(callEvents({ follow, seen: seenBefore(c), goOn, vocabulary: ownVocabulary(c) }), ended),
      {
        headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
      },
    )
  })

  app.post('/v1/sessions/:name/calls/:id/cancel', async (c) => {
    const session = sessionOf(c, 'execute')
    return c.json(encodeCall((await session.cancel(c.req.param('id'))) ?? (await noCall(session)), ownVocabulary(c)))
  })
}

const sessionOf = (c: Context<AppEnv>, scope: Scope): SessionApi =>
  servicesFor(c, scope).session(sessionName(c.req.param('name') ?? ''))

/** Number of the last event that the client has received, which a browser's EventSource states when it connects again. */
function seenBefore(c: Context<AppEnv>): number {
  const count = Number(c.req.header('Last-Event-ID') ?? 0)
  return Number.isSafeInteger(count) && count >= 0 ? count : 0
}

const noSession = (): never => fail('not_found', 'there is no such session')

async function noCall(session: SessionApi): Promise<never> {
  return (await session.info())
    ? fail('not_found', 'the session has no such call, or it is no longer kept')
    : noSession()
}
