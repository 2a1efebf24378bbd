import type { Failure } from '../core/failure.ts'
import { OVERLOADED_RETRY_SECONDS } from '../core/limits/requests.ts'

/**
 * Kind of a Durable Object's loss during a request: `reset` when it was restarted, or the way to it was cut; `overloaded`
 * when it has too much to do, and must not get the same request again at once. Null for errors of any other kind.
 * @see https://developers.cloudflare.com/durable-objects/best-practices/error-handling/
 */
export function lossOf(thrown: unknown): 'reset' | 'overloaded' | null {
  if (!(thrown instanceof Error)) return null
  const { overloaded, retryable, durableObjectReset } = thrown as Error & Marks
  if (overloaded === true) return 'overloaded'
  return retryable === true || durableObjectReset === true || thrown.message === CONNECTION_LOST ? 'reset' : null
}

/** Marks that the runtime puts on errors of objects. */
interface Marks {
  readonly overloaded?: unknown
  readonly retryable?: unknown
  readonly durableObjectReset?: unknown
}

/** Text of an error that may come without marks. */
const CONNECTION_LOST = 'Network connection lost.'

/** Failure of an interrupted request that may have changed something. */
export const LOST_FAILURE: Failure = {
  code: 'unavailable',
  message:
    'the server was restarted while this was under way, so it may have been done, in part or as a whole; look at what it was to change, or at the history of calls, before you send it again',
}

/** Failure of an interrupted request that is safe to repeat. */
export const LOST_REPEATABLE_FAILURE: Failure = {
  code: 'unavailable',
  message: 'the server is being restarted; send the same again in a second, it does no harm twice',
}

const OVERLOADED = {
  code: 'unavailable',
  data: { retryAfterSeconds: OVERLOADED_RETRY_SECONDS },
} as const

/** Failure of a request that an object with too much to do may have carried out all the same. */
export const OVERLOADED_FAILURE: Failure = {
  ...OVERLOADED,
  message: `the server has too much to do for this, so it may have been done or not; wait ${OVERLOADED_RETRY_SECONDS} seconds, look at what it was to change, or at the history of calls, and send fewer requests at once`,
}

/** Failure of a request to an object with too much to do that is safe to repeat. */
export const OVERLOADED_REPEATABLE_FAILURE: Failure = {
  ...OVERLOADED,
  message: `the server has too much to do for this; wait ${OVERLOADED_RETRY_SECONDS} seconds, then send the same again, and fewer requests at once; it does no harm twice`,
}
