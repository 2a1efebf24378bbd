import { SEARCH_SLICE_WORK } from '../../../core/limits/finding.ts'

/**
 * Counts a search's work, in steps of some nanoseconds, since an isolate's clock stands still while it computes. After each slice
 * the search pauses, so that everything else that runs in the isolate goes on.
 */
export class WorkMeter {
  readonly #limit: number
  #work = 0
  #pauseAt = SEARCH_SLICE_WORK

  /** @param limit steps that the whole search may take */
  constructor(limit: number) {
    this.#limit = limit
  }

  spend(steps: number): void {
    this.#work += steps
  }

  /** Whether a pause is due. */
  get isDue(): boolean {
    return this.#work >= this.#pauseAt
  }

  get isExhausted(): boolean {
    return this.#work >= this.#limit
  }

  /** Lets others go on. */
  async pause(): Promise<void> {
    await new Promise<void>((resolve) => setTimeout(resolve, 0))
    this.resume()
  }

  /** Begins another slice. */
  resume(): void {
    this.#pauseAt = this.#work + SEARCH_SLICE_WORK
  }
}
