import type { Failure } from '../core/failure.ts'
import type { Outcome } from '../core/outcome.ts'
import { type RateLimited, rateLimitedOf } from '../core/rate-limited.ts'

/**
 * What an answer says of a limit that a call ran into: `Retry-After`, and the fields of
 * draft-ietf-httpapi-ratelimit-headers-11. Of any other failure nothing.
 */
export function rateLimitHeaders(failure: Failure): Record<string, string> {
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

/** The same, of a call's outcome. */
export const outcomeHeaders = (outcome: Outcome) => ('failure' in outcome ? rateLimitHeaders(outcome.failure) : {})

export const policyName = ({ scope, kind }: RateLimited) => `${scope}-${kind}`
