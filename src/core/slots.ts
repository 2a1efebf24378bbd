/** Semaphore of `most` places; callers without one wait in the order in which they came. */
export function slots(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = most
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place is handed over rather than freed, so that no other step comes between.
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
