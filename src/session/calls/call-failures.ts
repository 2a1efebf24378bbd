import { type Failure, FailureError, RefusalError, toFailure } from '../../core/failure.ts'
import type { Outcome } from '../../core/outcome.ts'
import { OwnerAdvice } from '../owner-advice.ts'

interface Parts {
  readonly logError: (thrown: unknown) => void
  readonly tellOwner: (advice: string) => void
}

/** Failures of a session's calls. Unforeseen errors are logged, and the operator is told how to mend what can be mended. */
export class CallFailures {
  readonly #logError: Parts['logError']
  readonly #advice: OwnerAdvice

  constructor({ logError, tellOwner }: Parts) {
    this.#logError = logError
    this.#advice = new OwnerAdvice(tellOwner)
  }

  /** Outcome of a call that may not begin. */
  refused(thrown: unknown): Outcome {
    return { kind: 'refused', failure: this.#failure(thrown) }
  }

  /** Outcome of a call whose tool threw. */
  ended(thrown: unknown): Outcome {
    return { kind: thrown instanceof RefusalError ? 'refused' : 'failed', failure: this.#failure(thrown) }
  }

  #failure(thrown: unknown): Failure {
    if (!(thrown instanceof FailureError) || thrown.failure.code === 'internal') this.#logError(thrown)
    const failure = toFailure(thrown)
    this.#advice.note(failure)
    return failure
  }
}
