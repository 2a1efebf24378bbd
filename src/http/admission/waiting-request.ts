import { LEASE_MS, MAX_REQUEST_WAIT_MS, SLOT_MS } from '../../core/limits/admission.ts'
import type { Clock } from '../../ports/clock.ts'
import { waitedTooLongError } from './errors.ts'
import type { Permit } from './permit.ts'

/**
 * Waits until the runtime has looked for new input. workerd does so only when nothing is left to do: requests that wake one
 * another would keep it from seeing new ones.
 */
const nextInput = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

/** A request in its tenant's queue, until another request grants its turn. */
export class WaitingRequest {
  /** Number of slots that the request needs. */
  readonly slots: number
  readonly #clock: Clock
  readonly #until: number
  readonly #turn = Promise.withResolvers<Permit>()
  #leaseUntil = 0

  constructor(slots: number, clock: Clock) {
    this.slots = slots
    this.#clock = clock
    this.#until = clock.now() + MAX_REQUEST_WAIT_MS
    this.#renew()
  }

  /** Whether the request still waits: false when its time is over, or its client is gone and with it all work for it. */
  get isAlive(): boolean {
    return this.#clock.now() < this.#leaseUntil
  }

  /**
   * Waits for the request's turn.
   * @param look serves waiting requests: those who hold slots may never report that they are done
   * @param isContended whether other tenants have requests too
   */
  async turn(look: () => void, isContended: () => boolean): Promise<Permit> {
    // The runtime ends a request that waits only for others, so this timer also keeps it alive.
    const timer = setInterval(() => {
      this.#renew()
      look()
    }, SLOT_MS)
    try {
      const permit = await this.#turn.promise
      if (isContended()) await nextInput()
      return permit
    } finally {
      clearInterval(timer)
    }
  }

  grant(permit: Permit): void {
    this.#turn.resolve(permit)
  }

  refuse(): void {
    this.#turn.reject(waitedTooLongError())
  }

  #renew(): void {
    this.#leaseUntil = Math.min(this.#clock.now() + LEASE_MS, this.#until)
  }
}
