import { hexOfBytes } from './hex.ts'

/** Place of a request in a trace. Source: W3C Trace Context, https://www.w3.org/TR/trace-context/ */
export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string
  /** Span of the caller, 16 hex digits; null where the trace begins here. */
  readonly parentId: string | null
  /** Whether the spans of the trace are recorded. */
  readonly isSampled: boolean
}

/** Characters of version 00. A later version may have more behind them. */
const CHARS = 55
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const NO_TRACE = '0'.repeat(32)
const NO_SPAN = '0'.repeat(16)

/** Context of a `traceparent` header; null where there is none, or a malformed one, which the standard has ignored. */
export function readTraceparent(header: string | null): TraceContext | null {
  if (header === null || header.length < CHARS) return null
  const [, version, traceId, parentId, flags] = TRACEPARENT.exec(header.slice(0, CHARS)) ?? []
  if (version === undefined || traceId === undefined || parentId === undefined || flags === undefined) return null
  if (version === 'ff' || traceId === NO_TRACE || parentId === NO_SPAN) return null
  const isWhole = header.length === CHARS || (version !== '00' && header[CHARS] === '-')
  return isWhole ? { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 } : null
}

/** `traceparent` header for a request that a span makes. */
export const writeTraceparent = ({ traceId, isSampled }: TraceContext, spanId: string): string =>
  `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`

/** Trace that begins here. @param ratio part of such traces whose spans are recorded, from 0 to 1 */
export const newTrace = (ratio: number): TraceContext => ({
  traceId: randomHex(16),
  parentId: null,
  isSampled: Math.random() < ratio,
})

export const newSpanId = (): string => randomHex(8)

/** Random hex digits, two for each byte. An id of zeros means none, and is as likely as to guess a key. */
const randomHex = (bytes: number): string => hexOfBytes(crypto.getRandomValues(new Uint8Array(bytes)))
