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

/** For what is known to be small. */
export const collect = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> =>
  new Uint8Array(await new Response(stream).arrayBuffer())
