import type { Readable, Writable } from 'node:stream'

const LENGTH_BYTES = 4

/** Writes one message to a pipe: its length in four bytes, then its bytes. */
export function writeFrame(pipe: Writable, bytes: Uint8Array): void {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(bytes.length)
  pipe.write(length)
  pipe.write(bytes)
}

/** The messages on a pipe until it ends. @throws RangeError for one that is longer than `maxBytes` */
export async function* frames(pipe: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of pipe as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    for (;;) {
      if (size < LENGTH_BYTES) break
      if ((chunks[0]?.length ?? 0) < LENGTH_BYTES) chunks = [Buffer.concat(chunks)]
      const length = chunks[0]?.readUInt32BE(0) ?? 0
      if (length > maxBytes) throw new RangeError(`a message of ${length} bytes`)
      if (size < LENGTH_BYTES + length) break
      const whole = Buffer.concat(chunks)
      yield whole.subarray(LENGTH_BYTES, LENGTH_BYTES + length)
      const rest = whole.subarray(LENGTH_BYTES + length)
      chunks = [rest]
      size = rest.length
    }
  }
}
