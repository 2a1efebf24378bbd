import { describe, expect, it } from 'vitest'
import { partsOf } from '../../../src/core/parts-of.ts'
import { streamOfPieces } from '../../../src/core/stream-of-pieces.ts'

/** Bytes of 0 to `length`, in pieces of so many. */
async function* counted(length: number, piece: number, taken = { bytes: 0 }): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < length; at += piece) {
    const size = Math.min(piece, length - at)
    taken.bytes += size
    yield Uint8Array.from({ length: size }, (_, n) => at + n)
  }
}

const read = async (stream: ReadableStream<Uint8Array>) => [
  ...new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer()),
]

describe('parts of a stream', () => {
  it.each([
    [10, 3, [4, 4, 2]],
    [8, 3, [4, 4]],
    [9, 100, [4, 4, 1]],
    [3, 1, [3]],
    [0, 1, [0]],
  ])('has all of %i bytes in pieces of %i, in order', async (length, piece, sizes) => {
    const parts: number[][] = []
    for await (const part of partsOf(streamOfPieces(counted(length, piece)), 4)) parts.push(await read(part))
    expect(parts.map((part) => part.length)).toEqual(sizes)
    expect(parts.flat()).toEqual(Array.from({ length }, (_, n) => n))
  })

  it('reads no further than the parts that are taken, and ends the stream when nobody takes more', async () => {
    const taken = { bytes: 0 }
    let isCancelled = false
    const source = counted(200, 2, taken)
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value } = await source.next()
        if (value) controller.enqueue(value)
      },
      cancel() {
        isCancelled = true
      },
    })
    for await (const part of partsOf(stream, 4)) {
      await read(part)
      break
    }
    expect(isCancelled).toBe(true)
    expect(taken.bytes).toBeLessThan(20)
  })
})
