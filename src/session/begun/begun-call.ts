import type { Outcome } from '../../core/outcome.ts'
import type { LiveFollower } from '../../ports/runner.ts'
import { PrintedOutput } from './printed-output.ts'

/** A call that goes on without its caller, with what it has printed from its beginning on. */
export class BegunCall extends PrintedOutput {
  /** Id of the call, once it is noted in the history; never settled for a call that was refused. */
  readonly noted: Promise<string>
  readonly #noted = Promise.withResolvers<string>()
  #callId: string | null = null
  /** The outcome, where it is short enough to stay in memory. */
  outcome: Outcome | null = null

  readonly follower: LiveFollower = { afterSeconds: 0, print: this.print }

  constructor() {
    super()
    this.noted = this.#noted.promise
  }

  get callId(): string | null {
    return this.#callId
  }

  note(callId: string): void {
    this.#callId = callId
    this.#noted.resolve(callId)
  }
}
