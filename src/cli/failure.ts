import {
  ApiError,
  CallFailedError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InsufficientStorageError,
  InvalidInputError,
  LimitExceededError,
  NotFoundError,
  PreconditionFailedError,
  ServerTimeoutError,
  SessionNotFoundError,
  TimeoutError,
  UnauthenticatedError,
  UnavailableError,
} from '../client/index.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'

/** Error of the command line: what was wrong, and what to do. */
export class CliError extends Error {
  readonly exitCode: ExitCode
  readonly hint: string

  /** @param hint what to do, as half a sentence */
  constructor(message: string, hint: string, exitCode: ExitCode = EXIT.failed) {
    super(message)
    this.name = 'CliError'
    this.hint = hint
    this.exitCode = exitCode
  }
}

/** Error of arguments that do not fit. */
export const usageError = (message: string, hint: string): CliError => new CliError(message, hint, EXIT.usage)

/** Exit codes of answers of the server, the first that fits. */
const OF_ANSWERS: readonly (readonly [abstract new (...args: never) => ApiError, ExitCode])[] = [
  [UnauthenticatedError, EXIT.notSignedIn],
  [NotFoundError, EXIT.notFound],
  [ForbiddenError, EXIT.refused],
  [ConflictError, EXIT.refused],
  [PreconditionFailedError, EXIT.refused],
  [LimitExceededError, EXIT.limited],
  [InsufficientStorageError, EXIT.limited],
  [ServerTimeoutError, EXIT.timedOut],
  [UnavailableError, EXIT.unreachable],
]

/** Words for a user about an error, in one line, and the exit code. */
export interface Explanation {
  readonly line: string
  readonly exitCode: ExitCode
}

/** Words for whatever a command threw. @param signal that of Ctrl-C */
export function explain(thrown: unknown, signal?: AbortSignal): Explanation {
  if (signal?.aborted) return { line: 'interrupted', exitCode: EXIT.interrupted }
  if (thrown instanceof CliError) return { line: withHint(thrown.message, thrown.hint), exitCode: thrown.exitCode }
  if (thrown instanceof UnauthenticatedError) {
    const hint = 'sign in with `toolyard login`, or set TOOLYARD_API_KEY'
    return { line: withHint(withoutRequests(thrown.problem.detail), hint), exitCode: EXIT.notSignedIn }
  }
  if (thrown instanceof ApiError) {
    const { request_id } = thrown.problem
    const line = problemLine(thrown)
    const exitCode = OF_ANSWERS.find(([kind]) => thrown instanceof kind)?.[1] ?? EXIT.failed
    return { line: thrown.status >= 500 && request_id ? `${line} (request ${request_id})` : line, exitCode }
  }
  if (thrown instanceof TimeoutError)
    return { line: withHint(thrown.message, 'ask again later'), exitCode: EXIT.timedOut }
  if (thrown instanceof ConnectionError) {
    const hint = 'start it there, or name another server with `toolyard login` or TOOLYARD_BASE_URL'
    return { line: withHint(thrown.message, hint), exitCode: EXIT.unreachable }
  }
  if (thrown instanceof CallFailedError) return { line: thrown.message, exitCode: EXIT.failed }
  const { code, path } = thrown as NodeJS.ErrnoException
  if (code && path !== undefined)
    return {
      line: `${path} cannot be read or written (${code}): ${FILE_HINTS[code] ?? 'check the path'}`,
      exitCode: EXIT.failed,
    }
  return { line: thrown instanceof Error ? thrown.message : String(thrown), exitCode: EXIT.failed }
}

/** Hints for errors of files of this machine, by their codes. */
const FILE_HINTS: Readonly<Record<string, string>> = {
  EACCES: 'check its permissions',
  EPERM: 'check its permissions',
  EROFS: 'choose a place that can be written to',
  ENOSPC: 'make room there',
  EISDIR: 'name a file, or end the path of a directory with /',
}

/** Problem of the server in one line, with a hint where its detail says nothing of what to do. */
function problemLine(error: ApiError): string {
  const detail = withoutRequests(error.problem.detail)
  if (error instanceof SessionNotFoundError)
    return withHint(detail, 'make it with `toolyard sessions create`, or see `toolyard sessions`')
  if (detail.includes('; ')) return detail
  if (error instanceof NotFoundError) return withHint(detail, 'check the name')
  if (error instanceof InvalidInputError) return withHint(detail, 'correct it and try again')
  return withHint(detail, error.problem.hint)
}

/** A detail of the server without its advice for those who write requests, such as `make it by POST /v1/sessions`. */
function withoutRequests(detail: string): string {
  const [first = '', ...others] = detail.split('; ')
  const isRequest = (clause: string) => /\b(?:GET|POST|PUT|PATCH|DELETE) \/|\?\w+=/.test(clause)
  return [first.replace(/, which GET \S+ shows$/, ''), ...others.filter((clause) => !isRequest(clause))].join('; ')
}

const withHint = (message: string, hint: string): string => (hint === '' ? message : `${message}: ${hint}`)
