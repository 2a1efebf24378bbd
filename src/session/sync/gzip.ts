import type { Deadline } from '../../core/deadline.ts'
import { readAll } from '../../core/read-all.ts'
import { SandboxGone } from '../../ports/sandbox.ts'
import { fromBase64 } from './base64.ts'

/** Compresses a stream at the runtime's own level; what counts is that both sides stream. */
export const gzip = (plain: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  plain.pipeThrough(new CompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>)

/**
 * Unpacks on demand, in pieces that stay small whatever their content. The source is cancelled as soon as the reader
 * cancels: piping through a decompressor alone would not do that everywhere.
 * @param deadline after which reading fails
 */
export function gunzip(packed: ReadableStream<Uint8Array>, deadline?: Deadline): ReadableStream<Uint8Array> {
  const source = packed.getReader()
  const decompressor = new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>
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

export const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes)
      controller.close()
    },
  })

/**
 * Reverses `gzip
 * base64`, by which a sandbox sends bytes over a channel for text.
 * @throws SandboxGone for other text, or for more than `maxBytes` unpacked
 */
export async function unpackText(text: string, maxBytes: number): Promise<Uint8Array> {
  const listing = await readAll(gunzip(streamOf(fromBase64(text))), maxBytes).catch((cause: unknown) => gone(cause))
  return listing ?? gone(new Error(`more than ${maxBytes} bytes`))
}

const gone = (cause: unknown): never => {
  throw new SandboxGone('the files in the sandbox could not be listed; it may be full of processes', { cause })
}

/** All bytes of a stream that is known to be small. */
export const collect = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> =>
  new Uint8Array(await new Response(stream).arrayBuffer())
