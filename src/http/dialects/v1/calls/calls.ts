import type { Context, Hono } from 'hono'
import * as z from 'zod'
import type { Scope } from '../../../../auth/principal.ts'
import { sessionName } from '../../../../core/ids.ts'
import { EVENTS_MS, MAX_EVENT_LOOKS, MAX_FOLLOW_MS } from '../../../../core/limits/requests.ts'
import { MAX_LISTED_CALLS } from '../../../../core/limits/sessions.ts'
import type { SessionApi } from '../../../../session/api.ts'
import { integer, withDefault } from '../../../../tools/arguments.ts'
import { untilEnd } from '../../../admission/until-end.ts'
import { type AppEnv, servicesFor } from '../../../dialect.ts'
import { parseInput } from '../../../input.ts'
import { ownVocabulary } from '../../../owner-vocabulary.ts'
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
    const page = { limit, ...(cursor !== undefined && { before: cursor }) }
    const { calls, next } = await sessionOf(c, 'read').calls.page(page)
    return c.json({ calls: calls.map(encodeListedCall), ...(next !== undefined && { next_cursor: String(next) }) })
  })

  app.get('/v1/sessions/:name/calls/:id', async (c) => {
    return c.json(encodeCall(await sessionOf(c, 'read').calls.find(c.req.param('id')), ownVocabulary(c)))
  })

  app.get('/v1/sessions/:name/calls/:id/events', async (c) => {
    const services = servicesFor(c, 'read')
    const { calls } = sessionOf(c, 'read')
    const callId = c.req.param('id')
    await calls.find(callId)
    const follow = (after: number) => calls.follow({ callId, after, patienceMs: MAX_FOLLOW_MS })
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
    return c.json(encodeCall(await sessionOf(c, 'execute').calls.cancel(c.req.param('id')), ownVocabulary(c)))
  })
}

const sessionOf = (c: Context<AppEnv>, scope: Scope): SessionApi =>
  servicesFor(c, scope).session(sessionName(c.req.param('name') ?? ''))

/** Number of the last event that the client has received, which a browser's EventSource states when it connects again. */
function seenBefore(c: Context<AppEnv>): number {
  const count = Number(c.req.header('Last-Event-ID') ?? 0)
  return Number.isSafeInteger(count) && count >= 0 ? count : 0
}
