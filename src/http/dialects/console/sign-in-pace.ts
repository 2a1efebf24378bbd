import { RecentlyUsed } from '../../../auth/recently-used.ts'
import { MAX_REFUSED_SIGN_INS, SIGN_IN_ADDRESSES, SIGN_IN_WINDOW_MS } from '../../../core/limits/console.ts'
import { rateLimitedError } from '../../../core/rate-limited.ts'
import type { Clock } from '../../../ports/clock.ts'

/**
 * Bound of refused attempts to sign in, by the client's address; those without a known one share theirs. Keys cannot be guessed anyway: it
 * is for an owner's token that somebody chose, and for the store behind keys. Make one per isolate.
 */
export class SignInPace {
  readonly #clock: Clock
  readonly #refused = new RecentlyUsed<{ readonly count: number; readonly until: number }>(SIGN_IN_ADDRESSES)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Lets an attempt pass. @throws FailureError `rate_limited` */
  enter(address: string | null): void {
    const { count, until } = this.#of(address)
    if (count < MAX_REFUSED_SIGN_INS) return
    const retryAfterMs = until - this.#clock.now()
    throw rateLimitedError(
      `too many attempts to sign in were refused; wait ${Math.ceil(retryAfterMs / 1_000)} seconds, then try again`,
      {
        scope: 'server',
        kind: 'per-minute',
        limit: MAX_REFUSED_SIGN_INS,
        remaining: 0,
        windowMs: SIGN_IN_WINDOW_MS,
        retryAfterMs,
      },
    )
  }

  noteRefused(address: string | null): void {
    const { count, until } = this.#of(address)
    this.#refused.set(address ?? '', { count: count + 1, until })
  }

  #of(address: string | null) {
    const now = this.#clock.now()
    const known = this.#refused.get(address ?? '')
    return known && now < known.until ? known : { count: 0, until: now + SIGN_IN_WINDOW_MS }
  }
}
