import { CONCURRENCY_RETRY_MS } from '../core/limits/usage.ts'
import { type RateLimited, rateLimitedError } from '../core/rate-limited.ts'
import type { LimitRule } from '../registry/limit-settings.ts'

/** Number and cost, in millionths, of the calls of one day that have ended. */
export interface DayTotal {
  readonly calls: number
  readonly cost: number
}

export const MINUTE_MS = 60_000
export const DAY_MS = 24 * 60 * MINUTE_MS

/** Rule as it is counted. */
export interface CountedRule extends LimitRule {
  /** Calls of `concurrency`: granted ones among them, unless it is for those alone that wait for a service or a sandbox. */
  readonly concurrencyOf?: 'waiting'
}

/** Calls that one rule counts together: a token bucket that fills evenly, the number of running calls, and of granted ones. */
export class CallCounter {
  readonly #rule: CountedRule
  /** Name in error messages: `agent sofia`. */
  readonly #who: string
  readonly #capacity: number
  #tokens: number
  #filledAt: number
  #running = 0
  /** Granted calls that neither ended nor were returned. */
  #held = 0
  /** Least cost of these and of the running calls. */
  #reserved = 0

  constructor(rule: CountedRule, who: string, now: number) {
    this.#rule = rule
    this.#who = who
    this.#capacity = rule.burst || rule.per_minute
    this.#tokens = this.#capacity
    this.#filledAt = now
  }

  /** Tokens missing from the bucket. */
  usedAt(now: number): number {
    return this.#capacity - this.#tokensAt(now)
  }

  /** Number of calls that began, as far as limits count, and did not end: running and granted ones. */
  get begun(): number {
    return this.#running + this.#held
  }

  /** Least cost of these. */
  get reserved(): number {
    return this.#reserved
  }

  /** Takes tokens for calls counted under an earlier rule, or begun without asking. */
  use(now: number, calls: number): void {
    this.#tokens = Math.max(0, this.#tokensAt(now) - calls)
    this.#filledAt = now
  }

  /** Number of calls that may be granted now. */
  spare(now: number, price: number, today: DayTotal): number {
    const { per_minute, concurrency, per_day, budget_per_day } = this.#rule
    return Math.min(
      per_minute > 0 ? this.#tokensAt(now) : Number.POSITIVE_INFINITY,
      this.limitsRunning ? concurrency - this.#atOnce : Number.POSITIVE_INFINITY,
      per_day > 0 ? per_day - today.calls - this.begun : Number.POSITIVE_INFINITY,
      budget_per_day > 0
        ? (budget_per_day - today.cost - this.#reserved) / Math.max(price, 1)
        : Number.POSITIVE_INFINITY,
    )
  }

  /** Whether a rule of the tenant says how many calls run at once. */
  get limitsRunning(): boolean {
    return this.#rule.concurrency > 0 && this.#rule.concurrencyOf !== 'waiting'
  }

  /** Whether the counter equals a new one. */
  isIdle(now: number): boolean {
    return this.begun === 0 && this.#tokensAt(now) >= this.#capacity
  }

  /** Whether half of the allowed running calls run. */
  get isTight(): boolean {
    return this.#rule.concurrency > 0 && this.#atOnce * 2 >= this.#rule.concurrency
  }

  /** Checks the rule. @throws FailureError `rate_limited` when one more call exceeds it */
  check(now: number, price: number, today: DayTotal): void {
    const { per_minute, concurrency, per_day, budget_per_day } = this.#rule
    const tokens = this.#tokensAt(now)
    if (per_minute > 0 && tokens < 1) {
      const retryAfterMs = Math.ceil(((1 - tokens) * MINUTE_MS) / per_minute)
      this.#refuse('per-minute', `${per_minute} calls a minute`, {
        limit: per_minute,
        windowMs: MINUTE_MS,
        retryAfterMs,
      })
    }
    if (concurrency > 0 && this.#atOnce >= concurrency) {
      const waiting = { limit: concurrency, windowMs: null, retryAfterMs: CONCURRENCY_RETRY_MS }
      this.#refuse('concurrency', `${concurrency} calls at once`, waiting)
    }
    const untilTomorrow = { windowMs: DAY_MS, retryAfterMs: DAY_MS - (now % DAY_MS) }
    if (per_day > 0 && today.calls + this.begun >= per_day) {
      this.#refuse('per-day', `${per_day} calls a day`, { limit: per_day, ...untilTomorrow })
    }
    if (budget_per_day > 0 && today.cost + this.#reserved + Math.max(price, 1) > budget_per_day) {
      this.#refuse('budget-per-day', `a budget of ${budget_per_day} millionths a day`, {
        limit: budget_per_day,
        ...untilTomorrow,
      })
    }
  }

  begin(now: number, price: number): void {
    this.use(now, 1)
    this.join(price)
  }

  /** Counts a call that runs already. */
  join(price: number): void {
    this.#running += 1
    this.#reserved += price
  }

  /** Takes back a call that was never made. */
  giveBack(now: number, price: number): void {
    this.returnTokens(now, 1)
    this.end(price)
  }

  /** Counts granted calls. */
  hold(calls: number, price: number): void {
    this.#held += calls
    this.#reserved += calls * price
  }

  /** Ends granted calls. */
  release(calls: number, price: number): void {
    this.#held -= calls
    this.#reserved -= calls * price
  }

  /** Returns tokens of granted calls that were not made. */
  returnTokens(now: number, calls: number): void {
    this.#tokens = Math.min(this.#capacity, this.#tokensAt(now) + calls)
    this.#filledAt = now
  }

  end(price: number): void {
    this.#running -= 1
    this.#reserved -= price
  }

  get #atOnce(): number {
    return this.#rule.concurrencyOf === 'waiting' ? this.#running : this.begun
  }

  #tokensAt(now: number): number {
    const since = Math.max(0, now - this.#filledAt)
    return Math.min(this.#capacity, this.#tokens + (since * this.#rule.per_minute) / MINUTE_MS)
  }

  #refuse(
    kind: RateLimited['kind'],
    what: string,
    about: Pick<RateLimited, 'limit' | 'windowMs' | 'retryAfterMs'>,
  ): never {
    const seconds = Math.max(1, Math.ceil(about.retryAfterMs / 1_000))
    throw rateLimitedError(`Rate limit exceeded for ${this.#who}: ${what}; try again in ${seconds} s`, {
      scope: this.#rule.scope,
      kind,
      remaining: 0,
      ...about,
    })
  }
}
