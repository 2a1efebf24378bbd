import { type Failure, type FailureCode, failureIn } from '../core/failure.ts'
import { rateLimitedOf } from '../core/rate-limited.ts'
import type { Vocabulary } from '../core/saying/worded.ts'
import { OWN } from './owner-vocabulary.ts'
import { policyName, rateLimitHeaders } from './rate-limit-headers.ts'

/** Codes of problems that are no failures of the core, but of what a request says over HTTP. */
const OTHER_CODES = ['method_not_allowed', 'precondition_failed', 'range_not_satisfiable', 'gone'] as const

/** An error by RFC 9457, with what a program needs to decide what to do next. */
export interface Problem {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly code: FailureCode | (typeof OTHER_CODES)[number]
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  /** Advice on what to do now. */
  readonly hint: string
  readonly request_id: string
  /** Refused parts of a request with several, each with its reason. */
  readonly errors?: unknown
  /** Facts about a request that came before with the same idempotency key: it may have been done, or was. */
  readonly outcome?: 'unknown' | 'done'
  /** Registered type of the problem; else `about:blank`. */
  readonly type?: string
  /** Names in the `RateLimit` fields of the limits that were reached. */
  readonly 'violated-policies'?: readonly string[]
}

const PROBLEMS = {
  invalid_input: [400, 'Invalid input', false, 'correct what the detail names and send it again'],
  unauthenticated: [401, 'Not authenticated', false, 'send a good key as "Authorization: Bearer <key>"'],
  forbidden: [403, 'Not allowed', false, 'do what the detail allows, or use a key that may do this'],
  not_found: [404, 'Not found', false, 'check the path and the ids in it'],
  session_not_found: [404, 'No such session', false, 'make the session first, or check its name'],
  conflict: [409, 'Conflict', false, 'look at what is there already, then decide'],
  limit_exceeded: [429, 'Limit exceeded', false, 'stay below the limit that the detail names'],
  rate_limited: [429, 'Too many requests', true, 'wait as long as Retry-After says, then send it again'],
  insufficient_storage: [
    507,
    'Insufficient storage',
    true,
    'delete sessions that are not needed, or free space on the disk of the server; then send it again',
  ],
  timeout: [504, 'Timeout', true, 'try again, or ask for less at once'],
  unavailable: [503, 'Unavailable', true, 'wait as long as Retry-After says, then do as the detail says'],
  key_reused: [422, 'Idempotency-Key used before', false, 'send another request under a new Idempotency-Key'],
  key_in_use: [409, 'Request in progress', true, 'wait as long as Retry-After says, then send the very same again'],
  outcome_unknown: [
    409,
    'Outcome unknown',
    false,
    'look at what the detail names; if it was not done, send it again under a new Idempotency-Key',
  ],
  answer_not_kept: [
    409,
    'Answer no longer kept',
    false,
    'it was done: look at what the detail names, do not send it again',
  ],
  upstream: [502, 'Upstream failure', true, 'try again in a few seconds'],
  internal: [500, 'Internal error', true, 'try again; if it stays, report the request_id'],
} as const satisfies Record<FailureCode, readonly [number, string, boolean, string]>

/** Codes of all problems. */
export const PROBLEM_CODES = [...(Object.keys(PROBLEMS) as FailureCode[]), ...OTHER_CODES] as const
/** Names of limits of a request's body: what is larger is answered with 413. */
const BODY_LIMITS: ReadonlySet<unknown> = new Set([
  'MAX_BODY_BYTES',
  'MAX_FILE_BYTES',
  'MAX_ARCHIVE_BYTES',
  'max_bytes',
])

/** Source of the type: draft-ietf-httpapi-ratelimit-headers-11, 5.1. */
const QUOTA_EXCEEDED = 'https://iana.org/assignments/http-problem-types#quota-exceeded'

/** Problem of a failure. @param vocabulary whose names the detail has */
export function toProblem(failure: Failure, requestId: string, vocabulary: Vocabulary = OWN): Problem {
  const { code, message, data } = failureIn(failure, vocabulary)
  const [status, title, retryable, hint] = PROBLEMS[code]
  const tooLarge = code === 'limit_exceeded' && BODY_LIMITS.has(data?.limit)
  const limited = rateLimitedOf(failure)
  return {
    ...(limited && { type: QUOTA_EXCEEDED }),
    title,
    status: tooLarge ? 413 : status,
    detail: message,
    code,
    retryable,
    hint,
    request_id: requestId,
    ...(data?.refused !== undefined && { errors: data.refused }),
    ...((code === 'outcome_unknown' || code === 'answer_not_kept') && { ...data }),
    ...(limited && { 'violated-policies': [policyName(limited)] }),
  }
}

export const failureResponse = (failure: Failure, requestId: string, vocabulary?: Vocabulary) =>
  problemResponse(toProblem(failure, requestId, vocabulary), rateLimitHeaders(failure))

/** Answer to a method that the path does not have. @param allow the methods that it has */
export function methodResponse(method: string, allow: string, requestId: string): Response {
  const problem = toProblem({ code: 'invalid_input', message: `${method} is no method of this path` }, requestId)
  return problemResponse(
    { ...problem, status: 405, title: 'Method not allowed', code: 'method_not_allowed', hint: `use ${allow}` },
    { Allow: allow },
  )
}

export function problemResponse(problem: Problem, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ type: 'about:blank', ...problem }), {
    status: problem.status,
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...headers },
  })
}
