import { FailureError } from '../core/failure.ts'
import type { LimitRule } from '../registry/limit-settings.ts'
import { CallCounter, type DayTotal } from './call-counter.ts'
import type { ChildKeyMay } from './child-keys-api.ts'

const NO_LIMIT = { scope: 'key', burst: 0, concurrency: 0, per_day: 0, budget_per_day: 0 } as const

/** Calls of a child key and of all below it: its rate, and its budget over its whole life. */
export class ChildCounter extends CallCounter {
  readonly #id: string
  readonly #budget: NonNullable<ChildKeyMay['budget']>

  constructor(id: string, { calls_per_minute = 0, budget = {} }: ChildKeyMay, now: number) {
    const rule: LimitRule = { ...NO_LIMIT, name: id, per_minute: calls_per_minute }
    super(rule, `key ${id}`, now)
    this.#id = id
    this.#budget = budget
  }

  /** @param used amounts of the key's ended calls, rather than of one day */
  override spare(now: number, price: number, used: DayTotal): number {
    const { calls = Number.POSITIVE_INFINITY, cost = Number.POSITIVE_INFINITY } = this.#budget
    return Math.min(
      super.spare(now, price, used),
      calls - used.calls - this.begun,
      (cost - used.cost - this.reserved) / Math.max(price, 1),
    )
  }

  /** @throws FailureError `rate_limited` for the rate, `forbidden` for a budget, which no waiting fills again */
  override check(now: number, price: number, used: DayTotal): void {
    super.check(now, price, used)
    const { calls, cost } = this.#budget
    if (calls !== undefined && used.calls + this.begun >= calls) this.#spent('calls', calls, `${calls} calls`)
    if (cost !== undefined && used.cost + this.reserved + Math.max(price, 1) > cost)
      this.#spent('cost', cost, `${cost} millionths`)
  }

  #spent(kind: SpentBudget['kind'], limit: number, what: string): never {
    const message = `the key ${this.#id} has used its budget of ${what}; ask whoever minted it for a key with another one`
    throw new BudgetSpentError(message, { key: this.#id, kind, limit })
  }
}

/** A child key's budget that is used up: calls, or cost in millionths. */
interface SpentBudget {
  readonly key: string
  readonly kind: 'calls' | 'cost'
  readonly limit: number
}

/** Error `forbidden` for a call of a key without budget. */
export class BudgetSpentError extends FailureError {
  readonly spent: SpentBudget

  constructor(message: string, spent: SpentBudget) {
    super({ code: 'forbidden', message })
    this.spent = spent
  }
}
