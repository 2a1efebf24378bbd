import type { Sql } from '../ports/sql.ts'

interface Row extends Record<string, string | number> {
  readonly holder: string
  readonly until: number
}

/** Leases of running sandboxes, and their latest ends: in memory, with a copy in SQLite for a restart. */
export class LeaseTable {
  readonly #sql: Sql
  /** End of each lease, by holder, in milliseconds since 1970. */
  readonly #until = new Map<string, number>()
  /** Start of each lease, by holder; unknown after a restart. */
  readonly #since = new Map<string, number>()
  /** Number of leases, by tenant. */
  readonly #counts = new Map<string, number>()

  constructor(sql: Sql) {
    this.#sql = sql
    for (const { holder, until } of sql.all<Row>('SELECT holder, until FROM leases')) this.#note(holder, until)
  }

  get size(): number {
    return this.#until.size
  }

  has(holder: string): boolean {
    return this.#until.has(holder)
  }

  /** Number of a tenant's leases. */
  count(tenant: string): number {
    return this.#counts.get(tenant) ?? 0
  }

  /** Tenants with leases, most leases first. */
  tenants(): string[] {
    return [...this.#counts].sort(([, a], [, b]) => b - a).map(([tenant]) => tenant)
  }

  /** Sessions of a tenant with a lease. */
  holders(tenant: string): string[] {
    return [...this.#until.keys()].filter((holder) => tenantOf(holder) === tenant)
  }

  /** Start of the session's lease, in milliseconds since 1970; 0 when it is unknown. */
  since(holder: string): number {
    return this.#since.get(holder) ?? 0
  }

  /** Notes a lease that ends at `until`. A lease is never shortened. */
  put(holder: string, until: number, now: number): void {
    if (!this.has(holder)) this.#since.set(holder, now)
    const later = Math.max(until, this.#until.get(holder) ?? 0)
    this.#sql.all('INSERT OR REPLACE INTO leases (holder, until) VALUES (?, ?)', holder, later)
    this.#note(holder, later)
  }

  /** Removes a lease. @returns false when there was none */
  remove(holder: string): boolean {
    if (!this.#until.delete(holder)) return false
    this.#since.delete(holder)
    this.#sql.all('DELETE FROM leases WHERE holder = ?', holder)
    const tenant = tenantOf(holder)
    const left = this.count(tenant) - 1
    if (left > 0) this.#counts.set(tenant, left)
    else this.#counts.delete(tenant)
    return true
  }

  /** Removes leases past their end. */
  expire(now: number): void {
    for (const [holder, until] of this.#until) if (until <= now) this.remove(holder)
  }

  #note(holder: string, until: number): void {
    if (!this.#until.has(holder)) this.#counts.set(tenantOf(holder), this.count(tenantOf(holder)) + 1)
    this.#until.set(holder, until)
  }
}

/** Tenant of a holder, whose name begins with the tenant's id and a slash: no tenant's id has a slash. */
export const tenantOf = (holder: string) => holder.slice(0, holder.indexOf('/'))
