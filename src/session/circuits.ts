import { fail } from '../core/failure.ts'
import { CIRCUIT_FAILURES, CIRCUIT_OPEN_MS, MAX_CIRCUITS } from '../core/limits/registry.ts'
import type { Circuits } from '../ports/circuits.ts'

interface Circuit {
  readonly failures: number
  /** Milliseconds since 1970; a past time means that the circuit was open before. */
  readonly openUntil: number
  /** True while one call finds out whether the service works again. */
  readonly isTried: boolean
}

/**
 * Circuit breakers: closed, then open after CIRCUIT_FAILURES in a row for CIRCUIT_OPEN_MS, then half open, when one call decides.
 */
export class SessionCircuits implements Circuits {
  readonly #now: () => number
  /** Circuits with failures; the latest to fail stands last. */
  readonly #circuits = new Map<string, Circuit>()

  constructor(now: () => number) {
    this.#now = now
  }

  enter(tool: string, target: string): ReturnType<Circuits['enter']> {
    const key = JSON.stringify([tool, target])
    const before = this.#circuits.get(key)
    const isTrial = before !== undefined && before.failures >= CIRCUIT_FAILURES
    if (isTrial) {
      this.#refuse(tool, before)
      this.#circuits.set(key, { ...before, isTried: true })
    }
    let isReported = false
    return (how) => {
      if (isReported) return
      isReported = true
      this.#note(key, how, isTrial)
    }
  }

  #refuse(tool: string, { failures, openUntil, isTried }: Circuit): void {
    const left = Math.max(1, Math.ceil((openUntil - this.#now()) / 1_000))
    if (!isTried && openUntil <= this.#now()) return
    const next = isTried ? 'another call is trying it now' : `it is asked again in ${left} seconds`
    fail(
      'upstream',
      `${tool} did not work ${failures} times in a row, so it is left alone: ${next}. Do without it so long`,
    )
  }

  #note(key: string, how: 'answered' | 'failed' | 'unknown', isTrial: boolean): void {
    const before = this.#circuits.get(key)
    if (how === 'answered') this.#circuits.delete(key)
    if (how === 'unknown' && isTrial && before) this.#circuits.set(key, { ...before, isTried: false })
    if (how !== 'failed') return
    this.#circuits.delete(key)
    this.#circuits.set(key, {
      failures: (before?.failures ?? 0) + 1,
      openUntil: this.#now() + CIRCUIT_OPEN_MS,
      isTried: false,
    })
    const [oldest] = this.#circuits.keys()
    if (this.#circuits.size > MAX_CIRCUITS && oldest !== undefined) this.#circuits.delete(oldest)
  }
}
