import { constants, gzipSync } from 'node:zlib'
import { compressed } from '../../core/compressed.ts'
import type { Deadline } from '../../core/deadline.ts'
import { decompressed } from '../../core/decompressed.ts'
import { MAX_PACKED_SHARE } from '../../core/limits/sync.ts'
import { readAll } from '../../core/read-all.ts'
import { SandboxGone } from '../../ports/sandbox.ts'
import { fromBase64 } from './base64.ts'

/** Packs on demand, as {@link compressed}. */
export const gzip = (plain: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => compressed(plain, 'gzip', 'fast')

/** Whether packing a sample is worth its time; true for an empty one. */
export const becomesSmaller = (sample: Uint8Array): boolean =>
  gzipSync(sample, { level: constants.Z_BEST_SPEED }).length <= sample.length * MAX_PACKED_SHARE || sample.length === 0

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
