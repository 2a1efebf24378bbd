import type { FailureCode } from '../core/failure.ts'

export type FailureStatus = 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504 | 507

/** Statuses of the published servers, beside FastAPI's `{detail}`. A dialect that differs states its own. */
export const FAILURE_STATUS = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  session_not_found: 404,
  conflict: 409,
  limit_exceeded: 413, // the body's size
  rate_limited: 429,
  timeout: 504,
  unavailable: 503,
  upstream: 502,
  internal: 500,
  insufficient_storage: 507,
  key_reused: 422,
  key_in_use: 409,
  outcome_unknown: 409,
  answer_not_kept: 409,
} as const satisfies Record<FailureCode, FailureStatus>
