import type { Failure } from '../../core/failure.ts'
import type { CallKey } from '../../core/idempotency.ts'
import type { Outcome } from '../../core/outcome.ts'
import type { SentCall } from '../../core/packed-call.ts'
import type { Begun } from '../../session/api.ts'
import type { AttendedCalls } from '../cancel-on-disconnect.ts'

/** Calls that one request makes: their keys, where it has an idempotency key, and what came of them. */
export class CallKeys {
  #of: Omit<CallKey, 'at'> | null = null
  /** Numbers of the next calls, by places in a batch. */
  readonly #next = new Map<number | undefined, number>()
  /** Attendance of the calls, where they end with the client's connection. */
  readonly attended: AttendedCalls | null
  #made = 0
  #replayed = 0
  #refusal: Failure | null = null

  constructor(attended: AttendedCalls | null = null) {
    this.attended = attended
  }

  /** Gives the calls keys from now on. Until then they have none. */
  open(of: Omit<CallKey, 'at'>): void {
    this.#of = of
  }

  /** The call with its key, where it has one. */
  keyed({ place, ...call }: SentCall): SentCall {
    if (!this.#of) return call
    const number = this.#next.get(place) ?? 0
    this.#next.set(place, number + 1)
    return { ...call, key: { ...this.#of, at: place === undefined ? `${number}` : `${place}.${number}` } }
  }

  /** Takes notice of the outcome of a call. */
  noted<T extends Outcome | undefined>(outcome: T, key: CallKey | undefined): T {
    if (!key || !outcome) return outcome
    if (outcome.kind === 'refused') {
      const { failure } = outcome
      // The call comes again when its session is made, and has the same number then.
      if (failure.code === 'session_not_found') this.#next.clear()
      if (failure.code === 'key_in_use' || failure.code === 'key_reused') this.#refusal ??= failure
    } else {
      this.#made += 1
      if (outcome.replayed) this.#replayed += 1
    }
    return outcome
  }

  /** Takes notice of a call that goes on without its caller. */
  notedBegun(begun: Begun, key: CallKey | undefined): Begun {
    if ('refused' in begun) this.noted(begun.refused, key)
    else if (key) {
      this.#made += 1
      if (begun.replayed) this.#replayed += 1
    }
    return begun
  }

  /** Why the request is refused as a whole; null when it is not. */
  get refusal(): Failure | null {
    return this.#refusal
  }

  /** Whether all that the request did was done before. */
  get areReplayed(): boolean {
    return this.#made > 0 && this.#made === this.#replayed
  }
}
