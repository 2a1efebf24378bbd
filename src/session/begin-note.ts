/** The note that a call has begun: made once, at the latest after a while, and not at all when the call has ended before. */
export class BeginNote {
  readonly #make: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #state: 'open' | 'made' | 'settled' = 'open'

  constructor(make: () => void) {
    this.#make = make
  }

  get isMade(): boolean {
    return this.#state === 'made'
  }

  within(ms: number): void {
    this.#timer = setTimeout(() => this.now(), ms)
  }

  /** Before something happens that must be known after a crash. */
  now(): void {
    if (this.#state !== 'open') return
    this.#state = 'made'
    clearTimeout(this.#timer)
    this.#make()
  }

  /** The call has ended. */
  settle(): void {
    if (this.#state === 'open') this.#state = 'settled'
    clearTimeout(this.#timer)
  }
}
