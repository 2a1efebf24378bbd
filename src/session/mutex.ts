/**
 * Lets one piece of work in at a time, in the order of asking. A session has one: around everything that changes its
 * workspace or compares it with the sandbox. Commands themselves run outside of it, side by side.
 */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs `work` when all that asked before has ended, however it ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work, work)
    this.#last = mine.catch(() => undefined)
    return mine
  }
}
