import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'

/** The most that an answer may come after its deadline, on a machine that has nothing else to do. */
const ANSWER_MS = 1_000
/** Pause between two bare operations: they measure the machine, and must not be its load. */
const PAUSE_MS = 50

/** The machine's own pace: what a bare operation takes while calls are measured, which has nothing to do with them. */
export class Pace {
  readonly #bare: () => Promise<unknown>
  readonly #taken: { readonly end: number; readonly ms: number }[] = []
  #measured = 0
  #loop: Promise<void> = Promise.resolve()

  constructor(bare: () => Promise<unknown>) {
    this.#bare = bare
  }

  /**
   * Makes a call that runs into its deadline, and expects the answer not before it and within a second of it. What the
   * slowest bare operation took at the same time is allowed on top: before the command begins, and after its deadline.
   */
  async answeredAtDeadline<T>(seconds: number, call: () => Promise<T>): Promise<T> {
    this.#measured += 1
    if (this.#measured === 1) this.#loop = this.#loop.then(() => this.#measure())
    const began = performance.now()
    let answer: T
    let lateMs: number
    try {
      answer = await call()
    } finally {
      lateMs = performance.now() - began - seconds * 1_000
      this.#measured -= 1
    }
    // An operation that is under way now covers this time too.
    if (this.#measured === 0) await this.#loop
    const slowest = Math.max(0, ...this.#taken.filter(({ end }) => end >= began).map(({ ms }) => ms))
    // A timer may come a little early.
    expect(lateMs).toBeGreaterThan(-5)
    // `vitest.config.ts` has a test made again upon this message, and upon no other.
    expect(lateMs, 'answered late at the pace of this machine').toBeLessThan(ANSWER_MS + 2 * slowest)
    return answer
  }

  async #measure(): Promise<void> {
    do {
      const began = performance.now()
      await this.#bare()
      const end = performance.now()
      this.#taken.push({ end, ms: end - began })
      await pause(PAUSE_MS)
      // A machine that stands still in a pause is as slow as one that stands still in an operation.
      this.#taken.push({ end: performance.now(), ms: performance.now() - end - PAUSE_MS })
    } while (this.#measured > 0)
  }
}
