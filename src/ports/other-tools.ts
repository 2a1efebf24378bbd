import type { Outcome, ToolCall } from '../core/outcome.ts'
import type { Nesting } from '../registry/chain/budget.ts'

/** The tools that every session has, for one that calls others. */
export interface OtherTools {
  /** The chains that this call stands in, however many calls are between them: what begins a chain begins it there. */
  readonly nesting: Nesting
  has(name: string): boolean
  /**
   * As a caller of the session would: a call of its own, in its turn and in the history. `signal` stops it.
   * @param nesting the chains that it stands in
   */
  call(call: ToolCall, nesting: Nesting, signal: AbortSignal): Promise<Outcome>
}
