/** A place among the readings that run. Given back once. */
export type Release = () => void

interface Waiting {
  readonly begin: (release: Release) => void
}

export interface FairQueueLimits {
  /** Readings that run at once. */
  readonly running: number
  /** Readings of one owner that run at once: fewer than `running`, so that a place comes free for others. */
  readonly runningOfOwner: number
  readonly waitingOfOwner: number
  readonly owners: number
}

/** Fair queue of readings: owners take turns, and each owner's readings come in the order of their arrival. */
export class FairQueue {
  readonly #limits: FairQueueLimits
  /** Waiting readings by owner, in the order of the owners' turns. */
  readonly #waiting = new Map<string, Waiting[]>()
  /** Running readings by owner. */
  readonly #running = new Map<string, number>()
  #total = 0

  constructor(limits: FairQueueLimits) {
    this.#limits = limits
  }

  /**
   * Waits for a place.
   * @param signal leaves the queue; rejects with its reason
   * @returns null when too many wait already
   */
  async take(owner: string, signal: AbortSignal): Promise<Release | null> {
    signal.throwIfAborted()
    const own = this.#waiting.get(owner)
    const { waitingOfOwner, owners } = this.#limits
    if (own ? own.length >= waitingOfOwner : this.#waiting.size >= owners) return null
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    const entry: Waiting = { begin: resolve }
    if (own) own.push(entry)
    else this.#waiting.set(owner, [entry])
    const leave = () => {
      this.#drop(owner, entry)
      reject(signal.reason)
    }
    signal.addEventListener('abort', leave)
    this.#next()
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  #next(): void {
    for (const [owner, entries] of this.#waiting) {
      if (this.#total >= this.#limits.running) return
      if ((this.#running.get(owner) ?? 0) >= this.#limits.runningOfOwner) continue
      const entry = entries.shift()
      // An owner whose turn it was goes behind the others.
      this.#waiting.delete(owner)
      if (entries.length > 0) this.#waiting.set(owner, entries)
      if (entry) this.#begin(owner, entry)
    }
  }

  #begin(owner: string, { begin }: Waiting): void {
    this.#total += 1
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1)
    let isHeld = true
    begin(() => {
      if (!isHeld) return
      isHeld = false
      this.#total -= 1
      const left = (this.#running.get(owner) ?? 1) - 1
      if (left === 0) this.#running.delete(owner)
      else this.#running.set(owner, left)
      this.#next()
    })
  }

  #drop(owner: string, entry: Waiting): void {
    const left = this.#waiting.get(owner)?.filter((one) => one !== entry) ?? []
    if (left.length === 0) this.#waiting.delete(owner)
    else this.#waiting.set(owner, left)
  }
}
