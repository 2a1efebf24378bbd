import type { CallView, LiveView } from '../../../../session/calls-api.ts'
import { event } from '../server-sent-event.ts'
import { encodeListedCall } from './calls-codec.ts'
import { END_ID, type EventPlace, idOf } from './event-place.ts'

interface Following {
  /** State of the call when the stream begins. */
  readonly first: CallView
  /** Waits for what comes behind a place. */
  readonly follow: (place: EventPlace) => Promise<CallView>
  readonly place: EventPlace
  /** False when the stream has lasted long enough: a client connects again, and states what it has seen. */
  readonly goOn: () => boolean
  /** Last event of a call that has ended. */
  readonly end: (view: CallView) => Promise<{ readonly state: string; readonly error?: unknown }>
}

/**
 * Events of a call, as server-sent events: `call`, then `progress`, `stdout`, `stderr` and `gap` as they come, and `result` or
 * `error` in the end. An event's id is the place behind it. A comment in between shows that both sides still live. The next
 * events are read when the last were consumed.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function callEvents({ first, follow, place: from, goOn, end }: Following): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let place = from
  let next: CallView | null = first
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const view: CallView | null = next ?? (await follow(place).catch(() => null))
        // The session is gone or cannot be reached: a client that connects again learns which.
        if (!view) return controller.close()
        const events = next ? [event('call', encodeListedCall(view.call), idOf(place))] : []
        next = null
        const fresh = eventsOf(view, place)
        events.push(...fresh.events)
        place = fresh.place
        if (!view.running) {
          const last = await end(view)
          events.push(event('error' in last ? 'error' : 'result', last, END_ID))
        }
        controller.enqueue(encoder.encode(events.join('') || ': still at work\n\n'))
        if (!view.running || !goOn()) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Events behind a place, and the place behind them. */
function eventsOf({ progress, live }: CallView, from: EventPlace) {
  const events: string[] = []
  const { lines, count } = progress
  // Nobody can have seen more lines than there are: such a place is of another call, or of none.
  const seen = from.progress > count ? 0 : from.progress
  const place = { ...from, progress: seen }
  const fresh = lines.slice(Math.max(0, lines.length - (count - seen)))
  if (count - fresh.length > seen) {
    place.progress = count - fresh.length
    events.push(gap({ missed_lines: place.progress - seen }, place))
  }
  for (const line of fresh) {
    place.progress += 1
    events.push(event('progress', { line }, idOf(place)))
  }
  if (live) addLive(live, place, events)
  return { events, place }
}

function addLive(
  { pieces, count, missed }: LiveView,
  place: { progress: number; printed: number },
  events: string[],
): void {
  place.printed = count - pieces.length
  if (missed !== 0) events.push(gap({ missed_pieces: missed }, place))
  for (const { stream, text, skipped } of pieces) {
    if (skipped !== undefined) events.push(gap({ stream, skipped_bytes: skipped }, place))
    place.printed += 1
    if (text !== '') events.push(event(stream, { text }, idOf(place)))
  }
}

const gap = (what: object, place: EventPlace) => event('gap', { ...what, hint: GAP }, idOf(place))
const GAP = 'this part is no longer kept; the result has the output, or says in which file it is'
