import { LEASE_MS, LEASE_RENEWED_MS, UNRENEWED_LEASE_MS } from '../../core/limits/admission.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Share } from './share.ts'

/** A request at work. */
export class RunningRequest {
  readonly share: Share
  readonly slots: number
  /** Begin of the request, in milliseconds since 1970. */
  readonly since: number
  /** `overdue`: the request holds slots for longer than SLOT_MS, of a tenant that may have no more long requests. */
  state: 'short' | 'overdue' | 'long' | 'over' = 'short'
  readonly #clock: Clock
  #leaseUntil: number
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(share: Share, slots: number, clock: Clock) {
    this.share = share
    this.slots = slots
    this.since = clock.now()
    this.#clock = clock
    this.#leaseUntil = this.since + UNRENEWED_LEASE_MS
  }

  /** Whether the client is still there: with it goes the code that would have reported the request's end. */
  get isAlive(): boolean {
    return this.#clock.now() < this.#leaseUntil
  }

  /** Starts renewing the lease. To be called by the request itself: its timers end with it. */
  renewLease(): void {
    const renew = () => {
      this.#leaseUntil = this.#clock.now() + LEASE_MS
    }
    renew()
    this.#timer ??= setInterval(renew, LEASE_RENEWED_MS)
  }

  /** Ends the request. To be called by the request itself. */
  end(): void {
    clearInterval(this.#timer)
  }
}
