import type { Transform } from 'node:stream'
import type { Zlib } from 'node:zlib'
import type { Deadline } from './deadline.ts'

/** Sizes of what zlib makes in one call, and of what waits for the reader: about two such pieces at most. */
export const ZLIB_SIZES = { chunkSize: 64 * 1024, highWaterMark: 64 * 1024 }

/**
 * Leads a stream through one of Node's packers or unpackers, on demand: no more is made than the reader takes, and one piece of the source is read
 * ahead. The source is cancelled as soon as the reader cancels. Not by workerd's CompressionStream and DecompressionStream: they take all that is
 * written, whether anybody reads what comes of it, and hold it in memory.
 * @param deadline after which reading fails
 * @returns fails when read where one of the two does, or where `zlib` ends before the source
 */
export function throughZlib(
  stream: ReadableStream<Uint8Array>,
  zlib: Transform & Zlib,
  deadline?: Deadline,
): ReadableStream<Uint8Array> {
  const source = stream.getReader()
  // Errors reach the reader by the iterator; those after its end reach nobody.
  zlib.on('error', () => undefined)
  const pieces: AsyncIterator<Uint8Array> = zlib[Symbol.asyncIterator]()
  const fed = { hasBegun: false, isWhole: false, bytes: 0 }
  const stop = (reason: unknown) => {
    // The reader knows the reason, and each of the two may have ended by itself.
    source.cancel(reason).catch(() => undefined)
    zlib.destroy()
  }
  return new ReadableStream(
    {
      async pull(controller) {
        if (!fed.hasBegun) void feed(source, zlib, fed)
        try {
          const { done, value } = await (deadline ? deadline.race(pieces.next()) : pieces.next())
          if (!done) return controller.enqueue(value)
          if (!fed.isWhole || zlib.bytesWritten < fed.bytes) throw new Error('the packed bytes go on behind their end')
          controller.close()
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

/** Gives each piece of a source to zlib when the one before is worked off. An error of either ends both. */
async function feed(
  source: ReadableStreamDefaultReader<Uint8Array>,
  zlib: Transform,
  fed: { hasBegun: boolean; isWhole: boolean; bytes: number },
): Promise<void> {
  fed.hasBegun = true
  try {
    for (let next = await source.read(); !next.done; next = await source.read()) {
      fed.bytes += next.value.length
      await write(zlib, next.value)
    }
    fed.isWhole = true
    zlib.end()
  } catch (thrown) {
    zlib.destroy(thrown instanceof Error ? thrown : new Error('the stream broke off', { cause: thrown }))
    await source.cancel(thrown).catch(() => undefined)
  }
}

/** Writes a piece. @returns when it is worked off, and what came of it was taken but for the last */
const write = (zlib: Transform, piece: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    zlib.write(piece, (error) => (error ? reject(error) : resolve()))
  })
