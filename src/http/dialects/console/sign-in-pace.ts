import { RecentlyUsed } from '../../../auth/recently-used.ts'
import {
  MAX_REFUSED_SIGN_INS,
  MAX_SIGN_INS,
  SIGN_IN_ADDRESSES,
  SIGN_IN_WINDOW_MS,
} from '../../../core/limits/console.ts'
import { rateLimitedError } from '../../../core/rate-limited.ts'
import type { Clock } from '../../../ports/clock.ts'

/** Attempts from one address since its window began. */
interface Attempts {
  readonly count: number
  readonly refused: number
  readonly until: number
}

/**
 * Bound of attempts to sign in, by the client's address; those without a known one share theirs. Keys cannot be guessed anyway: the bound of
 * refused ones is for an owner's token that somebody chose, and that of all for the store of keys and sessions. Make one per isolate.
 */
export class SignInPace {
  readonly #clock: Clock
  readonly #attempts = new RecentlyUsed<Attempts>(SIGN_IN_ADDRESSES)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Lets an attempt pass, and counts it before its outcome is known: many at once pass no further. @throws FailureError `rate_limited` */
  enter(address: string | null): void {
    const { count, refused, until } = this.#of(address)
    if (refused >= MAX_REFUSED_SIGN_INS)
      throw this.#tooMany('too many attempts to sign in were refused', MAX_REFUSED_SIGN_INS, until)
    if (count >= MAX_SIGN_INS) throw this.#tooMany('too many attempts to sign in', MAX_SIGN_INS, until)
    this.#attempts.set(address ?? '', { count: count + 1, refused, until })
  }

  noteRefused(address: string | null): void {
    const { count, refused, until } = this.#of(address)
    this.#attempts.set(address ?? '', { count, refused: refused + 1, until })
  }

  #tooMany(what: string, limit: number, until: number) {
    const retryAfterMs = until - this.#clock.now()
    return rateLimitedError(`${what}; wait ${Math.ceil(retryAfterMs / 1_000)} seconds, then try again`, {
      scope: 'server',
      kind: 'per-minute',
      limit,
      remaining: 0,
      windowMs: SIGN_IN_WINDOW_MS,
      retryAfterMs,
    })
  }

  #of(address: string | null): Attempts {
    const now = this.#clock.now()
    const known = this.#attempts.get(address ?? '')
    return known && now < known.until ? known : { count: 0, refused: 0, until: now + SIGN_IN_WINDOW_MS }
  }
}
