import { FailureError } from '../../core/failure.ts'
import type { HttpResponse } from '../../ports/http.ts'

/** Statuses of a passing problem: the same request may soon succeed. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])

interface Attempt {
  /** Number of the attempt, from 1. */
  readonly attempt: number
  readonly backoffMs: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Pause before the next attempt, in milliseconds: as long as the service says, else twice as long as before.
 * @returns null when another attempt would not help
 */
export function retryPause(
  answer: HttpResponse | { readonly thrown: unknown },
  { attempt, backoffMs, now }: Attempt,
): number | null {
  if ('thrown' in answer) {
    const isPassing = answer.thrown instanceof FailureError && answer.thrown.failure.code === 'upstream'
    return isPassing ? backoff(backoffMs, attempt) : null
  }
  if (!PASSING.has(answer.status)) return null
  return retryAfter(answer, now) ?? backoff(backoffMs, attempt)
}

/** Exponential backoff with chance in it: callers that failed together should not come back together. */
const backoff = (ms: number, attempt: number) => ms * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)

/**
 * Pause that a service demands: seconds, or a date. Source: RFC 9110, 10.2.3.
 * @returns milliseconds; null when it does not say
 */
export function retryAfter({ headers }: HttpResponse, now: number): number | null {
  const given = headers.get('retry-after')
  if (given === null) return null
  // Some services send fractions, which the engine would take for a date long ago.
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(given.trim())) return Number(given) * 1_000
  const date = /[a-z]{3}/i.test(given) ? Date.parse(given) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
