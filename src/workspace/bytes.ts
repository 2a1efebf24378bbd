import type { SqlValue } from '../ports/sql.ts'

/** Content with its SHA-256. */
export interface HashedContent {
  readonly hash: string
  readonly content: Uint8Array
}

/** Content of a BLOB column: Durable Objects give an ArrayBuffer, `node:sqlite` a Uint8Array. */
export function blobFromColumn(value: SqlValue | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  throw new TypeError('the column is not a BLOB')
}

/** A stream of bytes, of the kind that may cross Durable Object RPC. */
export function streamOf(content: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: 'bytes',
    start(controller) {
      // A stream of bytes refuses an empty chunk, and takes over the buffer of any other.
      if (content.length > 0) controller.enqueue(content.slice())
      controller.close()
    },
  })
}

/** Stream of a generator's pieces, of the kind that may cross Durable Object RPC. It takes over the buffer of each piece. */
export function bytesOfPieces(pieces: AsyncGenerator<Uint8Array<ArrayBuffer>, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (!done) return controller.enqueue(value)
      controller.close()
      controller.byobRequest?.respond(0)
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}

/** Bytes of a whole stream of `size` bytes. */
export async function collect(stream: ReadableStream<Uint8Array>, size: number): Promise<Uint8Array> {
  const content = new Uint8Array(size)
  let at = 0
  for await (const chunk of stream) {
    if (at + chunk.length > size) throw new RangeError(`the stream is longer than ${size} bytes`)
    content.set(chunk, at)
    at += chunk.length
  }
  if (at < size) throw new RangeError(`the stream ended after ${at} of ${size} bytes`)
  return content
}
