import { KEY_CACHE_ENTRIES, KEY_CACHE_MS, KEY_SECOND_LOOK_MS, SHARED_LOOKUP_MS } from '../core/limits/tenants.ts'
import { settledWithin } from '../core/settled-within.ts'
import type { Clock } from '../ports/clock.ts'
import type { StoredKey } from '../ports/keys.ts'
import { RecentlyUsed } from './recently-used.ts'

/** Time for which a missing key is remembered: short, since a new key should work at once. */
const MISSING_CACHE_MS = 5_000

/** Look-up of rows by id. */
interface Rows<Row> {
  find(id: string): Promise<Row | null>
}

/**
 * Rows of keys, or of what else says who may come in, by id, for one isolate. The cache holds public parts and hashes; its user compares the hash each time, so that a
 * wrong secret costs no look-up and evicts nothing.
 */
export class KeyCache<Row extends object = StoredKey> {
  readonly #keys: Rows<Row>
  readonly #clock: Clock
  readonly #keptMs: number
  // Two maps, so that a flood of unknown ids cannot push out the keys in use.
  readonly #found = new RecentlyUsed<{ readonly key: Row; readonly until: number }>(KEY_CACHE_ENTRIES)
  readonly #missing = new RecentlyUsed<{ readonly until: number }>(KEY_CACHE_ENTRIES)
  readonly #pending = new RecentlyUsed<Promise<Row | null>>(KEY_CACHE_ENTRIES)
  /** Times of the last second looks, by id. */
  readonly #lookedAgain = new RecentlyUsed<number>(KEY_CACHE_ENTRIES)

  /** @param keptMs time for which a row is remembered */
  constructor(keys: Rows<Row>, clock: Clock, keptMs = KEY_CACHE_MS) {
    this.#keys = keys
    this.#clock = clock
    this.#keptMs = keptMs
  }

  /** Key by its public id. @throws FailureError `upstream`; a failure is never cached */
  async find(id: string): Promise<Row | null> {
    const now = this.#clock.now()
    const found = this.#found.get(id)
    if (found && now < found.until) return found.key
    const missing = this.#missing.get(id)
    if (missing && now < missing.until) return null

    const shared = this.#pending.get(id)
    if (!shared) return this.#lookUp(id)
    const outcome = await settledWithin(shared, SHARED_LOOKUP_MS)
    return outcome ? outcome.value : this.#lookUp(id)
  }

  /**
   * Looks a key up whatever the cache has: its secret may have been rotated since. Looks once in KEY_SECOND_LOOK_MS at most, for
   * all that try wrong secrets.
   * @param since time before the first look, whose row is good enough when it was read since
   * @returns what the last look found, for a key that was looked up again a moment ago
   */
  async findAgain(id: string, since: number): Promise<Row | null> {
    const now = this.#clock.now()
    const found = this.#found.get(id)
    const last = this.#lookedAgain.get(id)
    if (found && found.until - this.#keptMs >= since) return found.key
    if (last !== undefined && now - last < KEY_SECOND_LOOK_MS) return this.#lastLook(id)
    this.#lookedAgain.set(id, now)
    return this.#lookUp(id)
  }

  /** Forgets a row that was changed or removed by this isolate. */
  forget(id: string): void {
    this.#found.delete(id)
  }

  /** Row that the look under way finds, or that the last one found. */
  async #lastLook(id: string): Promise<Row | null> {
    const shared = this.#pending.get(id)
    const outcome = shared ? await settledWithin(shared, SHARED_LOOKUP_MS) : null
    return outcome ? outcome.value : (this.#found.get(id)?.key ?? null)
  }

  async #lookUp(id: string): Promise<Row | null> {
    // The time before the read: the answer may be that old.
    const readAt = this.#clock.now()
    const pending = this.#keys.find(id)
    this.#pending.set(id, pending)
    try {
      const key = await pending
      if (key) {
        this.#found.set(id, { key, until: readAt + this.#keptMs })
        this.#missing.delete(id)
      } else {
        this.#missing.set(id, { until: readAt + MISSING_CACHE_MS })
        this.#found.delete(id)
      }
      return key
    } finally {
      if (this.#pending.get(id) === pending) this.#pending.delete(id)
    }
  }
}
