/** Wakes those who wait when something has happened. */
export class Condition {
  #waiting = new Set<() => void>()

  notify(): void {
    for (const wake of this.#waiting) wake()
  }

  /** Ends at the next news, or after that long. */
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

  /** Ends with `work`, but after that long at the latest; `work` goes on then. @throws what `work` throws until then */
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
