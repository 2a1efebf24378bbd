import { MAX_KEPT_TURNS, TURN_KEPT_MS } from '../core/limits/leases.ts'

/** Tenants whose calls waited in vain and should come again: a free sandbox is reserved for them for a while. */
export class Reservations {
  /** End of each reservation, by tenant, earliest first. */
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

  /** Tenants with a reservation now. */
  tenants(now: number): string[] {
    for (const [tenant, until] of this.#until) if (until <= now) this.#until.delete(tenant)
    return [...this.#until.keys()]
  }
}
