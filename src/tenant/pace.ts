import { rootKeyOf } from '../core/key-chain.ts'
import { rateLimitedError } from '../core/rate-limited.ts'

const MINUTE_MS = 60_000

/** Rate limits of the keys of a tenant, by the root of each chain. */
export class KeyPaces {
  readonly #perMinute: number
  readonly #paces = new Map<string, Pace>()

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** Counts one more for a key. @param what the limit, for people @throws FailureError `rate_limited` */
  take(key: string | null, now: number, what: string): void {
    const root = rootKeyOf(key) ?? ''
    const pace = this.#paces.get(root) ?? new Pace(this.#perMinute)
    this.#paces.set(root, pace)
    const retryAfterMs = pace.take(now)
    if (retryAfterMs === 0) return
    const limit = this.#perMinute
    throw rateLimitedError(
      `this key and those below it make more than ${limit} ${what}; try again in ${Math.ceil(retryAfterMs / 1_000)} s`,
      { scope: 'key', kind: 'per-minute', limit, remaining: 0, windowMs: MINUTE_MS, retryAfterMs },
    )
  }
}

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
