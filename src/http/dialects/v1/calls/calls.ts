import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { MAX_TOOL_ID_CHARS } from '../../../../core/limits/registry.ts'
import { MAX_LISTED_CALLS } from '../../../../core/limits/sessions.ts'
import { callOfHandle } from '../../../../core/result-handle.ts'
import { endWithin } from '../../../call-end.ts'
import type { AppEnv } from '../../../dialect.ts'
import { EVENT_STREAM } from '../../../event-stream.ts'
import { encodePage, PageOf, pageQuery } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { ownVocabulary } from '../../../owner-vocabulary.ts'
import { SESSION, sessionOf } from '../sessions/session-path.ts'
import { Call, CallState, endQuery, ListedCall } from './call-schemas.ts'
import { type CallForm, encodeCall, encodeEnd, encodeListedCall } from './calls-codec.ts'
import { END_ID, placeOf } from './event-place.ts'
import { eventsResponse, openStream } from './event-stream.ts'
import { viewOf } from './result-view.ts'

const Query = z.strictObject({
  ...pageQuery(MAX_LISTED_CALLS),
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'it is no next_cursor of this list')
    .optional()
    .meta({ description: 'The next_cursor of the page before.' }),
  state: z
    .enum([...CallState.options, 'successful', 'unsuccessful'])
    .optional()
    .meta({
      description:
        'Calls in this state alone; `unsuccessful` for all that did not go well: failed, refused, lost, and those with an `exit_code`; `successful` for the others that are done.',
    }),
  tool: z.string().min(1).max(MAX_TOOL_ID_CHARS).optional().meta({ description: 'Calls of this tool alone.' }),
})

/**
 * Calls of a session: `GET /v1/sessions/{session}/calls`, newest first; `…/{call}`, one as it is now; `…/{call}/events`, what happens
 * to it as server-sent events; `POST …/{call}/cancel`.
 */
export function addCalls(app: Hono<AppEnv>): void {
  route(app, 'get', '/v1/sessions/:session/calls', LIST, async (c, { services, query }) => {
    const { limit, cursor, state, tool } = query
    const before = cursor === undefined ? {} : { before: Number(cursor) }
    const page = { limit, ...before, ...(state && { state }), ...(tool !== undefined && { tool }) }
    const { calls, next } = await sessionOf(c, services).calls.page(page)
    return c.json(encodePage(calls.map(encodeListedCall), next))
  })

  route(app, 'get', '/v1/sessions/:session/calls/:call', GET, async (c, { services, query }) => {
    const { calls } = sessionOf(c, services)
    const callId = callOfHandle(c.req.param('call'))
    const view = viewOf(query)
    await endWithin(
      calls,
      callId,
      (query.wait ?? 0) * 1_000,
      () => services.now(),
      ({ running }) => !running,
    )
    return c.json(encodeCall(await calls.find(callId), formOf(c), view))
  })

  route(app, 'get', '/v1/sessions/:session/calls/:call/events', EVENTS, async (c, { services }) => {
    const { calls } = sessionOf(c, services)
    const callId = c.req.param('call')
    const last = c.req.header('Last-Event-ID')
    // A call that runs has no last event yet, whatever its client says.
    if (last === END_ID && !(await calls.find(callId)).running) return c.body(null, 204)
    const form = formOf(c)
    const place = placeOf(last)
    return eventsResponse({ calls, callId, place, end: async (view) => encodeEnd(view, form), ended: openStream(c) })
  })

  route(app, 'post', '/v1/sessions/:session/calls/:call/cancel', CANCEL, async (c, { services }) => {
    return c.json(encodeCall(await sessionOf(c, services).calls.cancel(c.req.param('call')), formOf(c)))
  })
}

type OfSession = Context<AppEnv, '/v1/sessions/:session/*'>

const formOf = (c: OfSession): CallForm => ({ session: c.req.param('session'), vocabulary: ownVocabulary(c) })

const params = { ...SESSION, call: 'Id of the call.' }
const example = { params: { session: 'my_task', call: 'call_0mp3k1x5a1b2c3d4e5f6a' }, status: 200 }

const LIST = {
  id: 'listCalls',
  tag: 'calls',
  summary: 'List calls',
  description: 'Calls of the session, newest first, whichever API they came by.',
  scope: 'read',
  params: SESSION,
  query: Query,
  answers: { 200: { description: 'A page of calls.', content: PageOf(ListedCall) } },
  problems: [400, 404],
  example: { params: { session: 'my_task' }, query: { limit: '10' }, status: 200 },
} as const

const GET = {
  id: 'getCall',
  tag: 'calls',
  summary: 'Look at a call',
  description:
    'A call as it is now, or with `wait` as soon as it has ended. `result` has the whole result of a call that was begun with `Prefer`, `wait` or as a stream, and of work that outlived its call, for a day; of any other call `answer` has the start of its text. With `view` or `max_tokens` it shows that part of a kept result.',
  scope: 'read',
  params,
  query: endQuery,
  answers: { 200: { description: 'The call.', content: Call } },
  problems: [400, 404],
  example,
} as const

const EVENTS = {
  id: 'followCall',
  tag: 'calls',
  summary: 'Follow a call',
  description:
    'Server-sent events: `call`, then `progress`, `stdout`, `stderr` and `gap` (what is no longer kept), and `result` or `error` in the end. A client that was cut sends the id of its last event as `Last-Event-ID`.',
  scope: 'read',
  params,
  headers: { 'Last-Event-ID': 'Id of the last event that the client has.' },
  answers: {
    200: { description: 'The events.', content: { raw: EVENT_STREAM } },
    204: { description: 'The client has the last event already.' },
  },
  problems: [400, 404],
  example,
} as const

const CANCEL = {
  id: 'cancelCall',
  tag: 'calls',
  summary: 'Cancel a call',
  description:
    'Ends a running call with all that it started. Files that it wrote stay. A call that has ended stays as it is.',
  scope: 'execute',
  params,
  answers: { 200: { description: 'The call as it is then.', content: Call } },
  problems: [400, 404],
  example,
} as const
