/** Client of Toolyard for TypeScript: see docs/clients/typescript.md. It needs no other package. */
// biome-ignore-all lint/performance/noBarrelFile: what the package exports as `toolyard/client`
export type { RawBody } from './body.ts'
export type { ArgumentsOf, CallAnswer, CallOptions, Calls, ToolName } from './calls.ts'
export {
  AnswerNotKeptError,
  ApiError,
  CallFailedError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  GoneError,
  InsufficientStorageError,
  InternalError,
  InvalidInputError,
  KeyInUseError,
  KeyReusedError,
  LimitExceededError,
  MethodNotAllowedError,
  NotFoundError,
  OutcomeUnknownError,
  PreconditionFailedError,
  type Problem,
  type ProblemCode,
  RangeNotSatisfiableError,
  RateLimitedError,
  ServerTimeoutError,
  SessionNotFoundError,
  TimeoutError,
  ToolyardError,
  UnauthenticatedError,
  UnavailableError,
  UpstreamError,
} from './errors.ts'
export type { ServerEvent } from './events.ts'
export type { FileCondition, Files, WatchedCommit } from './files.ts'
export type { Operations, Schemas } from './generated/api.ts'
export type { ToolArguments } from './generated/tools.ts'
export type { Moment } from './moment.ts'
export { Pages } from './pages.ts'
export type { CommandResult, Output, Picture, PythonResult } from './results.ts'
export type { Answer, Given, Route } from './routes.ts'
export type { PythonOptions, RunOptions, Session } from './session.ts'
export type { Sessions, SessionToCreate } from './sessions.ts'
export type { Snapshots } from './snapshots.ts'
export { Toolyard } from './toolyard.ts'
export type { Attempt, Hooks, RequestOptions, ToolyardOptions } from './transport.ts'
