import {
  COLLECTOR_RESTS_MS,
  MAX_COLLECTOR_ANSWER_BYTES,
  MAX_SPANS_AT_ONCE,
  MAX_WAITING_SPANS,
  SPANS_SENT_WITHIN_MS,
} from '../../core/limits/observing.ts'
import type { CallObserver, ObservedCall } from '../../ports/call-observer.ts'
import type { Http } from '../../ports/http.ts'
import { encodeSpans, type OtlpSpan, spanOf } from './otlp-span.ts'

interface Parts {
  readonly tenant: string
  readonly http: Http
  /** Address of the collector, `/v1/traces` included. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Has work continue when its call is answered. */
  readonly goOn: (work: Promise<unknown>) => void
  /** Counts spans that were sent, and those that were not. */
  readonly counted: (spans: number, isSent: boolean) => void
}

/**
 * Exporter of spans by OTLP/HTTP. What ends while a batch is on its way is the next batch: no timer runs, and a collector that is
 * slow loses spans, which nothing waits for. One that did not take a batch is left alone for a while, so that it holds up no request of
 * the session's tools for long.
 */
export class OtlpExporter implements CallObserver {
  readonly #parts: Parts
  readonly #waiting: OtlpSpan[] = []
  #isSending = false
  /** End of the newest call, and the end of the rest of a collector that took none: 0 when it has none. */
  #now = 0
  #restsUntil = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  ended(call: ObservedCall): void {
    const { tenant, goOn, counted } = this.#parts
    const span = spanOf(tenant, call)
    if (!span) return
    this.#now = Math.max(this.#now, call.startedAt + call.ms)
    if (this.#waiting.length >= MAX_WAITING_SPANS || this.#now < this.#restsUntil) {
      counted(1, false)
      return
    }
    this.#waiting.push(span)
    if (!this.#isSending) goOn(this.#sendAll())
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_SPANS_AT_ONCE)
      const isSent = await this.#send(batch)
      this.#parts.counted(batch.length, isSent)
      if (isSent) continue
      this.#restsUntil = this.#now + COLLECTOR_RESTS_MS
      this.#parts.counted(this.#waiting.splice(0).length, false)
    }
    this.#isSending = false
  }

  /** @returns whether the collector took them; they are not sent again, since it may have taken some */
  async #send(spans: readonly OtlpSpan[]): Promise<boolean> {
    const { http, url, headers } = this.#parts
    const request = {
      url,
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(encodeSpans(spans)),
      timeoutMs: SPANS_SENT_WITHIN_MS,
      maxBytes: MAX_COLLECTOR_ANSWER_BYTES,
      maxRedirects: 0,
    }
    const answer = await http.fetch(request, NEVER).catch(() => null)
    return answer !== null && answer.status >= 200 && answer.status < 300
  }
}

const NEVER = new AbortController().signal
