import type { LivePiece } from '../../ports/runner.ts'
import type { LiveView } from '../calls-api.ts'
import { Condition } from '../jobs/condition.ts'
import { LiveOutput } from './live-output.ts'

/** Output of a running call, for those who follow it. */
export class PrintedOutput {
  readonly #output = new LiveOutput()
  readonly #changed = new Condition()
  #hasEnded = false

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  readonly print = (piece: LivePiece): void => {
    this.#output.add(piece)
    this.#changed.notify()
  }

  end(): void {
    this.#hasEnded = true
    this.#changed.notify()
  }

  /** Pieces after number `seen`, and how many of those are no longer kept. */
  since(seen: number): LiveView {
    return this.#output.since(seen)
  }

  /** Waits for output beyond piece `seen`, for the end, or for so long. */
  async next(seen: number, ms: number): Promise<void> {
    const until = Date.now() + ms
    for (let left = ms; left > 0 && !this.#hasEnded && this.#output.count <= seen; left = until - Date.now()) {
      await this.#changed.next(left)
    }
  }
}
