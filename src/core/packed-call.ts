import { fail } from './failure.ts'
import type { CallKey } from './idempotency.ts'
import { MAX_PLAIN_RPC_CHARS, MAX_RPC_BYTES } from './limits/requests.ts'
import type { ToolCall } from './outcome.ts'
import { isBeyondLatin1, rpcBytes } from './rpc-bytes.ts'

/** A file that must have one of these contents when a call begins. */
export interface UnchangedFile {
  readonly path: string
  readonly match: readonly string[] | 'any'
}

/** A call on its way to a session's object. Arguments are JSON, so bytes among them can only be packed texts. */
export interface SentCall extends ToolCall {
  /** Texts with characters beyond Latin-1 are there as UTF-8 bytes. */
  readonly packed?: true
  /** Set where the outcome shall name the files that the call changed. */
  readonly wantsFiles?: true
  /** Files on which the call of a file tool depends: `refused` with `conflict` and `data.changed` when one is another. */
  readonly unchanged?: readonly UnchangedFile[]
  /** Id that the call is to have, of the server's own making: whoever sends the call can cancel it before it is answered. */
  readonly callId?: string
  /** Place of the call in a batch, by which its key knows it: the calls of a batch begin in any order. */
  readonly place?: number
  /** Key under which the session makes the call once. */
  readonly key?: CallKey
}

/**
 * Packs texts beyond Latin-1 as UTF-8 where the arguments are large. RPC sends a text that has one character beyond Latin-1 as
 * two bytes for each of its characters: a body of ASCII with one Chinese character would be twice as large, and not go through.
 * @throws FailureError `limit_exceeded` when the arguments are larger than an RPC carries
 */
export function packCall(call: SentCall): SentCall {
  if (charsOf(call.args, MAX_PLAIN_RPC_CHARS) <= MAX_PLAIN_RPC_CHARS) return call
  const size = { bytes: 0 }
  const args = pack(call.args, size)
  if (size.bytes > MAX_RPC_BYTES) {
    fail('limit_exceeded', `the arguments are larger than ${MAX_RPC_BYTES} bytes (MAX_RPC_BYTES); send them in parts`)
  }
  return { ...call, args, packed: true }
}

export const unpackCall = ({ packed, args, ...call }: SentCall): SentCall => ({
  ...call,
  args: packed ? unpack(args) : args,
})

/** Number of characters of all texts and names, or some number beyond `enough`. */
function charsOf(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let chars = 0
  // No lists of pairs here: for a million numbers they would take 100 MB.
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && chars <= enough; at++) chars += charsOf(value[at], enough - chars)
    return chars
  }
  for (const name of Object.keys(value)) {
    chars += name.length + charsOf(value[name as keyof typeof value], enough - chars)
    if (chars > enough) break
  }
  return chars
}

/** Approximate size of a value beside its text: a tag, a length, the place in its list. */
const VALUE_BYTES = 8

function pack(value: unknown, size: { bytes: number }): unknown {
  size.bytes += VALUE_BYTES
  if (typeof value === 'string') {
    // A lone surrogate has no bytes in UTF-8; such a text goes unpacked.
    const sent = isBeyondLatin1(value) && value.isWellFormed() ? new TextEncoder().encode(value) : value
    size.bytes += typeof sent === 'string' ? rpcBytes(sent) : sent.length
    return sent
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inside) => pack(inside, size))
  const entries = Object.entries(value).map(([name, inside]) => {
    size.bytes += 2 * name.length
    return [name, pack(inside, size)] as const
  })
  return Object.fromEntries(entries)
}

function unpack(value: unknown): unknown {
  if (value instanceof Uint8Array) return new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(unpack)
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, unpack(inside)]))
}
