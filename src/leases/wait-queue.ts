import { MAX_WAITING_SESSIONS, MAX_WAITING_SESSIONS_OF_TENANT } from '../core/limits/leases.ts'
import { tenantOf } from './lease-table.ts'

/** A session waiting for a sandbox. */
export interface Waiter {
  readonly holder: string
  readonly holdMs: number
  /** Ends the wait: `true` with a lease. */
  readonly settle: (granted: boolean) => void
}

/** Sessions waiting for a sandbox: first come first served within a tenant, and tenants in turn. */
export class WaitQueue {
  /** Waiters by tenant; the tenant served last stands last. */
  readonly #waiting = new Map<string, Waiter[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  hasRoom(tenant: string): boolean {
    const own = this.#waiting.get(tenant)?.length ?? 0
    return this.#size < MAX_WAITING_SESSIONS && own < MAX_WAITING_SESSIONS_OF_TENANT
  }

  /** Adds a waiter. @param first puts it before others of its tenant, since it had its turn already */
  add(waiter: Waiter, first: boolean): void {
    const tenant = tenantOf(waiter.holder)
    const line = this.#waiting.get(tenant) ?? []
    if (first) line.unshift(waiter)
    else line.push(waiter)
    this.#waiting.set(tenant, line)
    this.#size += 1
  }

  find(holder: string): Waiter | null {
    return this.#waiting.get(tenantOf(holder))?.find((waiter) => waiter.holder === holder) ?? null
  }

  /** Removes a waiter. @returns false when it had left the queue */
  remove(waiter: Waiter): boolean {
    const tenant = tenantOf(waiter.holder)
    const line = this.#waiting.get(tenant)
    const at = line?.indexOf(waiter) ?? -1
    if (!line || at === -1) return false
    line.splice(at, 1)
    if (line.length === 0) this.#waiting.delete(tenant)
    this.#size -= 1
    return true
  }

  /** Waiting tenants in their turn: fewest sandboxes first, and among equals the one served longest ago. */
  tenants(count: (tenant: string) => number): string[] {
    return [...this.#waiting.keys()].sort((a, b) => count(a) - count(b))
  }

  /** The tenant's waiters, next one first. */
  of(tenant: string): readonly Waiter[] {
    return this.#waiting.get(tenant) ?? []
  }

  /** Notes that the tenant was served, which puts it last. */
  served(tenant: string): void {
    const line = this.#waiting.get(tenant)
    if (!line) return
    this.#waiting.delete(tenant)
    this.#waiting.set(tenant, line)
  }
}
