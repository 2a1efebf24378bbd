import { MAX_KEPT_TURNS, TURN_KEPT_MS } from '../core/limits/leases.ts'

/** Tenants whose calls waited in vain and are to come again: what comes free is kept for them for a while. */
export class Reservations {
  /** When each turn is kept no longer, by tenant, the earliest first. */
  readonly #until = new Map<string, number>()

  keep(tenant: string, now: number): void {
    this.#until.delete(tenant)
    this.#until.set(tenant, now + TURN_KEPT_MS)
    const [first] = this.#until.keys()
    if (first !== undefined && this.#until.size > MAX_KEPT_TURNS) this.#until.delete(first)
  }

  drop(tenant: string): void {
    this.#until.delete(tenant)
  }

  /** Tenants whose turn is kept now. */
  tenants(now: number): string[] {
    for (const [tenant, until] of this.#until) if (until <= now) this.#until.delete(tenant)
    return [...this.#until.keys()]
  }
}
