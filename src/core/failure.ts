import { DISK_FULL, isDiskFull } from './disk-full.ts'
import type { Saying } from './saying/saying.ts'
import { CANONICAL, type Vocabulary, worded } from './saying/worded.ts'

/** Code of a failure: every way a call can fail, in any dialect. Each dialect maps codes to its own vocabulary. */
export type FailureCode =
  | 'invalid_input' // the caller can fix the arguments
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'session_not_found' // the session itself was never made, or was removed
  | 'conflict' // the requested thing exists already, or somebody else is changing it
  | 'limit_exceeded' // a size or a number: the same again is refused again
  | 'rate_limited' // too many for now
  | 'insufficient_storage' // the disk is full: what writes waits until somebody frees space
  | 'timeout'
  | 'unavailable' // the server itself was restarted meanwhile: whether it was done is not known, unless the message says so
  | 'key_reused' // an idempotency key came with another request before
  | 'key_in_use' // the first request with that idempotency key is under way
  | 'outcome_unknown' // a crash cut off the first request with that idempotency key
  | 'answer_not_kept' // the first request with that idempotency key was carried out, and its answer is kept no longer
  | 'upstream' // the sandbox, or another service we depend on
  | 'internal'

export interface Failure {
  readonly code: FailureCode
  /** Text for the model, so it says what to do next. Never a secret, a stack or an upstream body. */
  readonly message: string
  /** The same text in parts, where something in it has another name in other dialects. */
  readonly parts?: Saying
  /** Results that the tool can show although it failed, e.g. a command's output before its deadline. JSON. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** A failure as an error, inside one isolate. `cause`, and the message with advice to the owner, are for our logs only. */
export class FailureError extends Error {
  override readonly name = 'FailureError'
  readonly failure: Failure

  constructor(failure: Failure, options?: ErrorOptions) {
    super(`[${failure.code}] ${failure.parts ? worded(failure.parts, FOR_THE_LOG) : failure.message}`, options)
    this.failure = failure
  }
}

const FOR_THE_LOG: Vocabulary = { ...CANONICAL, isOwner: true }

/** A failure of a call that was refused: the tool behind it never ran. */
export class RefusalError extends FailureError {}

/**
 * Throws a {@link FailureError}; the one way to say "cannot" below the isolate boundary.
 * @param message in parts, by `say`, where it names a tool, an argument or a place
 */
export function fail(
  code: FailureCode,
  message: string | Saying,
  options: ErrorOptions & { data?: Readonly<Record<string, unknown>> } = {},
): never {
  const { data, ...rest } = options
  throw new FailureError(failureWith(code, message, data), rest)
}

export function failureWith(code: FailureCode, message: string | Saying, data?: Failure['data']): Failure {
  const plain = typeof message === 'string' || message.every((part) => typeof part === 'string')
  const parts = plain ? { message: [message].flat().join('') } : { message: worded(message), parts: message }
  return { code, ...parts, ...(data && { data }) }
}

/** The message in parts, to be put into another one. */
export const messageParts = ({ parts, message }: Failure): Saying => parts ?? [message]

/** The failure in the names of a dialect. */
export function failureIn(failure: Failure, vocabulary: Vocabulary): Failure {
  const { parts, ...rest } = failure
  return parts ? { ...rest, message: worded(parts, vocabulary) } : failure
}

/** Value of a piece of work; null where it fails with one of these codes. */
export async function orNull<T>(work: Promise<T>, ...codes: readonly FailureCode[]): Promise<T | null> {
  try {
    return await work
  } catch (thrown) {
    if (thrown instanceof FailureError && codes.includes(thrown.failure.code)) return null
    throw thrown
  }
}

/** Failure of any thrown value: anything unforeseen becomes an opaque `internal`, as its text may hold another tenant's data. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof FailureError) return thrown.failure
  if (isDiskFull(thrown)) return DISK_FULL
  return { code: 'internal', message: 'internal error; try again, and report it if it stays' }
}
