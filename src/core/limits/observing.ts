/** Spans for an operator's own collector of traces. */

/** Spans of one session that wait while its last batch is on its way, 600 bytes each; further ones are dropped, and counted. */
export const MAX_WAITING_SPANS = 512
/** Spans in one batch: some 150 kB of JSON. */
export const MAX_SPANS_AT_ONCE = 256
/** Time that a collector has for a batch, in milliseconds, as OpenTelemetry's own exporters give it. */
export const SPANS_SENT_WITHIN_MS = 10_000
/** Rest of a collector that did not take a batch, in milliseconds, for which spans are dropped: it takes the place of a tool's request. */
export const COLLECTOR_RESTS_MS = 30_000
/** Bytes of a collector's answer, which nobody reads. */
export const MAX_COLLECTOR_ANSWER_BYTES = 64 * 1024
