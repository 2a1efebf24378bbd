import { MAX_LIMITED_NAMES } from '../core/limits/usage.ts'
import { CallCounter, type CountedRule } from './call-counter.ts'

type Key = string | null

/**
 * Counters of one tenant, by scope and name. Keys and tools are limited in number, names of agents are not: a key that invents
 * them gets as many counters as it leaves to other keys, and one for all further names.
 */
export class CallCounters {
  readonly #counters = new Map<string, CallCounter>()
  /** The key that took the counter of an agent without a rule, and the number that each key took. */
  readonly #takers = new Map<string, Key>()
  readonly #taken = new Map<Key, number>()
  /** Counters of the earlier rules: new ones begin with the tokens missing from those. */
  #earlier: ReadonlyMap<string, CallCounter> = new Map()

  /** Counter of a rule and a name. @param key the call's key, whatever the scope */
  of(rule: CountedRule, name: string, key: Key, now: number): CallCounter {
    const own = `${rule.scope} ${name}`
    const known = this.#counters.get(own)
    if (known) return known
    // A name in a rule is as little invented as the rule.
    if (rule.scope !== 'agent' || rule.name === name) return this.#make(own, rule, now)
    if (this.#takers.size + (this.#taken.get(key) ?? 0) >= MAX_LIMITED_NAMES) {
      const further = `further ${JSON.stringify([rule.name, key])}`
      return this.#counters.get(further) ?? this.#make(further, rule, now, FURTHER)
    }
    this.#takers.set(own, key)
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1)
    return this.#make(own, rule, now)
  }

  /** Drops counters that equal new ones. Goes through all, when there are many. */
  sweep(now: number): void {
    if (this.#counters.size < MAX_LIMITED_NAMES / 2) return
    for (const [place, counter] of this.#counters) if (counter.isIdle(now)) this.#forget(place)
  }

  /** Begins anew under other rules. Each new counter starts with the tokens missing from its predecessor. */
  renew(now: number): void {
    this.#earlier = new Map([...this.#earlier, ...this.#counters].filter(([, counter]) => counter.usedAt(now) > 0))
    this.#counters.clear()
    this.#takers.clear()
    this.#taken.clear()
  }

  #make(place: string, rule: CountedRule, now: number, who = rule.scope === 'tenant' ? 'this tenant' : place) {
    const counter = new CallCounter(rule, who, now)
    const used = this.#earlier.get(place)?.usedAt(now) ?? 0
    if (used > 0) counter.use(now, used)
    this.#counters.set(place, counter)
    return counter
  }

  #forget(place: string): void {
    this.#counters.delete(place)
    const key = this.#takers.get(place)
    if (key === undefined) return
    this.#takers.delete(place)
    const left = (this.#taken.get(key) ?? 0) - 1
    if (left > 0) this.#taken.set(key, left)
    else this.#taken.delete(key)
  }
}

const FURTHER = 'further agents of this key, which have one rate (MAX_LIMITED_NAMES)'
