import { ByteSource } from './byte-source.ts'
import { joined } from './joined.ts'
import { streamOfPieces } from './stream-of-pieces.ts'

/** The first bytes of a stream, about `length` of them, and the stream with these bytes still in it. Without a length nothing is read yet. */
export async function sampled(
  stream: ReadableStream<Uint8Array>,
  length: number,
): Promise<[Uint8Array, ReadableStream<Uint8Array>]> {
  const source = new ByteSource(stream, Number.POSITIVE_INFINITY, 'the stream')
  const pieces: Uint8Array[] = []
  for (let left = length; left > 0; ) {
    const piece = await source.some(left)
    if (!piece) break
    // A source may use the room of a piece for the next one.
    pieces.push(piece.slice())
    left -= piece.length
  }
  const sample = joined(pieces)
  return [sample, streamOfPieces(rest())]

  async function* rest(): AsyncGenerator<Uint8Array, void> {
    let isOver = false
    try {
      if (sample.length > 0) yield sample
      for (let next = await source.some(MAX_PIECE_BYTES); next; next = await source.some(MAX_PIECE_BYTES)) yield next
      isOver = true
    } finally {
      if (!isOver) await source.cancel()
    }
  }
}

/** Largest piece that is passed on at once; a source gives smaller ones. */
const MAX_PIECE_BYTES = 16 * 1024 * 1024
