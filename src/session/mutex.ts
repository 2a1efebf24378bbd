/**
 * Mutual exclusion, first come first served. A session has one mutex: around everything that changes its workspace or compares it
 * with the sandbox. Commands themselves run outside of it, side by side.
 */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs `work` when all earlier work has ended, however it ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work, work)
    this.#last = mine.catch(() => undefined)
    return mine
  }
}
