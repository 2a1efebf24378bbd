import {
  ApiError,
  CallFailedError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InsufficientStorageError,
  LimitExceededError,
  NotFoundError,
  PreconditionFailedError,
  ServerTimeoutError,
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
    return { line: withHint(thrown.problem.detail, hint), exitCode: EXIT.notSignedIn }
  }
  if (thrown instanceof ApiError) {
    const { detail, hint, request_id } = thrown.problem
    const line = withHint(detail, hint)
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
  return { line: thrown instanceof Error ? thrown.message : String(thrown), exitCode: EXIT.failed }
}

const withHint = (message: string, hint: string): string => (hint === '' ? message : `${message}: ${hint}`)
