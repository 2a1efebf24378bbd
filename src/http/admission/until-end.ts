/** A stream's bytes, unchanged. @param ended is called once: at its end, when it fails, or when nobody reads it any more */
export function untilEnd(stream: ReadableStream<Uint8Array>, ended: () => void): ReadableStream<Uint8Array> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          ended()
          controller.close()
        } catch (thrown) {
          ended()
          throw thrown
        }
      },
      cancel(reason) {
        ended()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
