import type { Failure, FailureCode } from '../../core/failure.ts'
import type { Outcome } from '../../core/outcome.ts'
import type { LagentApi } from './action.ts'

/** `ActionStatusCode`. */
const STATES = { success: 0, httpError: -1000, argsError: -1001, apiError: -1002 } as const

/**
 * The `state` of an `ActionReturn`. Arguments that the parser refused are ARGS_ERROR, what another service did not do is
 * HTTP_ERROR, and all that failed in a tool API_ERROR, as an exception there. An error in the user's own code is an
 * answer to us (`data.error`) and API_ERROR to Lagent.
 */
export function lagentState(
  outcome: Outcome,
  { answer, failsAsHttp }: Pick<LagentApi, 'answer' | 'failsAsHttp'>,
): number {
  switch (outcome.kind) {
    case 'done':
      return answer !== 'json' && outcome.result.data.error !== undefined ? STATES.apiError : STATES.success
    case 'refused':
      return outcome.failure.code === 'invalid_input' ? STATES.argsError : STATES.apiError
    case 'failed':
      return failsAsHttp ? STATES.httpError : FAILED[outcome.failure.code]
    case 'pending':
      return STATES.success
  }
}

const FAILED = {
  upstream: STATES.httpError,
  rate_limited: STATES.apiError,
  timeout: STATES.httpError,
  invalid_input: STATES.apiError,
  unauthenticated: STATES.apiError,
  forbidden: STATES.apiError,
  not_found: STATES.apiError,
  conflict: STATES.apiError,
  limit_exceeded: STATES.apiError,
  internal: STATES.apiError,
} as const satisfies Record<FailureCode, number>

/** The `errmsg` of an `ActionReturn`; null where there was no error. */
export function lagentError(outcome: Outcome, { answer }: Pick<LagentApi, 'answer'>): string | null {
  const failure: Failure | undefined = 'failure' in outcome ? outcome.failure : undefined
  if (failure) return failure.message
  const error = outcome.kind === 'done' && answer !== 'json' ? outcome.result.data.error : undefined
  return error === undefined ? null : String(error)
}
