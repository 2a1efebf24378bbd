import type { Deadline } from './deadline.ts'

/** Stream of the same pieces, whose reading fails at a deadline; the source is cancelled then, and when the reader cancels. */
export function withinDeadline(stream: ReadableStream<Uint8Array>, deadline: Deadline): ReadableStream<Uint8Array> {
  const source = stream.getReader()
  // The reader knows the reason, and the source may have ended by itself.
  const stop = (reason: unknown) => void source.cancel(reason).catch(() => undefined)
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await deadline.race(source.read())
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (thrown) {
          stop(thrown)
          throw thrown
        }
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  )
}
