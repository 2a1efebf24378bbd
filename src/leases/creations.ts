import { MAX_TURN_AGE_MS } from '../core/limits/leases.ts'
import { tenantOf } from './lease-table.ts'
import { WaitQueue } from './wait-queue.ts'

interface Parts {
  /** Sandboxes that the account may make in a second; null where nothing limits them. */
  readonly perSecond: number | null
  readonly now: () => number
}

/**
 * Turns to make a sandbox, evenly spaced in time. Tenants have them in turn, and each tenant's sessions in the order in which they
 * came. Kept in memory: after a restart the provider's own refusals hold for a moment.
 */
export class Creations {
  readonly #parts: Parts
  readonly #queue = new WaitQueue()
  /** Time of the next turn. */
  #nextAt = 0
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Takes a turn that is free now, and that no session waits for. */
  takeFree(): boolean {
    const { perSecond, now } = this.#parts
    if (perSecond === null) return true
    if (this.#queue.size > 0 || now() < this.#nextAt) return false
    this.#nextAt = now() + 1_000 / perSecond
    return true
  }

  /** Waits for a turn. @returns false when there was none in time */
  async take(holder: string, waitMs: number): Promise<boolean> {
    // An earlier request of this session, whose caller is gone.
    this.leave(holder)
    if (this.takeFree()) return true
    if (waitMs <= 0 || !this.#queue.hasRoom(tenantOf(holder))) return false
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.leave(holder), waitMs)
      const settle = (granted: boolean) => {
        clearTimeout(timer)
        resolve(granted)
      }
      this.#queue.add({ holder, holdMs: 0, settle }, false)
      this.#serveLater()
    })
  }

  /** Ends the wait of a session. */
  leave(holder: string): void {
    const waiter = this.#queue.find(holder)
    if (waiter && this.#queue.remove(waiter)) waiter.settle(false)
  }

  #serveLater(): void {
    if (this.#timer !== null || this.#queue.size === 0) return
    // A clock that was set back must not hold them all up.
    const left = Math.min(this.#nextAt - this.#parts.now(), MAX_TURN_AGE_MS)
    this.#timer = setTimeout(() => this.#serve(), Math.max(0, left))
  }

  #serve(): void {
    this.#timer = null
    const { perSecond, now } = this.#parts
    const [tenant] = this.#queue.tenants(() => 0)
    const [waiter] = tenant === undefined ? [] : this.#queue.of(tenant)
    if (tenant === undefined || !waiter || perSecond === null) return
    this.#nextAt = now() + 1_000 / perSecond
    this.#queue.remove(waiter)
    this.#queue.served(tenant)
    waiter.settle(true)
    this.#serveLater()
  }
}
