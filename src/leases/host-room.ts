import { HOST_FULL_MS } from '../core/limits/leases.ts'

/**
 * Number of sandboxes that the host accepts. The host may accept fewer than the settings allow, when others use the same account:
 * its refusal sets the limit, and one more is tried every HOST_FULL_MS.
 */
export class HostRoom {
  readonly #max: number
  /** Number of running sandboxes at the host's last refusal, and the time of that. */
  #refused: { readonly running: number; readonly at: number } | null = null

  constructor(max: number) {
    this.#max = max
  }

  /** Notes that the host refused one more sandbox beside `running` others. */
  refused(running: number, now: number): void {
    this.#refused = { running, at: now }
  }

  /** Number of sandboxes that may run at once now. */
  limit(now: number): number {
    if (!this.#refused) return this.#max
    const { running, at } = this.#refused
    const limit = running + Math.floor((now - at) / HOST_FULL_MS)
    if (limit >= this.#max) this.#refused = null
    return Math.min(limit, this.#max)
  }
}
