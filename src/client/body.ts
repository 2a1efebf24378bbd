/** Content of a file or another body that is sent as it is. A stream cannot be sent again, so its request is made once. */
export type RawBody =
  | string
  | Uint8Array<ArrayBuffer>
  | ArrayBuffer
  | Blob
  | FormData
  | ReadableStream<Uint8Array<ArrayBuffer>>

/** Body as `fetch` takes it, and its media type; null for a type that `fetch` knows itself. */
export function encodedBody(body: unknown): { readonly content: RawBody; readonly type: string | null } {
  if (body instanceof FormData || body instanceof Blob) return { content: body, type: null }
  const isRaw =
    typeof body === 'string' ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body) ||
    body instanceof ReadableStream
  return isRaw
    ? { content: body as RawBody, type: 'application/octet-stream' }
    : { content: JSON.stringify(body), type: 'application/json' }
}
