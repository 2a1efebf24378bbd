import { isChildKey, rootKeyOf } from '../core/key-chain.ts'
import {
  CONCURRENCY_RETRY_MS,
  DEFAULT_CALLS_PER_MINUTE,
  DEFAULT_RUNNING_CALLS,
  LEAST_SHARING_SESSIONS,
  MAX_GRANTED_CALLS,
  MAX_RUNNING_CALLS,
  MIN_GRANTED_CALLS,
} from '../core/limits/usage.ts'
import { LIMIT_SCOPES, type LimitScope, rateLimitedError } from '../core/rate-limited.ts'
import type { Clock } from '../ports/clock.ts'
import { type CallPrice, priceIn } from '../registry/call-price.ts'
import { type Counted, type LimitRule, type LimitSettings, nameIn, ruleFor } from '../registry/limit-settings.ts'
import type { CallCounter, CountedRule, DayTotal } from './call-counter.ts'
import { CallCounters } from './call-counters.ts'
import type { OverBatch } from './calls-api.ts'
import type { ChildKeys } from './child-keys.ts'
import type { CountedPlace } from './counted-place.ts'
import { batchOf, GrantedBatches } from './granted-batches.ts'

export interface LimiterParts {
  readonly clock: Clock
  readonly settings: LimitSettings
  /** Usage of a name today, over completed calls. */
  readonly today: (scope: LimitScope, name: string) => DayTotal
  /** Rates and budgets of child keys. */
  readonly children: Pick<ChildKeys, 'places' | 'placesOfRunning' | 'renew'>
}

interface Running {
  readonly who: Counted
  readonly counters: readonly CallCounter[]
  readonly price: number
  readonly until: number
}

/** Request of a session for a batch of calls of one kind. */
interface WantedBatch {
  readonly node: string
  readonly who: Counted
  readonly wants: number
  /** Whether they wait for a service or a sandbox. */
  readonly waits: boolean
  /** Longest time until they end, in milliseconds. */
  readonly lastsMs: number
}

/** Least time between two searches for calls with no reported end and for names to drop: each walks over all. */
const SWEEP_MS = 1_000

/**
 * Decides in memory whether a tenant's call may begin. A restart loses this state: buckets are full then, and of a day's calls
 * only completed ones are known.
 */
export class Limiter {
  readonly #clock: Clock
  readonly #today: LimiterParts['today']
  readonly #children: LimiterParts['children']
  #settings: LimitSettings
  readonly #counters = new CallCounters()
  readonly #running = new Map<string, Running>()
  readonly #batches = new GrantedBatches()
  #sweptAt = 0

  constructor({ clock, settings, today, children }: LimiterParts) {
    this.#children = children
    this.#clock = clock
    this.#settings = settings
    this.#today = today
  }

  get settings(): LimitSettings {
    return this.#settings
  }

  /** Whether the default rate is nearly used up, so that the next calls should ask. */
  get isBusy(): boolean {
    const now = this.#clock.now()
    const counter = this.#default(now)
    return counter !== null && counter.usedAt(now) * 2 > DEFAULT_CALLS_PER_MINUTE
  }

  /** Replaces the rules. Used amounts stay used, and running calls count under the new rules. */
  change(settings: LimitSettings): void {
    const now = this.#clock.now()
    this.#settings = settings
    this.#counters.renew(now)
    this.#children.renew()
    for (const [callId, { who, until }] of [...this.#running]) {
      this.#running.delete(callId)
      this.#join(callId, who, until, now)
    }
    this.#batches.renew((who) => this.#countersOfRunning(who, now))
  }

  /**
   * Counts a call under all its limits or none. A repeated request for the same call counts once.
   * @param lastsMs longest possible time of the call; it counts no longer than this
   * @returns whether the next call may have to wait for the end of this one
   * @throws FailureError `rate_limited`
   */
  begin(callId: string, who: Counted, lastsMs: number): boolean {
    const now = this.#clock.now()
    this.#sweep(now)
    this.#takeBack(callId, now)
    if (this.#running.size >= MAX_RUNNING_CALLS) refuseAll()
    const price = this.#perCall(who)
    const places = this.#places(who, now)
    if (isChildKey(who.key)) places.push(...this.#children.places(who.key))
    for (const { counter, today } of places) counter.check(now, price, today)
    const counters = places.map(({ counter }) => counter)
    for (const counter of counters) counter.begin(now, price)
    this.#running.set(callId, { who, counters, price, until: now + lastsMs })
    return counters.some((counter) => counter.isTight) || this.#running.size * 2 > MAX_RUNNING_CALLS
  }

  /**
   * Counts a batch of further calls of the same kind: as many as their session wants, of its share of the room left, and none where that
   * is little. A session's share is the same for all that ask, and half of the room is nobody's. Of calls that wait for something, none
   * where a rule counts how many run: those that are not made yet would have others refused while nothing runs.
   * @param id names the batch
   * @returns how many
   */
  grant(id: string, { node, who, wants, waits, lastsMs }: WantedBatch): number {
    const now = this.#clock.now()
    const sessions = Math.max(this.#batches.requested(node, now), LEAST_SHARING_SESSIONS)
    if (this.#running.size + this.#batches.size >= MAX_RUNNING_CALLS / 2) return 0
    const price = this.#perCall(who)
    const places = this.#places(who, now)
    if (isChildKey(who.key)) places.push(...this.#children.places(who.key))
    if (waits && places.some(({ counter }) => counter.limitsRunning)) return 0
    const room = Math.min(...places.map(({ counter, today }) => counter.spare(now, price, today)))
    const held = this.#batches.heldBy(node)
    const share = Math.floor((room + held) / (2 * sessions)) - held
    const calls = Math.min(MAX_GRANTED_CALLS, wants, share)
    if (calls < MIN_GRANTED_CALLS) return 0
    const counters = places.map(({ counter }) => counter)
    for (const counter of counters) counter.use(now, calls)
    this.#batches.add(id, { node, who, counters, price, calls, until: now + lastsMs })
    return calls
  }

  /** Takes back the calls of batches that were not made, each batch once. Unknown ones change nothing. */
  giveBack(over: readonly OverBatch[]): void {
    const now = this.#clock.now()
    for (const batch of over) this.#batches.over(batch, now)
  }

  /** Counts a running call that began without asking. */
  join(callId: string, who: Counted, lastsMs: number): void {
    const now = this.#clock.now()
    if (!this.#running.has(callId)) this.#join(callId, who, now + lastsMs, now)
  }

  /** Counts completed calls that began without asking. */
  noteUncounted(calls: number): void {
    const now = this.#clock.now()
    if (calls > 0) this.#default(now)?.use(now, calls)
  }

  /** Ends a call, by its id or that of its batch. An unknown id changes nothing. */
  end(callId: string): void {
    const call = this.#running.get(callId)
    if (!call) {
      this.#batches.end(callId)
      return
    }
    this.#running.delete(callId)
    for (const counter of call.counters) counter.end(call.price)
  }

  /** Price of a tool's calls; null without prices. */
  priceOf(tool: string): CallPrice | null {
    return priceIn(this.#settings.prices, tool)
  }

  #perCall({ tool }: Counted): number {
    return this.priceOf(tool)?.per_call ?? 0
  }

  #join(callId: string, who: Counted, until: number, now: number): void {
    if (this.#running.size >= MAX_RUNNING_CALLS) return
    const { counters, price } = this.#countersOfRunning(who, now)
    for (const counter of counters) counter.join(price)
    this.#running.set(callId, { who, counters, price, until })
  }

  #countersOfRunning(who: Counted, now: number): Pick<Running, 'counters' | 'price'> {
    const places = this.#places(who, now)
    if (isChildKey(who.key)) places.push(...this.#children.placesOfRunning(who.key))
    return { counters: places.map(({ counter }) => counter), price: this.#perCall(who) }
  }

  /** Takes back a call whose request is repeated, with the batch that was granted then: nobody heard of it. */
  #takeBack(callId: string, now: number): void {
    this.#batches.over({ id: batchOf(callId), made: 0 }, now)
    const call = this.#running.get(callId)
    this.#running.delete(callId)
    for (const counter of call?.counters ?? []) counter.giveBack(now, call?.price ?? 0)
  }

  #places(who: Counted, now: number): CountedPlace[] {
    return LIMIT_SCOPES.flatMap((scope) => {
      const name = nameIn(scope, who)
      const rule = name === null ? null : this.#rule(scope, name)
      if (name === null || rule === null) return []
      const counter = this.#counters.of(rule, name, rootKeyOf(who.key), now)
      return [{ counter, today: hasQuota(rule) ? this.#today(scope, name) : NOTHING }]
    })
  }

  /** Counter of the default rate for tenants without a rule; null where there is one. */
  #default(now: number): CallCounter | null {
    const rule = this.#rule('tenant', '')
    return rule === DEFAULT_RULE ? this.#counters.of(rule, '', null, now) : null
  }

  #rule(scope: LimitScope, name: string): CountedRule | null {
    return ruleFor(this.#settings.rules, scope, name) ?? (scope === 'tenant' ? DEFAULT_RULE : null)
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_MS) return
    this.#sweptAt = now
    for (const [callId, { until }] of this.#running) if (until <= now) this.end(callId)
    this.#batches.sweep(now)
    this.#counters.sweep(now)
  }
}

const NOTHING: DayTotal = { calls: 0, cost: 0 }
const DEFAULT_RULE: CountedRule = {
  scope: 'tenant',
  name: '*',
  per_minute: DEFAULT_CALLS_PER_MINUTE,
  burst: 0,
  concurrency: DEFAULT_RUNNING_CALLS,
  concurrencyOf: 'waiting',
  per_day: 0,
  budget_per_day: 0,
}

const hasQuota = ({ per_day, budget_per_day }: LimitRule) => per_day > 0 || budget_per_day > 0

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
