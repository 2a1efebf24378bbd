import type { Authentication } from '../auth/authenticate.ts'
import { toFailure } from '../core/failure.ts'
import { EVENTS_KEY_MS } from '../core/limits/requests.ts'
import { isEventStream } from './event-stream.ts'

interface Parts {
  /** Judges the credential again; null for a request without one. */
  readonly again: (() => Promise<Authentication>) | null
  readonly now: () => number
}

/** Codes by which a key itself is refused. */
const REFUSALS: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden'])

/**
 * The answer, whose event stream ends when its key is revoked or expires: the key is judged again every EVENTS_KEY_MS, before more
 * is sent. A client that connects again learns why. Any other answer stays as it is.
 */
export function whileKeyIsGood(answer: Response, { again, now }: Parts): Response {
  const { body } = answer
  if (!body || !isEventStream(answer) || again === null) return answer
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  let judgedAt = now()
  const judge = again
  async function isGood(): Promise<boolean> {
    if (now() - judgedAt < EVENTS_KEY_MS) return true
    judgedAt = now()
    try {
      const judged = await judge()
      return !('failure' in judged) || !REFUSALS.has(judged.failure.code)
    } catch (thrown) {
      // A store of keys that cannot be asked refuses nobody.
      return !REFUSALS.has(toFailure(thrown).code)
    }
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        if (await isGood()) return controller.enqueue(value)
        controller.close()
        await reader.cancel()
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return new Response(stream, answer)
}
