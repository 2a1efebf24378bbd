import type { CallOrigin } from '../core/call-origin.ts'

/** Word for a tool that is not the server's own, in the place of its name: a tenant may name one after a person. */
export type NamelessTool = 'registered' | 'session_made' | 'unknown'

/** A call that has ended, as operators may see it: no arguments, paths, names of tenants' own tools, keys or agents. */
export interface ObservedCall {
  /** Name of a built-in tool, or a {@link NamelessTool}. */
  readonly tool: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Milliseconds from its acceptance to its end. */
  readonly ms: number
  /** Milliseconds that its commands ran in the sandbox. */
  readonly sandboxMs: number
  /** Milliseconds in which it waited for other calls of its session. */
  readonly queuedMs: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly outcome: 'done' | 'failed' | 'refused'
  /** FailureCode; null for success. */
  readonly reason: string | null
  /** Request that made it; null for one that this object no longer knows. */
  readonly origin: CallOrigin | null
  /** The call's own span, 16 hex digits; null without a trace. */
  readonly spanId: string | null
}

/** Time of a session's sandbox that is over, in milliseconds: calls or not. */
export interface ObservedSandboxTime {
  readonly runningMs: number
  readonly pausedMs: number
}

/** Receiver of ended calls. It answers at once, and what it sends goes on by itself. */
export interface CallObserver {
  ended(call: ObservedCall): void
  /** Receives time of sandboxes, each once. */
  sandboxTime?(time: ObservedSandboxTime): void
}
