import type { ObservedCall } from '../../ports/call-observer.ts'

const INTERNAL = 1
const ERROR = 2

/**
 * Request of OTLP/HTTP with JSON for spans. Ids are hex, and 64-bit numbers are texts.
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export const encodeSpans = (spans: readonly OtlpSpan[]) => ({
  resourceSpans: [
    {
      resource: { attributes: [text('service.name', SERVICE)] },
      scopeSpans: [{ scope: { name: SERVICE }, spans }],
    },
  ],
})

const SERVICE = 'toolyard'

export type OtlpSpan = NonNullable<ReturnType<typeof spanOf>>

/** Span of a call; null for a call of no trace, or of one that is not recorded. */
export function spanOf(tenant: string, call: ObservedCall) {
  const { origin, spanId, tool, startedAt, ms, outcome, reason } = call
  const trace = origin?.trace
  if (!trace?.isSampled || spanId === null) return null
  return {
    traceId: trace.traceId,
    spanId,
    ...(trace.parentId !== null && { parentSpanId: trace.parentId }),
    flags: 1,
    name: `execute_tool ${tool}`,
    kind: INTERNAL,
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(startedAt + ms),
    attributes: [
      text('gen_ai.operation.name', 'execute_tool'),
      text('gen_ai.tool.name', tool),
      text('toolyard.tenant', tenant),
      text('toolyard.dialect', origin?.dialect ?? ''),
      text('toolyard.request_id', origin?.requestId ?? ''),
      text('toolyard.outcome', outcome),
      ...(reason === null ? [] : [text('error.type', reason)]),
      whole('toolyard.sandbox_ms', call.sandboxMs),
      whole('toolyard.queue_ms', call.queuedMs),
      whole('toolyard.bytes_in', call.bytesIn),
      whole('toolyard.bytes_out', call.bytesOut),
    ],
    status: reason === null ? {} : { code: ERROR },
  }
}

const text = (key: string, value: string) => ({ key, value: { stringValue: value } })
const whole = (key: string, value: number) => ({ key, value: { intValue: String(Math.round(value)) } })
const nanoseconds = (ms: number) => `${Math.round(ms)}000000`
