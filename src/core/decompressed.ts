import type { Deadline } from './deadline.ts'

/**
 * Unpacks on demand, in pieces that stay small whatever their content. The source is cancelled as soon as the reader
 * cancels: piping through a decompressor alone would not do that everywhere.
 * @param deadline after which reading fails
 */
export function decompressed(
  packed: ReadableStream<Uint8Array>,
  format: 'gzip' | 'deflate-raw',
  deadline?: Deadline,
): ReadableStream<Uint8Array> {
  const source = packed.getReader()
  const decompressor = new DecompressionStream(format) as ReadableWritablePair<Uint8Array, Uint8Array>
  const unpacked = decompressor.readable.getReader()
  const stop = (reason: unknown) => {
    // The reader knows the reason, and each of the two may have ended by itself.
    source.cancel(reason).catch(() => undefined)
    unpacked.cancel(reason).catch(() => undefined)
  }
  // A failure there fails the reading of the unpacked stream, too.
  feed(source, decompressor.writable.getWriter()).catch(() => undefined)
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await (deadline ? deadline.race(unpacked.read()) : unpacked.read())
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

/** Largest piece unpacked at once, to a thousand times its size at worst: 16 MiB, and some milliseconds. */
const MAX_PACKED_PIECE_BYTES = 16 * 1024

async function feed(
  source: ReadableStreamDefaultReader<Uint8Array>,
  decompressor: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  try {
    for (let next = await source.read(); !next.done; next = await source.read()) {
      for (let at = 0; at < next.value.length; at += MAX_PACKED_PIECE_BYTES) {
        await decompressor.write(next.value.subarray(at, at + MAX_PACKED_PIECE_BYTES))
      }
    }
    await decompressor.close()
  } catch (thrown) {
    await Promise.allSettled([decompressor.abort(thrown), source.cancel(thrown)])
  }
}
