import type { Vocabulary } from '../../../../core/saying/worded.ts'
import type { CallView } from '../../../../session/api.ts'
import { encodeCall } from './calls-codec.ts'

interface Following {
  /** Waits for further lines. @param after number of lines already known */
  readonly follow: (after: number) => Promise<CallView>
  /** Number of lines that the client has. */
  readonly seen: number
  /** False when the stream has lasted long enough: a client connects again, and states what it has seen. */
  readonly goOn: () => boolean
  readonly vocabulary: Vocabulary
}

/**
 * Events of a call, as server-sent events: `progress` with one line each, whose id is its number, and `end` with the call. A
 * comment in between shows that both sides still live. The next events are read when the last were consumed.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function callEvents({ follow, seen, goOn, vocabulary }: Following): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let after = seen
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const view = await follow(after).catch(() => null)
        // The session is gone or cannot be reached: a client that connects again learns which.
        if (!view) return controller.close()
        const { lines, count } = view.progress
        const fresh = lines.slice(Math.max(0, lines.length - Math.max(0, count - after)))
        const events = fresh.map((line, at) => event('progress', { line }, count - fresh.length + at + 1))
        after = Math.max(after, count)
        if (!view.running) events.push(event('end', encodeCall(view, vocabulary)))
        controller.enqueue(encoder.encode(events.join('') || ': still at work\n\n'))
        if (!view.running || !goOn()) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

const event = (name: string, data: object, id?: number) =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
