/** Does `work` once that many milliseconds are over. @returns takes it back */
export type After = (ms: number, work: () => void) => () => void

const byOwnTimer: After = (ms, work) => {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}

/**
 * A signal that aborts when another one does or, with a `TimeoutError`, when a time is over, until it is settled. Neither
 * `AbortSignal.timeout` nor `AbortSignal.any` can be taken back: the timer of the one stays until its time has come, and a
 * Durable Object has 10,000 at most; the other stays with a signal that lives as long as the object.
 */
export class Deadline {
  readonly #limit = new AbortController()
  readonly #outer: AbortSignal
  readonly #follow: () => void
  readonly #takeBack: () => void
  readonly #aborted = Promise.withResolvers<never>()

  constructor(ms: number, outer: AbortSignal, after: After = byOwnTimer) {
    this.#outer = outer
    this.#follow = () => this.#abort(outer.reason)
    this.#aborted.promise.catch(() => undefined) // not everybody waits for it
    this.#takeBack = after(ms, () => this.#abort(new DOMException('the time is over', 'TimeoutError')))
    if (outer.aborted) this.#follow()
    else outer.addEventListener('abort', this.#follow)
  }

  get signal(): AbortSignal {
    return this.#limit.signal
  }

  /** True when the deadline's own time was over before the other signal aborted. */
  get isOver(): boolean {
    return this.#limit.signal.aborted && !this.#outer.aborted
  }

  /** The work's result, or the signal's reason when that comes first: not every promise of the platform ends with its signal. */
  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#aborted.promise])
  }

  /** Ends the deadline: frees its timer and stops following the other signal. */
  settle(): void {
    this.#takeBack()
    this.#outer.removeEventListener('abort', this.#follow)
  }

  #abort(reason: unknown): void {
    this.settle()
    this.#limit.abort(reason)
    this.#aborted.reject(reason)
  }
}
