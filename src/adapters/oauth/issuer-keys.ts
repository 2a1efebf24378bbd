import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose'
import { FailureError, fail } from '../../core/failure.ts'
import {
  ISSUER_KEYS_FRESH_MS,
  ISSUER_KEYS_KEPT_MS,
  ISSUER_RETRY_MS,
  ISSUER_TIMEOUT_MS,
  UNKNOWN_KEY_RETRY_MS,
} from '../../core/limits/oauth.ts'
import { settledWithin } from '../../core/settled-within.ts'
import type { Clock } from '../../ports/clock.ts'

interface Parts {
  readonly clock: Clock
  fetchKeys(): Promise<JSONWebKeySet>
  /** Logs why the keys could not be had. */
  readonly report: (thrown: unknown) => void
}

/** Keys of the issuer, for one isolate. However many tokens come, the issuer gets a request now and then. */
export class IssuerKeys {
  readonly #parts: Parts
  #held: { readonly keys: JWTVerifyGetKey; readonly at: number } | null = null
  #pending: Promise<void> | null = null
  #triedAt = Number.NEGATIVE_INFINITY

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Keys as known. @throws FailureError `unavailable` without any that are good still */
  async current(): Promise<JWTVerifyGetKey> {
    if (this.#age < ISSUER_KEYS_FRESH_MS && this.#held) return this.#held.keys
    const isUsable = this.#age < ISSUER_KEYS_KEPT_MS
    if (this.#sinceTried >= ISSUER_RETRY_MS) await this.#fetch()
    // The fetch of another request never settles when its client leaves.
    else if (!isUsable && this.#pending) await settledWithin(this.#pending, 2 * ISSUER_TIMEOUT_MS)
    if (this.#held && this.#age < ISSUER_KEYS_KEPT_MS) return this.#held.keys
    fail(
      'unavailable',
      'access tokens cannot be checked at the moment: their issuer does not answer; try again later',
      {
        data: { retryAfterSeconds: ISSUER_RETRY_MS / 1_000 },
      },
    )
  }

  /** Keys fetched anew, for a token whose key is not among them; null when they were fetched a moment ago. */
  async newer(): Promise<JWTVerifyGetKey | null> {
    if (this.#sinceTried < UNKNOWN_KEY_RETRY_MS) return null
    await this.#fetch()
    return this.#age < ISSUER_KEYS_FRESH_MS ? (this.#held?.keys ?? null) : null
  }

  get #age(): number {
    return this.#held === null ? Number.POSITIVE_INFINITY : this.#parts.clock.now() - this.#held.at
  }

  get #sinceTried(): number {
    return this.#parts.clock.now() - this.#triedAt
  }

  async #fetch(): Promise<void> {
    this.#triedAt = this.#parts.clock.now()
    const pending = this.#load(this.#triedAt)
    this.#pending = pending
    await pending
    if (this.#pending === pending) this.#pending = null
  }

  async #load(at: number): Promise<void> {
    try {
      const keys = await this.#parts.fetchKeys()
      const { createLocalJWKSet } = await import('jose')
      this.#held = { keys: createLocalJWKSet(keys), at }
    } catch (thrown) {
      if (!(thrown instanceof FailureError)) throw thrown
      this.#parts.report(thrown)
    }
  }
}
