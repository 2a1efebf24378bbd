import type { Outcome } from '../../core/outcome.ts'
import type { LivePiece } from '../../ports/runner.ts'
import { Condition } from '../jobs/condition.ts'
import { LiveOutput } from './live-output.ts'

/** A call that goes on without its caller, with what it has printed. */
export class BegunCall {
  readonly output = new LiveOutput()
  /** Id of the call, once it is noted in the history; never settled for a call that was refused. */
  readonly noted: Promise<string>
  readonly #noted = Promise.withResolvers<string>()
  readonly #changed = new Condition()
  #callId: string | null = null
  #hasEnded = false
  /** The outcome, where it is short enough to stay in memory. */
  outcome: Outcome | null = null

  constructor() {
    this.noted = this.#noted.promise
  }

  get callId(): string | null {
    return this.#callId
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  note(callId: string): void {
    this.#callId = callId
    this.#noted.resolve(callId)
  }

  printed(piece: LivePiece): void {
    this.output.add(piece)
    this.#changed.notify()
  }

  end(): void {
    this.#hasEnded = true
    this.#changed.notify()
  }

  /** Waits for output beyond piece `seen`, for the end, or for so long. */
  async next(seen: number, ms: number): Promise<void> {
    const until = Date.now() + ms
    for (let left = ms; left > 0 && !this.#hasEnded && this.output.count <= seen; left = until - Date.now()) {
      await this.#changed.next(left)
    }
  }
}
