import { type After, Deadline } from './deadline.ts'

/** Interval at which the timer checks for waiting deadlines. Without any there is no timer, and nothing keeps the object awake. */
const LOOK_MS = 1_000

interface Waiting {
  readonly dueAt: number
  readonly work: () => void
}

/**
 * Deadlines of one object, with one timer for all of them: most are settled long before they are due, and a timer each
 * would cost more than all their other work. Not for work that requests share: the runtime lets a timer run only for the
 * request that set it.
 */
export class Deadlines {
  readonly #now: () => number
  readonly #waiting = new Set<Waiting>()
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Time of the timer's next tick. */
  #firesAt = Number.POSITIVE_INFINITY

  constructor(now: () => number) {
    this.#now = now
  }

  /** Opens a deadline; see {@link Deadline}. */
  readonly open = (ms: number, outer: AbortSignal): Deadline => new Deadline(ms, outer, this.#after)

  readonly #after: After = (ms, work) => {
    const waiting = { dueAt: this.#now() + ms, work }
    this.#waiting.add(waiting)
    this.#plan(waiting.dueAt)
    return () => {
      this.#waiting.delete(waiting)
      if (this.#waiting.size > 0) return
      clearTimeout(this.#timer)
      this.#firesAt = Number.POSITIVE_INFINITY
    }
  }

  #plan(dueAt: number): void {
    const now = this.#now()
    const firesAt = Math.min(dueAt, now + LOOK_MS)
    if (this.#firesAt <= firesAt) return
    clearTimeout(this.#timer)
    this.#firesAt = firesAt
    this.#timer = setTimeout(() => this.#look(), Math.max(0, firesAt - now))
  }

  #look(): void {
    this.#firesAt = Number.POSITIVE_INFINITY
    const now = this.#now()
    let next = Number.POSITIVE_INFINITY
    for (const waiting of this.#waiting) {
      if (waiting.dueAt > now) {
        next = Math.min(next, waiting.dueAt)
        continue
      }
      this.#waiting.delete(waiting)
      waiting.work()
    }
    if (this.#waiting.size > 0) this.#plan(next)
  }
}
