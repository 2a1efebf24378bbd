import type { Outcome, ToolCall } from '../core/outcome.ts'

/** The tools that every session has, for one that calls others. */
export interface OtherTools {
  has(name: string): boolean
  /** As a caller of the session would: a call of its own, in its turn and in the history. `signal` stops it. */
  call(call: ToolCall, signal: AbortSignal): Promise<Outcome>
}
