import type { Sql } from '../ports/sql.ts'

interface Row extends Record<string, string | number> {
  readonly holder: string
  readonly until: number
}

/** Which sessions have a running sandbox, and until when at most: in memory, with a copy in SQLite for a restart. */
export class LeaseTable {
  readonly #sql: Sql
  /** When each lease ends, by holder, in milliseconds since 1970. */
  readonly #until = new Map<string, number>()
  /** When each lease was given, by holder; not known after a restart. */
  readonly #since = new Map<string, number>()
  /** How many leases each tenant has. */
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

  /** How many leases a tenant has. */
  count(tenant: string): number {
    return this.#counts.get(tenant) ?? 0
  }

  /** Tenants that have leases, those with most first. */
  tenants(): string[] {
    return [...this.#counts].sort(([, a], [, b]) => b - a).map(([tenant]) => tenant)
  }

  /** Sessions of a tenant that have a lease. */
  holders(tenant: string): string[] {
    return [...this.#until.keys()].filter((holder) => tenantOf(holder) === tenant)
  }

  /** When the session got its lease, in milliseconds since 1970; 0 when that is not known. */
  since(holder: string): number {
    return this.#since.get(holder) ?? 0
  }

  /** Notes a lease that ends at `until`; one that the session has never becomes shorter. */
  put(holder: string, until: number, now: number): void {
    if (!this.has(holder)) this.#since.set(holder, now)
    const later = Math.max(until, this.#until.get(holder) ?? 0)
    this.#sql.all('INSERT OR REPLACE INTO leases (holder, until) VALUES (?, ?)', holder, later)
    this.#note(holder, later)
  }

  /** @returns false when there was none */
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

  /** Removes the leases that have ended. */
  expire(now: number): void {
    for (const [holder, until] of this.#until) if (until <= now) this.remove(holder)
  }

  #note(holder: string, until: number): void {
    if (!this.#until.has(holder)) this.#counts.set(tenantOf(holder), this.count(tenantOf(holder)) + 1)
    this.#until.set(holder, until)
  }
}

/** The tenant of a session's object: no tenant's id has a slash. */
export const tenantOf = (holder: string) => holder.slice(0, holder.indexOf('/'))
