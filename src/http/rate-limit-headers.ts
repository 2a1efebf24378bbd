import type { Failure } from '../core/failure.ts'
import { IN_USE_RETRY_SECONDS } from '../core/limits/idempotency.ts'
import { UNAVAILABLE_RETRY_SECONDS } from '../core/limits/requests.ts'
import type { Outcome } from '../core/outcome.ts'
import { type RateLimited, rateLimitedOf } from '../core/rate-limited.ts'

/**
 * Headers about a limit that a call ran into: `Retry-After`, and the fields of draft-ietf-httpapi-ratelimit-headers-11. A
 * restart inside of the server has `Retry-After`, any other failure no header.
 */
export function rateLimitHeaders(failure: Failure): Record<string, string> {
  if (failure.code === 'unavailable') {
    const seconds = failure.data?.retryAfterSeconds
    return { 'Retry-After': `${typeof seconds === 'number' ? seconds : UNAVAILABLE_RETRY_SECONDS}` }
  }
  if (failure.code === 'key_in_use') return { 'Retry-After': `${IN_USE_RETRY_SECONDS}` }
  const limited = rateLimitedOf(failure)
  if (!limited) return {}
  const { limit, kind, retryAfterMs, windowMs } = limited
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000))
  const policy = `"${policyName(limited)}"`
  const window = windowMs === null ? ';qu="concurrent-requests"' : `;w=${windowMs / 1_000}`
  return {
    'Retry-After': `${seconds}`,
    RateLimit: `${policy};r=${limited.remaining};t=${seconds}`,
    // Neither money nor sandboxes are a unit of these fields.
    ...(kind !== 'budget-per-day' && kind !== 'sandboxes' && { 'RateLimit-Policy': `${policy};q=${limit}${window}` }),
  }
}

/** Rate-limit headers of a call's outcome. */
export const outcomeHeaders = (outcome: Outcome) => ('failure' in outcome ? rateLimitHeaders(outcome.failure) : {})

/** Status of an answer that is 200 whatever the outcome, but for a call that was cut off by a restart of the server. */
export const outcomeStatus = (outcome: Outcome) =>
  outcome.kind === 'failed' && outcome.failure.code === 'unavailable' ? 503 : 200

export const policyName = ({ scope, kind }: RateLimited) => `${scope}-${kind}`
