import type { Hono } from 'hono'
import * as z from 'zod'
import { EVENTS_MS, MAX_EVENT_LOOKS, MAX_EVENTS_PAUSE_MS } from '../../../../core/limits/requests.ts'
import { commitsBack, type Moment as MomentGiven } from '../../../../core/moment.ts'
import type { SessionApi } from '../../../../session/api.ts'
import { untilEnd } from '../../../admission/until-end.ts'
import type { AppEnv } from '../../../dialect.ts'
import { EVENT_STREAM } from '../../../event-stream.ts'
import type { Operation } from '../../../operations/operation.ts'
import { route } from '../../../operations/route.ts'
import { wakeUpsOf } from '../../../watching/wake-ups-of.ts'
import { openStream } from '../calls/event-stream.ts'
import { SESSION, sessionOf } from '../sessions/session-path.ts'
import { queriedMoment } from './moment-schema.ts'

import { watchEvents } from './watch-events.ts'

/** `GET /v1/sessions/{session}/watch`: commits of the session's files as they come, as server-sent events. */
export function addWatch(app: Hono<AppEnv>): void {
  route(app, 'get', '/v1/sessions/:session/watch', WATCH, async (c, { services, query }) => {
    const session = sessionOf(c, services)
    const from = placeOf(c.req.header('Last-Event-ID')) ?? (await commitOf(session, query.from))
    if (c.req.method === 'HEAD') {
      await session.watch.commits({ after: null, path: query.path })
      return new Response(null, { headers: HEADERS })
    }
    const ended = openStream(c)
    try {
      const { events, stop } = await watch(session, from, query.path)
      const over = () => {
        stop()
        ended()
      }
      return new Response(untilEnd(events, over), { headers: HEADERS })
    } catch (thrown) {
      ended()
      throw thrown
    }
  })
}

/** Events behind a commit, and what ends them. @throws FailureError `session_not_found`, `rate_limited`, `invalid_input` */
async function watch(session: SessionApi, from: number | null, path: string) {
  // Before the first look: whatever is committed after that one is heard of.
  const wakeUps = await wakeUpsOf(session, path)
  try {
    const until = Date.now() + EVENTS_MS
    let looks = 0
    const look = async (after: number) => {
      // A session that commits all the time would use up the looks of its stream within minutes.
      await new Promise((resolve) => setTimeout(resolve, Math.min(looks++ * PAUSE_GROWTH_MS, MAX_EVENTS_PAUSE_MS)))
      return session.watch.commits({ after, path })
    }
    const first = await session.watch.commits({ after: from, path })
    const goOn = () => looks < MAX_EVENT_LOOKS && Date.now() < until
    return { events: watchEvents({ from, first, look, wakeUps, goOn }), stop: () => wakeUps.close() }
  } catch (thrown) {
    wakeUps.close()
    throw thrown
  }
}

const HEADERS = { 'Content-Type': EVENT_STREAM, 'Cache-Control': 'no-store' }

/** Number of a moment's commit; null for no moment. @throws FailureError `not_found` for the name of no snapshot */
async function commitOf(session: SessionApi, moment: MomentGiven | undefined): Promise<number | null> {
  if (typeof moment !== 'string') return moment ?? null
  const back = commitsBack(moment)
  if (back !== null) {
    const newest = await session.watch.commits({ after: null, path: '' })
    return Math.max(0, (newest.state === 'found' ? newest.upTo : newest.head) - back)
  }
  return (await session.snapshots.find(moment)).commit
}

/** Number in a `Last-Event-ID`, which a browser's EventSource states when it connects again; null for any other text. */
const placeOf = (id: string | undefined) => (id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : null)

const PAUSE_GROWTH_MS = 10

const Query = z.strictObject({
  path: z
    .string()
    .max(5_000)
    .default('')
    .meta({ description: 'File or directory: commits that change it, or something in it, alone.' }),
  from: queriedMoment.meta({
    description: 'Number of a commit, or name of a snapshot: commits after it come first. Left out: those from now on.',
  }),
})

const WATCH = {
  id: 'watchSession',
  tag: 'files',
  summary: 'Watch the files of a session',
  description:
    "Server-sent events: `watching` with the commit from which on the client has all, then `commit` for each commit as it is made, with who made it, the call's tool, and the changed paths. `reset`: commits behind the named one are no longer kept, so list the files again. `end`: the session was removed. A stream ends after half an hour at most; a client that was cut sends the id of its last event as `Last-Event-ID`.",
  scope: 'read',
  params: SESSION,
  query: Query,
  headers: { 'Last-Event-ID': 'Id of the last event that the client has; it counts more than `from`.' },
  answers: { 200: { description: 'The events.', content: { raw: EVENT_STREAM } } },
  problems: [404],
  example: { params: { session: 'docs' }, query: { path: 'notes', from: 'HEAD' }, status: 200 },
} as const satisfies Operation<typeof Query>
