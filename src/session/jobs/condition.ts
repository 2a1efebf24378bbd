/** Wakes its waiters at an event. */
export class Condition {
  #waiting = new Set<() => void>()

  notify(): void {
    for (const wake of this.#waiting) wake()
  }

  /** Waits for the next event, or for so long. */
  next(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.#waiting.add(done)
    })
  }

  /** Waits for `work`, at most so long; `work` continues then. @throws what `work` throws until then, and the signal's reason */
  async within(ms: number, work: Promise<void>, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    let timer: ReturnType<typeof setTimeout> | undefined
    let stop = () => {}
    const over = new Promise<void>((resolve, reject) => {
      timer = setTimeout(resolve, ms)
      stop = () => reject(signal.reason)
      signal.addEventListener('abort', stop)
    })
    try {
      await Promise.race([work, over])
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }
}
