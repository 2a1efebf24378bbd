import { JOB_LOOK_MS } from '../../core/limits/jobs.ts'

/** Attempts of which those soon after each other, by requests that look, count once. */
export class Attempts {
  #count = 0
  #countedAt = Number.NEGATIVE_INFINITY

  count(now: number): number {
    if (now - this.#countedAt >= JOB_LOOK_MS) {
      this.#count += 1
      this.#countedAt = now
    }
    return this.#count
  }

  reset(): void {
    this.#count = 0
    this.#countedAt = Number.NEGATIVE_INFINITY
  }
}
