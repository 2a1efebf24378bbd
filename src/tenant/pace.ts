const MINUTE_MS = 60_000

/** Rate limit as a token bucket, refilled by the minute. It begins full, and lives in memory alone. */
export class Pace {
  readonly #perMinute: number
  #left: number
  #at = 0

  constructor(perMinute: number) {
    this.#perMinute = perMinute
    this.#left = perMinute
  }

  /** Takes a token. @returns milliseconds until one is available; 0 when one was taken */
  take(now: number): number {
    const filled = (Math.max(0, now - this.#at) / MINUTE_MS) * this.#perMinute
    this.#left = Math.min(this.#perMinute, this.#left + filled)
    this.#at = now
    if (this.#left < 1) return Math.ceil(((1 - this.#left) / this.#perMinute) * MINUTE_MS)
    this.#left--
    return 0
  }
}
