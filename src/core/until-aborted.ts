/** Stream of the same bytes, which fails as soon as `signal` aborts: a sender that sends nothing holds nobody then. */
export function untilAborted(stream: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  // workerd moves bytes through a stream of its own without JavaScript, and gives a reader as many at once as it has room for.
  const through =
    typeof IdentityTransformStream === 'undefined'
      ? new TransformStream<Uint8Array, Uint8Array>()
      : new IdentityTransformStream()
  // Whatever ends the pipe, the reader of its other end is told.
  stream.pipeTo(through.writable, { signal }).catch(() => undefined)
  return through.readable as ReadableStream<Uint8Array>
}
