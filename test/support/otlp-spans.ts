import * as z from 'zod'

/** 64-bit numbers are decimal texts in JSON. */
const int64 = z.string().regex(/^\d{1,19}$/)
const Value = z.union([z.strictObject({ stringValue: z.string() }), z.strictObject({ intValue: int64 })])
const Attribute = z.strictObject({ key: z.string().min(1), value: Value })
const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`))

const Span = z.strictObject({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: hex(16).optional(),
  flags: z.int().min(0),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: int64,
  endTimeUnixNano: int64,
  attributes: z.array(Attribute),
  status: z.strictObject({ code: z.int().min(1).max(2).optional(), message: z.string().optional() }),
})

/**
 * Request that a collector of OTLP/HTTP takes for spans, in JSON, with no field besides.
 * @see https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
 */
const ExportTraceServiceRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string().optional() }),
          spans: z.array(Span),
        }),
      ),
    }),
  ),
})

export interface ExportedSpan extends Omit<z.output<typeof Span>, 'attributes'> {
  readonly attributes: Readonly<Record<string, string>>
}

/** Spans of the body of a request. @throws ZodError for one that a collector would refuse */
export const readSpans = (body: string): ExportedSpan[] =>
  ExportTraceServiceRequest.parse(JSON.parse(body)).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, ...span }) => ({
        ...span,
        attributes: Object.fromEntries(
          attributes.map(({ key, value }) => [key, 'stringValue' in value ? value.stringValue : value.intValue]),
        ),
      })),
    ),
  )
