import { FailureError, RefusalError } from '../../core/failure.ts'
import type { Outcome, Pending, Result, ToolCall } from '../../core/outcome.ts'
import type { Nesting } from '../../registry/chain/budget.ts'
import type { Caller } from '../../tenant/api.ts'

interface Parts {
  readonly registry: { has(name: string): boolean }
  /** As a caller of the session would: a call in its turn and in the history. */
  readonly call: (
    call: ToolCall,
    by: Caller,
    outer: { readonly nesting: Nesting; readonly signal: AbortSignal },
  ) => Promise<Outcome>
}

/** The server's own tools, for calls that call others. Callers of the session reach them without the toolbox. */
export class BuiltInTools {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  has(name: string): boolean {
    return this.#parts.registry.has(name)
  }

  /** @throws FailureError what the tool could not do, RefusalError why it may not be called */
  async call(call: ToolCall, by: Caller, nesting: Nesting, signal: AbortSignal): Promise<Result | Pending> {
    // What an agent put together acts for whoever calls it, but never as the owner.
    const outcome = await this.#parts.call(call, { ...by, mayAdmin: false }, { signal, nesting })
    switch (outcome.kind) {
      case 'done':
        return outcome.result
      case 'pending':
        return outcome
      case 'failed':
        throw new FailureError(outcome.failure)
      case 'refused':
        throw new RefusalError(outcome.failure)
    }
  }
}
