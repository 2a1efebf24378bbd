import type { Outcome } from '../../core/outcome.ts'
import type { ChainBudget, Nesting } from './budget.ts'
import type { slots } from './slots.ts'

/** What a run reaches of the world. */
export interface ChainPorts {
  /**
   * Calls a tool. When it is a chain, run it with this `nesting`: that is how a run knows that it is in a loop, and what it may still use.
   * What it throws becomes a failure of the step.
   */
  call(
    tool: string,
    args: unknown,
    context: { readonly signal: AbortSignal; readonly nesting: Nesting },
  ): Promise<Outcome>
  /** In milliseconds. */
  now(): number
  /** Ends early, and without an error, when `signal` aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** From 0 to below 1. */
  random(): number
}

/** What the steps of one run share. */
export interface Run extends ChainPorts {
  readonly nesting: Nesting
  readonly budget: ChainBudget
  /** What `input` and `steps` mean. */
  readonly names: ReadonlyMap<string, unknown>
  /** Aborts when the caller's does, when the time is over, or when a step ended the chain. */
  readonly signal: AbortSignal
  /** Waits for one of the chain's calls to end when MAX_CHAIN_CONCURRENCY are running. */
  readonly slot: ReturnType<typeof slots>
}
