import { ByteSource } from './byte-source.ts'
import { streamOfPieces } from './stream-of-pieces.ts'

/** Parts of a stream, each a stream of at most `partBytes` bytes that has to be read whole before the next one is taken. An empty stream is one empty part. */
export async function* partsOf(
  stream: ReadableStream<Uint8Array>,
  partBytes: number,
): AsyncGenerator<ReadableStream<Uint8Array>, void> {
  const source = new ByteSource(stream, Number.POSITIVE_INFINITY, 'the stream')
  let isWhole = false
  try {
    let next = await source.some(partBytes)
    do {
      yield streamOfPieces(part())
    } while (next)
    isWhole = true

    async function* part(): AsyncGenerator<Uint8Array, void> {
      for (let left = partBytes; next && left > 0; ) {
        const piece = next
        left -= piece.length
        yield piece
        next = await source.some(left || partBytes)
      }
    }
  } finally {
    if (!isWhole) await source.cancel()
  }
}
