import type { CallOrigin } from '../core/call-origin.ts'
import { newSpanId, type TraceContext, writeTraceparent } from '../core/trace-context.ts'
import type { CallObserver, ObservedCall, ObservedSandboxTime } from '../ports/call-observer.ts'
import type { Caller } from '../tenant/api.ts'

/** A call's place in a trace, from its beginning. */
export interface CallTrace {
  readonly origin: CallOrigin | null
  readonly spanId: string | null
  /** `traceparent` of requests that the call makes; null without a trace. */
  readonly traceparent: string | null
}

export interface ObservedParts {
  readonly observers: readonly CallObserver[]
  /** Makes traces for calls that come with none; null where no traces are recorded. */
  readonly newTrace: (() => TraceContext) | null
  readonly logError: (thrown: unknown) => void
}

/** Calls of a session, for those who run the server. What observers do with them can fail no call. */
export class ObservedCalls {
  readonly #parts: ObservedParts

  constructor(parts: ObservedParts) {
    this.#parts = parts
  }

  /** Begins a call. */
  begin({ origin }: Caller): CallTrace {
    const trace = origin?.trace ?? this.#parts.newTrace?.() ?? null
    if (!trace) return { origin: origin ?? null, spanId: null, traceparent: null }
    const spanId = newSpanId()
    const { dialect, requestId } = origin ?? { dialect: '', requestId: null }
    return { origin: { dialect, requestId, trace }, spanId, traceparent: writeTraceparent(trace, spanId) }
  }

  ended({ origin, spanId }: CallTrace, call: Omit<ObservedCall, 'origin' | 'spanId'>): void {
    this.#show((observer) => observer.ended({ ...call, origin, spanId }))
  }

  /** Shows time of the session's sandbox. */
  sandboxTime(time: ObservedSandboxTime): void {
    this.#show((observer) => observer.sandboxTime?.(time))
  }

  #show(show: (observer: CallObserver) => void): void {
    for (const observer of this.#parts.observers) {
      try {
        show(observer)
      } catch (thrown) {
        this.#parts.logError(thrown)
      }
    }
  }
}

/** Observation of calls where nobody wants to know. */
export const UNOBSERVED = new ObservedCalls({ observers: [], newTrace: null, logError: () => undefined })
