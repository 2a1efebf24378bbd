import type { Context } from 'hono'
import { EVENTS_MS, MAX_EVENT_LOOKS, MAX_EVENTS_PAUSE_MS, MAX_FOLLOW_MS } from '../../../../core/limits/requests.ts'
import type { CallView, SessionCallsApi } from '../../../../session/calls-api.ts'
import { untilEnd } from '../../../admission/until-end.ts'
import type { AppEnv } from '../../../dialect.ts'
import { EVENT_STREAM } from '../../../event-stream.ts'
import type { EventPlace } from './event-place.ts'
import { callEvents } from './events.ts'

interface Stream {
  readonly calls: SessionCallsApi
  readonly callId: string
  readonly place: EventPlace
  readonly end: (view: CallView) => Promise<{ readonly state: string; readonly error?: unknown }>
  /** Ends the counting of the stream. */
  readonly ended: () => void
  readonly headers?: Readonly<Record<string, string>>
}

/** Counts an event stream of the caller. @throws FailureError `rate_limited` */
export const openStream = (c: Context<AppEnv>): (() => void) => c.env.openStream?.() ?? (() => {})

/** Answer with the events of a call behind a place. @throws FailureError `not_found` */
export async function eventsResponse({ calls, callId, place, end, ended, headers }: Stream): Promise<Response> {
  let looks = 0
  const until = Date.now() + EVENTS_MS
  const look = (from: EventPlace, patienceMs: number) =>
    calls.follow({ callId, after: from.progress, printed: from.printed, patienceMs })
  const follow = async (from: EventPlace) => {
    // A call that prints all the time would use up the looks of its stream within minutes.
    await new Promise((resolve) => setTimeout(resolve, Math.min(looks * PAUSE_GROWTH_MS, MAX_EVENTS_PAUSE_MS)))
    return look(from, MAX_FOLLOW_MS)
  }
  const goOn = () => ++looks < MAX_EVENT_LOOKS && Date.now() < until
  try {
    const events = callEvents({ first: await look(place, 0), follow, place, goOn, end })
    return new Response(untilEnd(events, ended), {
      headers: { 'Content-Type': EVENT_STREAM, 'Cache-Control': 'no-store', ...headers },
    })
  } catch (thrown) {
    ended()
    throw thrown
  }
}

const PAUSE_GROWTH_MS = 10
