import { LEASE_MS, MAX_REQUEST_WAIT_MS, SLOT_MS } from '../../core/limits/admission.ts'
import type { Clock } from '../../ports/clock.ts'
import { waitedTooLongError } from './errors.ts'
import type { Permit } from './permit.ts'

/**
 * Waits until the runtime has looked for new input. workerd does so only when nothing is left to do: requests that let one
 * another go on would keep it from seeing those that have come meanwhile.
 */
const nextInput = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

/** A request in its tenant's queue, until another request grants its turn. */
export class WaitingRequest {
  /** How many slots it needs. */
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

  /** False when its time is over, or its client is gone and with it all that it would do. */
  get isAlive(): boolean {
    return this.#clock.now() < this.#leaseUntil
  }

  /**
   * @param look serves who can be served: those who hold slots may never say that they are done
   * @param isContended whether other tenants have requests too
   */
  async turn(look: () => void, isContended: () => boolean): Promise<Permit> {
    // The runtime ends a request that waits for nothing but others, so this timer keeps it as well.
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
