import {
  CONCURRENCY_RETRY_MS,
  DEFAULT_CALLS_PER_MINUTE,
  DEFAULT_RUNNING_CALLS,
  MAX_RUNNING_CALLS,
} from '../core/limits/usage.ts'
import { LIMIT_SCOPES, type LimitScope, rateLimitedError } from '../core/rate-limited.ts'
import type { Clock } from '../ports/clock.ts'
import type { LimitRule, LimitSettings, Price } from '../registry/limit-settings.ts'
import { fits } from '../registry/permitted.ts'
import type { CallCounter, DayTotal } from './call-counter.ts'
import { CallCounters } from './call-counters.ts'

/** Who calls what: each of these may have its own limit. */
export interface Counted {
  readonly key: string | null
  readonly agent: string | null
  readonly tool: string
}

export interface LimiterParts {
  readonly clock: Clock
  readonly settings: LimitSettings
  /** What a name has used up today, of the calls that have ended. */
  readonly today: (scope: LimitScope, name: string) => DayTotal
}

/** Looking for calls whose end was never told, and for names to forget, walks over all: not more often than this. */
const SWEEP_MS = 1_000

/**
 * Decides in memory whether a tenant's call may begin. What it remembers goes with the object: rates then begin anew, and
 * of a day's calls it knows those that have ended.
 */
export class Limiter {
  readonly #clock: Clock
  readonly #today: LimiterParts['today']
  #settings: LimitSettings
  readonly #counters = new CallCounters()
  readonly #running = new Map<string, { counters: readonly CallCounter[]; price: number; until: number }>()
  #sweptAt = 0

  constructor({ clock, settings, today }: LimiterParts) {
    this.#clock = clock
    this.#settings = settings
    this.#today = today
  }

  get settings(): LimitSettings {
    return this.#settings
  }

  /** Rates begin anew; what runs is counted no more. */
  change(settings: LimitSettings): void {
    this.#settings = settings
    this.#counters.clear()
    this.#running.clear()
  }

  /**
   * Counts a call in, all its limits or none.
   * @param lastsMs how long it could last at most; then it counts no more, whoever tells
   * @returns whether so many run that the next one may have to wait for its end
   * @throws FailureError `rate_limited`
   */
  begin(callId: string, who: Counted, lastsMs: number): boolean {
    const now = this.#clock.now()
    this.#sweep(now)
    if (this.#running.size >= MAX_RUNNING_CALLS) refuseAll()
    const price = this.priceOf(who.tool).per_call
    const counters: CallCounter[] = []
    for (const scope of LIMIT_SCOPES) {
      const name = nameIn(scope, who)
      const rule = name === null ? null : this.#rule(scope, name)
      if (name === null || rule === null) continue
      const counter = this.#counters.of(rule, name, who.key, now)
      counter.check(now, price, hasQuota(rule) ? this.#today(scope, name) : NOTHING)
      counters.push(counter)
    }
    for (const counter of counters) counter.begin(now, price)
    this.#running.set(callId, { counters, price, until: now + lastsMs })
    return counters.some((counter) => counter.isTight) || this.#running.size * 2 > MAX_RUNNING_CALLS
  }

  /** One that is not known changes nothing. */
  end(callId: string): void {
    const call = this.#running.get(callId)
    if (!call) return
    this.#running.delete(callId)
    for (const counter of call.counters) counter.end(call.price)
  }

  priceOf(tool: string): Omit<Price, 'tool'> {
    return this.#settings.prices.find((price) => fits(price.tool, tool)) ?? FREE
  }

  #rule(scope: LimitScope, name: string): LimitRule | null {
    const rule = this.#settings.rules.find((rule) => rule.scope === scope && fits(rule.name, name))
    return rule ?? (scope === 'tenant' ? DEFAULT_RULE : null)
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_MS) return
    this.#sweptAt = now
    for (const [callId, { until }] of this.#running) if (until <= now) this.end(callId)
    this.#counters.sweep(now)
  }
}

const NOTHING: DayTotal = { calls: 0, cost: 0 }
const FREE = { per_call: 0, per_sandbox_second: 0 }
const DEFAULT_RULE: LimitRule = {
  scope: 'tenant',
  name: '*',
  per_minute: DEFAULT_CALLS_PER_MINUTE,
  burst: 0,
  concurrency: DEFAULT_RUNNING_CALLS,
  per_day: 0,
  budget_per_day: 0,
}

const hasQuota = ({ per_day, budget_per_day }: LimitRule) => per_day > 0 || budget_per_day > 0

function nameIn(scope: LimitScope, { key, agent, tool }: Counted): string | null {
  switch (scope) {
    case 'tenant':
      return ''
    case 'key':
      return key
    case 'agent':
      return agent
    case 'tool':
      return tool
  }
}

function refuseAll(): never {
  throw rateLimitedError(
    `Rate limit exceeded: ${MAX_RUNNING_CALLS} calls run already (MAX_RUNNING_CALLS); try again soon`,
    {
      scope: 'tenant',
      kind: 'concurrency',
      limit: MAX_RUNNING_CALLS,
      remaining: 0,
      windowMs: null,
      retryAfterMs: CONCURRENCY_RETRY_MS,
    },
  )
}
