import type { Outcome } from '../../core/outcome.ts'
import type { Slots } from '../../core/slots.ts'
import type { ChainBudget, Nesting } from './budget.ts'

/** Ports of a run. */
export interface ChainPorts {
  /**
   * Calls a tool. A chain runs with this `nesting`: by it a run detects a loop, and knows its remaining budget. An error becomes
   * a failure of the step.
   */
  call(
    tool: string,
    args: unknown,
    context: { readonly signal: AbortSignal; readonly nesting: Nesting },
  ): Promise<Outcome>
  /** Time in milliseconds. */
  now(): number
  /** Waits; ends early, and without an error, when `signal` aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Random number from 0 to below 1. */
  random(): number
}

/** State that the steps of one run share. */
export interface Run extends ChainPorts {
  readonly nesting: Nesting
  readonly budget: ChainBudget
  /** Values of `input` and `steps`. */
  readonly names: ReadonlyMap<string, unknown>
  /** Aborts when the caller's does, when the time is over, or when a step ended the chain. */
  readonly signal: AbortSignal
  /** Waits for one of the chain's calls to end when MAX_CHAIN_CONCURRENCY are running. */
  readonly slot: Slots
}
