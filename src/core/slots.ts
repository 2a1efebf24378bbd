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

/** Semaphores of several kinds of work over common places. */
export interface KindSlots<Kind extends string> {
  /** Semaphore of each kind. */
  readonly of: Readonly<Record<Kind, Slots>>
  /**
   * Takes a place for work of no kind, where each kind keeps one and none is waited for.
   * @returns a function that frees the place; null when there is none now
   */
  hold(): (() => void) | null
}

/**
 * Semaphores of several kinds of work over `most` common places, more than there are kinds. A place stays free for each kind that has none:
 * no kind waits for the work of another one alone. Callers without a place wait in the order in which they came.
 */
export function slotsOfKinds<Kind extends string>(most: number, kinds: readonly Kind[]): KindSlots<Kind> {
  let free = most
  const held = new Map<Kind, number>(kinds.map((kind) => [kind, 0]))
  const waiting = new Set<{ readonly kind: Kind; readonly enter: () => void }>()
  const count = (kind: Kind) => held.get(kind) ?? 0
  /** Whether a place is left for each other kind that has none. */
  const mayTake = (taker: Kind | null) => free > kinds.filter((kind) => kind !== taker && count(kind) === 0).length
  const take = (kind: Kind) => {
    free--
    held.set(kind, count(kind) + 1)
  }
  const admitWaiting = () => {
    for (const one of waiting) {
      if (free === 0) return
      if (!mayTake(one.kind)) continue
      waiting.delete(one)
      take(one.kind)
      one.enter()
    }
  }
  const turn = (kind: Kind, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(one)
        reject(signal?.reason)
      }
      const one = {
        kind,
        enter: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      waiting.add(one)
      signal?.addEventListener('abort', leave, { once: true })
    })
  const slotsOf =
    (kind: Kind): Slots =>
    async (work, signal) => {
      signal?.throwIfAborted()
      if (mayTake(kind)) take(kind)
      else await turn(kind, signal)
      try {
        return await work()
      } finally {
        free++
        held.set(kind, count(kind) - 1)
        admitWaiting()
      }
    }
  return {
    of: Object.fromEntries(kinds.map((kind) => [kind, slotsOf(kind)])) as Record<Kind, Slots>,
    hold() {
      if (!mayTake(null)) return null
      free--
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        free++
        admitWaiting()
      }
    },
  }
}

/** Semaphore without a limit. */
export const noLimit: Slots = (work) => work()
