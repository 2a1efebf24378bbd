import type { Schemas } from './generated/api.ts'

/** Problem as the API answers it (RFC 9457). */
export type Problem = Schemas['Problem']
/** Code of a problem. */
export type ProblemCode = Problem['code']

/** Error of the client: all that it throws, but the reason of a signal that was aborted. */
export class ToolyardError extends Error {
  /** Results of the calls of a message before the one that failed, where a function of `toolyard/adapters` threw it. */
  declare readonly results?: readonly unknown[]

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** No answer came: the connection could not be made, or was lost. `cause` is the platform's error. */
export class ConnectionError extends ToolyardError {
  readonly retryable = true
}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {}

/** An answer that is a problem. Each code has a class of its own. */
export class ApiError extends ToolyardError {
  readonly problem: Problem
  /** Milliseconds that the server wants waited before the next attempt; null where it names none. */
  readonly retryAfterMs: number | null

  constructor(problem: Problem, retryAfterMs: number | null = null) {
    super(`${problem.code}: ${problem.detail} (${problem.hint}; ${problem.request_id})`)
    this.problem = problem
    this.retryAfterMs = retryAfterMs
  }

  get code(): ProblemCode {
    return this.problem.code
  }

  get status(): number {
    return this.problem.status
  }

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return this.problem.retryable
  }

  /** Name of the request in the log of the server. */
  get requestId(): string {
    return this.problem.request_id
  }
}

export class InvalidInputError extends ApiError {}
export class UnauthenticatedError extends ApiError {}
export class ForbiddenError extends ApiError {}
export class NotFoundError extends ApiError {}
export class SessionNotFoundError extends NotFoundError {}
export class ConflictError extends ApiError {}
export class LimitExceededError extends ApiError {}
export class RateLimitedError extends LimitExceededError {}
export class InsufficientStorageError extends ApiError {}
export class ServerTimeoutError extends ApiError {}
export class UnavailableError extends ApiError {}
export class KeyReusedError extends ApiError {}
export class KeyInUseError extends ConflictError {}
/** A crash cut off a request: whether it was carried out is not known. `problem` names the call, and when it began. */
export class OutcomeUnknownError extends ConflictError {}
export class AnswerNotKeptError extends ConflictError {}
export class UpstreamError extends ApiError {}
export class InternalError extends ApiError {}
export class MethodNotAllowedError extends ApiError {}
/** A file is another one than the one that the request named by `ifMatch`. */
export class PreconditionFailedError extends ApiError {}
export class RangeNotSatisfiableError extends ApiError {}
export class GoneError extends ApiError {}

const BY_CODE: Readonly<Record<ProblemCode, typeof ApiError>> = {
  invalid_input: InvalidInputError,
  unauthenticated: UnauthenticatedError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  session_not_found: SessionNotFoundError,
  conflict: ConflictError,
  limit_exceeded: LimitExceededError,
  rate_limited: RateLimitedError,
  insufficient_storage: InsufficientStorageError,
  timeout: ServerTimeoutError,
  unavailable: UnavailableError,
  key_reused: KeyReusedError,
  key_in_use: KeyInUseError,
  outcome_unknown: OutcomeUnknownError,
  answer_not_kept: AnswerNotKeptError,
  upstream: UpstreamError,
  internal: InternalError,
  method_not_allowed: MethodNotAllowedError,
  precondition_failed: PreconditionFailedError,
  range_not_satisfiable: RangeNotSatisfiableError,
  gone: GoneError,
}

/** Codes of answers that are no problems, such as those of a proxy before the server, by their status. */
const BY_STATUS: Readonly<Record<number, ProblemCode>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  413: 'limit_exceeded',
  429: 'rate_limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'timeout',
}

/** Error of an answer that is not good. @param text its body */
export function errorOf({ status, headers }: Response, text: string): ApiError {
  const isProblem = headers.get('Content-Type')?.startsWith('application/problem+json') ?? false
  const problem = isProblem ? (JSON.parse(text) as Problem) : foreignProblem(status, headers)
  // A later server may have codes that this version does not know.
  return new (BY_CODE[problem.code] ?? ApiError)(problem, retryAfterMs(headers.get('Retry-After')))
}

function foreignProblem(status: number, headers: Headers): Problem {
  const code = BY_STATUS[status] ?? 'internal'
  return {
    type: 'about:blank',
    title: `Status ${status}`,
    status,
    code,
    detail: 'the answer is none of Toolyard',
    hint: 'check baseUrl, and proxies before the server',
    retryable: status === 429 || status > 501,
    request_id: headers.get('X-Request-Id') ?? '',
  }
}

/** Milliseconds that a `Retry-After` names, in seconds or as a date. */
function retryAfterMs(header: string | null): number | null {
  if (header === null) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

/** A call whose tool could not do it: it failed, was refused, or was lost in a restart. */
export class CallFailedError extends ToolyardError {
  readonly call: Schemas['CallAnswer']

  constructor(call: Schemas['CallAnswer']) {
    super(`${call.tool}: ${call.error?.message ?? call.state}`)
    this.call = call
  }

  /** Code of the failure; undefined where the history alone knows of it. */
  get code(): string | undefined {
    return this.call.error?.code
  }
}
