import { FailureError, RefusalError } from '../../core/failure.ts'
import type { Outcome, Pending, Result, ToolCall } from '../../core/outcome.ts'
import type { Caller } from '../../tenant/api.ts'
import type { OuterCall } from '../call-scope.ts'

interface Parts {
  readonly registry: { has(name: string): boolean }
  /** Makes a call as a caller of the session would: in the queue and in the history. */
  readonly call: (call: ToolCall, by: Caller, outer: OuterCall) => Promise<Outcome>
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

  /** Calls a tool. @throws FailureError when the tool fails, RefusalError when it may not be called */
  async call(call: ToolCall, by: Caller, outer: OuterCall): Promise<Result | Pending> {
    // A tool that an agent made acts for its caller, but never as the owner.
    const outcome = await this.#parts.call(call, { ...by, mayAdmin: false }, outer)
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
