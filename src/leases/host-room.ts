import { HOST_FULL_MS } from '../core/limits/leases.ts'

/**
 * How many sandboxes the host takes. It may take fewer than the settings say, when others use the same account: then it is
 * believed, and one more is tried every HOST_FULL_MS.
 */
export class HostRoom {
  readonly #max: number
  /** The sandboxes that ran when the host last refused one, and when that was. */
  #refused: { readonly running: number; readonly at: number } | null = null

  constructor(max: number) {
    this.#max = max
  }

  /** The host refused one more, beside `running` others. */
  refused(running: number, now: number): void {
    this.#refused = { running, at: now }
  }

  /** Sandboxes that may run at once now. */
  limit(now: number): number {
    if (!this.#refused) return this.#max
    const { running, at } = this.#refused
    const limit = running + Math.floor((now - at) / HOST_FULL_MS)
    if (limit >= this.#max) this.#refused = null
    return Math.min(limit, this.#max)
  }
}
