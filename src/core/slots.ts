/** Semaphore: runs work while a place is free. Work whose signal aborts before it has one does not begin. */
export type Slots = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** Semaphore of `most` places; callers without one wait in the order in which they came. */
export function slots(most: number): Slots {
  let free = most
  const waiting = new Set<() => void>()
  const turn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(enter)
        reject(signal?.reason)
      }
      const enter = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      waiting.add(enter)
      signal?.addEventListener('abort', leave, { once: true })
    })
  return async (work, signal) => {
    signal?.throwIfAborted()
    if (free > 0) free--
    else await turn(signal)
    try {
      return await work()
    } finally {
      // The place is handed over rather than freed, so that nobody else comes between.
      const [next] = waiting
      if (next) {
        waiting.delete(next)
        next()
      } else free++
    }
  }
}

/** Places of both semaphores, first one of the own, then one of the shared. Callers of the shared one hold none of the own. */
export const bothSlots =
  (own: Slots, shared: Slots): Slots =>
  (work, signal) =>
    own(() => shared(work, signal), signal)

/** Semaphore without a limit. */
export const noLimit: Slots = (work) => work()
