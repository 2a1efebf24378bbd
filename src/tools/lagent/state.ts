import type { Failure, FailureCode } from '../../core/failure.ts'
import type { Outcome, Result } from '../../core/outcome.ts'
import type { LagentApi } from '../../lagent/built-in/action.ts'
import { ActionStatusCode } from '../../lagent/codes.ts'

/**
 * `state` of an `ActionReturn`: ARGS_ERROR for arguments that the parser refused, HTTP_ERROR for a failure of another
 * service, API_ERROR for all other failures, as an exception there. An error in the user's own code is an answer to us
 * (`data.error`) and API_ERROR to Lagent.
 */
export function lagentState(
  outcome: Outcome,
  { answer, failsAsHttp }: Pick<LagentApi, 'answer' | 'failsAsHttp'>,
): number {
  switch (outcome.kind) {
    case 'done':
      return answer !== 'json' && outcome.result.data.error !== undefined
        ? ActionStatusCode.API_ERROR
        : ActionStatusCode.SUCCESS
    case 'refused':
      return outcome.failure.code === 'invalid_input' ? ActionStatusCode.ARGS_ERROR : ActionStatusCode.API_ERROR
    case 'failed':
      return failsAsHttp ? ActionStatusCode.HTTP_ERROR : FAILED[outcome.failure.code]
    case 'pending':
      return ActionStatusCode.SUCCESS
  }
}

const FAILED = {
  unavailable: ActionStatusCode.HTTP_ERROR,
  upstream: ActionStatusCode.HTTP_ERROR,
  rate_limited: ActionStatusCode.API_ERROR,
  timeout: ActionStatusCode.HTTP_ERROR,
  invalid_input: ActionStatusCode.API_ERROR,
  unauthenticated: ActionStatusCode.API_ERROR,
  forbidden: ActionStatusCode.API_ERROR,
  not_found: ActionStatusCode.API_ERROR,
  session_not_found: ActionStatusCode.API_ERROR,
  conflict: ActionStatusCode.API_ERROR,
  limit_exceeded: ActionStatusCode.API_ERROR,
  insufficient_storage: ActionStatusCode.API_ERROR,
  key_reused: ActionStatusCode.API_ERROR,
  key_in_use: ActionStatusCode.API_ERROR,
  outcome_unknown: ActionStatusCode.HTTP_ERROR,
  answer_not_kept: ActionStatusCode.API_ERROR,
  internal: ActionStatusCode.API_ERROR,
} as const satisfies Record<FailureCode, number>

/** `errmsg` of an `ActionReturn`; null without an error. */
export function lagentError(outcome: Outcome, { answer }: Pick<LagentApi, 'answer'>): string | null {
  const failure: Failure | undefined = 'failure' in outcome ? outcome.failure : undefined
  if (failure) return failure.message
  if (outcome.kind !== 'done' || answer === 'json' || outcome.result.data.error === undefined) return null
  return [outcome.result.data.error, ...notesOf(outcome.result)].join('\n')
}

/** Notes of an interpreter beside its answer: a new sandbox, images left out. */
export const notesOf = ({ data: { notes } }: Result): readonly string[] =>
  Array.isArray(notes) ? notes.map(String) : []
