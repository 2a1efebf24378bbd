import type { Failure } from '../core/failure.ts'
import { joined } from '../core/joined.ts'
import { MAX_WAITING_READINGS, READ_MS, READER_RETRY_MS } from '../core/limits/reader.ts'
import type { RateLimited } from '../core/rate-limited.ts'
import type { Reading } from '../ports/reader.ts'

/** The result of a reading, or why there is none; JSON. */
export type Answer = { readonly result: unknown } | { readonly failure: Failure }

/** Header of a request to the reader: whose reading it is, percent-encoded. */
export const READER_OWNER_HEADER = 'X-Reader-Owner'

/** Header of a request to the reader: how many bytes its body has. A body between two Workers does not always say so. */
export const READER_BYTES_HEADER = 'X-Reader-Bytes'

/** Reasons why a reading was ended from outside, with advice. */
export const TOOK_TOO_LONG = `reading it took more than ${READ_MS / 1000} seconds; split it, or convert it to another format`
export const TOOK_TOO_MUCH = 'reading it took too much memory; split it, or convert it to another format'

/** Failure of a reading that found no place in time. */
export const BUSY: Failure = {
  code: 'rate_limited',
  message: 'many documents are read just now; try again in some seconds',
  data: {
    scope: 'server',
    kind: 'concurrency',
    limit: MAX_WAITING_READINGS,
    remaining: 0,
    windowMs: null,
    retryAfterMs: READER_RETRY_MS,
  } satisfies RateLimited,
}

const LINE_END = 0x0a

/** Body of a request for a reading: its kind and options as one line of JSON, then the bytes. */
export function encodeReading({ kind, options, bytes }: Reading): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${JSON.stringify({ kind, options })}\n`)
  return joined([head, bytes])
}

/** Decodes a body. @throws SyntaxError for anything but one of {@link encodeReading} */
export function decodeReading(body: Uint8Array): Reading {
  const end = body.indexOf(LINE_END)
  const { kind, options } = JSON.parse(new TextDecoder().decode(body.subarray(0, end))) as Omit<Reading, 'bytes'>
  // A view of its own: a slice of Node's Buffer would be a Buffer, which libraries take for something else.
  return { kind, options, bytes: new Uint8Array(body.buffer, body.byteOffset + end + 1, body.length - end - 1) }
}
