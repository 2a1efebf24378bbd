import { MAX_LISTING_BYTES } from '../../core/limits/sandbox.ts'
import { SandboxGone } from '../../ports/sandbox.ts'
import { fromBase64 } from './base64.ts'

/** Level is the runtime's own; what counts is that both sides stream. */
export const gzip = (plain: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  plain.pipeThrough(new CompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>)

export const gunzip = (packed: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  packed.pipeThrough(new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>)

export const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes)
      controller.close()
    },
  })

/**
 * Undoes `gzip | base64`, by which a sandbox sends bytes over a channel for text.
 * @throws SandboxGone when it is not that, or more than a listing of all that a workspace may have
 */
export async function unpackText(text: string): Promise<Uint8Array> {
  try {
    return await collect(gunzip(streamOf(fromBase64(text))).pipeThrough(atMost(MAX_LISTING_BYTES)))
  } catch (cause) {
    throw new SandboxGone('the files in the sandbox could not be listed; it may be full of processes', { cause })
  }
}

/** For what is known to be small. */
export const collect = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> =>
  new Uint8Array(await new Response(stream).arrayBuffer())

function atMost(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let passed = 0
  return new TransformStream({
    transform(chunk, controller) {
      passed += chunk.length
      if (passed > bytes) throw new Error(`more than ${bytes} bytes`)
      controller.enqueue(chunk)
    },
  })
}
