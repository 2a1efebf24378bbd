import type { Failure } from '../../core/failure.ts'
import type { CallKey } from '../../core/idempotency.ts'
import type { Outcome } from '../../core/outcome.ts'
import type { Begun } from '../../session/api.ts'

/** Keys of the calls that one request with an idempotency key makes, and what came of them. */
export class CallKeys {
  #of: Omit<CallKey, 'at'> | null = null
  #next = 0
  #made = 0
  #replayed = 0
  #refusal: Failure | null = null

  /** Gives the calls keys from now on. Until then they have none. */
  open(of: Omit<CallKey, 'at'>): void {
    this.#of = of
  }

  /** Key of the next call; absent for a call without one. */
  next(): { readonly key?: CallKey } {
    return this.#of ? { key: { ...this.#of, at: this.#next++ } } : {}
  }

  /** Takes notice of the outcome of a call. */
  noted<T extends Outcome | undefined>(outcome: T, key: CallKey | undefined): T {
    if (!key || !outcome) return outcome
    if (outcome.kind === 'refused') {
      const { failure } = outcome
      // A session that is made for the call has its number to give.
      if (failure.code === 'session_not_found') this.#next = Math.min(this.#next, key.at)
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
