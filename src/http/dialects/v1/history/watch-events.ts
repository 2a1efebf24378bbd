import { toFailure } from '../../../../core/failure.ts'
import { WATCH_HEARTBEAT_MS } from '../../../../core/limits/watch.ts'
import type { WatchView } from '../../../../session/watch-api.ts'
import type { WakeUps } from '../../../watching/wake-ups.ts'
import { event } from '../server-sent-event.ts'
import { encodeWatched } from './watch-codec.ts'

interface Watching {
  /** Number of the commit from which the client watches; null for the newest. */
  readonly from: number | null
  /** First look, behind that commit. */
  readonly first: WatchView
  /** Looks behind a commit. */
  readonly look: (after: number) => Promise<WatchView>
  readonly wakeUps: Pick<WakeUps, 'next'>
  /** False when the stream has lasted long enough: a client connects again, and states what it has seen. */
  readonly goOn: () => boolean
}

/**
 * Commits of a session as server-sent events: `watching`, then `commit` for each, `reset` where commits are missing, and `end`
 * when the session is removed. Any other end of the stream is one after which a client connects again. The id of an event is the
 * number of the commit up to which the client has all. The next commits are read when the last were consumed, so a client that
 * reads slowly holds nothing here.
 */
export function watchEvents({ from, first, look, wakeUps, goOn }: Watching): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let place = first.state === 'gone' ? first.head : (from ?? first.upTo)
  let hasBegun = false
  let isBehind = false

  const take = (view: WatchView): string => {
    if (view.state === 'gone') {
      place = view.head
      isBehind = false
      return reset(view.head)
    }
    const events = view.commits.map((commit) => event('commit', encodeWatched(commit), `${commit.seq}`))
    // Whatever the client filters out, it need not be looked through again.
    if (view.upTo > (view.commits.at(-1)?.seq ?? place)) events.push(`id: ${view.upTo}\n\n`)
    place = view.upTo
    isBehind = view.more
    return events.join('')
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const send = (text: string) => controller.enqueue(encoder.encode(text))
        if (!hasBegun) {
          hasBegun = true
          return send(event('watching', { commit: place }, `${place}`) + take(first))
        }
        if (!goOn()) return controller.close()
        const heard = isBehind ? 'message' : await wakeUps.next(WATCH_HEARTBEAT_MS)
        if (heard === 'silence') return send(`: nothing new\nid: ${place}\n\n`)
        const view = await look(place).catch(toFailure)
        if ('code' in view) {
          // The session cannot be reached now: a client that connects again learns why.
          if (view.code === 'session_not_found') send(event('end', REMOVED, null))
          return controller.close()
        }
        send(take(view) || ': nothing new here\n\n')
        if (heard === 'closed') controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

const reset = (head: number) => event('reset', { commit: head, hint: RESET }, `${head}`)
const RESET =
  'the commits behind the one that you named are not kept; list the files again by GET …/files?recursive=true, the commits that follow come as events'
const REMOVED = { reason: 'session_removed', hint: 'the session and its files were removed; do not connect again' }
