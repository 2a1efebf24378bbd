import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import type { Deadline } from '../../core/deadline.ts'
import { decompressed } from '../../core/decompressed.ts'
import { readAll } from '../../core/read-all.ts'
import { streamOfPieces } from '../../core/stream-of-pieces.ts'
import { SandboxGone } from '../../ports/sandbox.ts'
import { fromBase64 } from './base64.ts'

/**
 * Compresses a stream on demand, fast: a session's object has its processor for seconds. It is Node's, since workerd's CompressionStream takes
 * all that is written, whether anybody reads what comes of it: a fast store and a slow sandbox would pile up the whole archive in memory.
 */
export const gzip = (plain: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => streamOfPieces(packed(plain))

async function* packed(plain: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const packer = createGzip({ level: constants.Z_BEST_SPEED })
  const feeding = pipeline(Readable.from(plain, { objectMode: false }), packer)
  // The reader gets the error by the packer, too.
  feeding.catch(() => undefined)
  yield* packer
  await feeding
}

/** Unpacks on demand, as {@link decompressed}. */
export const gunzip = (packed: ReadableStream<Uint8Array>, deadline?: Deadline): ReadableStream<Uint8Array> =>
  decompressed(packed, 'gzip', deadline)

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
