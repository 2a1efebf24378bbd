import { z } from 'zod'
import { type Failure, FailureError } from './failure.ts'

/** Whose calls were counted together, and what of them there were too many. */
export const LIMIT_SCOPES = ['tenant', 'key', 'agent', 'tool'] as const
export type LimitScope = (typeof LIMIT_SCOPES)[number]

const RateLimited = z.object({
  scope: z.enum(LIMIT_SCOPES),
  kind: z.enum(['per-minute', 'concurrency', 'per-day', 'budget-per-day']),
  /** Calls, or millionths of the currency. */
  limit: z.number(),
  remaining: z.number(),
  /** What `limit` is for; null for calls that run at once. */
  windowMs: z.number().nullable(),
  /** Until a call could be let in again. */
  retryAfterMs: z.number(),
})
/** `data` of a failure with the code `rate_limited`. */
export type RateLimited = z.output<typeof RateLimited>

export const rateLimitedError = (message: string, data: RateLimited) =>
  new FailureError({ code: 'rate_limited', message, data: { ...data } })

/** @returns null for any other failure */
export function rateLimitedOf({ code, data }: Failure): RateLimited | null {
  const parsed = code === 'rate_limited' ? RateLimited.safeParse(data) : null
  return parsed?.success ? parsed.data : null
}
