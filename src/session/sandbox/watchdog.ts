import { DEADLINE_ANSWER_MS } from '../../core/limits/sandbox.ts'

/**
 * Deadline of one command, kept by the session's own clock: nothing in a sandbox can put it off. After the deadline there is a
 * while to end the command; then its call is answered, and the work on its end continues without the call.
 */
export class Watchdog {
  readonly #cancel: AbortSignal
  readonly #answerMs: number
  readonly #deadline = Promise.withResolvers<null>()
  readonly #answer = Promise.withResolvers<null>()
  readonly #stop = new AbortController()
  readonly #cut = () => this.expire()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isOver = false
  #whenOver: (() => void)[] = []

  /** @param cancel makes now the deadline @param answerMs time from the deadline to the answer */
  constructor(cancel: AbortSignal, answerMs = DEADLINE_ANSWER_MS) {
    this.#cancel = cancel
    this.#answerMs = answerMs
  }

  /** Whether the deadline is over. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Signal that aborts at the deadline. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Calls `listener` at the deadline. */
  onOver(listener: () => void): void {
    this.#whenOver.push(listener)
  }

  /** Starts the time, or starts it again. */
  start(ms: number): void {
    if (this.#isOver) return
    this.stop()
    this.#timer = setTimeout(this.#cut, ms)
    if (this.#cancel.aborted) this.expire()
    else this.#cancel.addEventListener('abort', this.#cut)
  }

  /** Makes now the deadline. */
  expire(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.stop()
    this.#timer = setTimeout(() => this.#answer.resolve(null), this.#answerMs)
    this.#stop.abort(new DOMException('the time is over', 'TimeoutError'))
    this.#deadline.resolve(null)
    for (const listener of this.#whenOver.splice(0)) listener()
  }

  /** Drops the deadline: the command has ended. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#cancel.removeEventListener('abort', this.#cut)
  }

  /** Waits for `work`. @returns null when the deadline came first */
  untilDeadline<T>(work: Promise<T>): Promise<T | null> {
    return Promise.race([work, this.#deadline.promise])
  }

  /** Waits for `work`. @returns null when the call must be answered without it */
  untilAnswer<T>(work: Promise<T>): Promise<{ readonly value: T } | null> {
    return Promise.race([work.then((value) => ({ value })), this.#answer.promise])
  }
}
