import type { Failure } from '../core/failure.ts'
import { joined } from '../core/joined.ts'
import { READ_MS } from '../core/limits/reader.ts'
import type { Reading } from '../ports/reader.ts'

/** The result of a reading, or why there is none; JSON. */
export type Answer = { readonly result: unknown } | { readonly failure: Failure }

/** Header of a request to the reader: whose reading it is, percent-encoded. */
export const READER_OWNER_HEADER = 'X-Reader-Owner'

/** Why a reading was ended from outside, and what to do. */
export const TOOK_TOO_LONG = `reading it took more than ${READ_MS / 1000} seconds; split it, or convert it to another format`
export const TOOK_TOO_MUCH = 'reading it took too much memory; split it, or convert it to another format'

const LINE_END = 0x0a

/** A reading as the body of a request: what is to be done as one line of JSON, then the bytes. */
export function encodeReading({ kind, options, bytes }: Reading): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${JSON.stringify({ kind, options })}\n`)
  return joined([head, bytes])
}

/** @throws SyntaxError for what {@link encodeReading} did not make */
export function decodeReading(body: Uint8Array): Reading {
  const end = body.indexOf(LINE_END)
  const { kind, options } = JSON.parse(new TextDecoder().decode(body.subarray(0, end))) as Omit<Reading, 'bytes'>
  // A view of its own: a part of Node's Buffer would be one, which libraries take for something else.
  return { kind, options, bytes: new Uint8Array(body.buffer, body.byteOffset + end + 1, body.length - end - 1) }
}
