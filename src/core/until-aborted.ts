/** Stream of the same bytes, which fails as soon as `signal` aborts: a sender that sends nothing holds nobody then. */
export function untilAborted(stream: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const through = new TransformStream<Uint8Array, Uint8Array>()
  // Whatever ends the pipe, the reader of its other end is told.
  stream.pipeTo(through.writable, { signal }).catch(() => undefined)
  return through.readable
}
