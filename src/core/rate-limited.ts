import * as z from 'zod'
import { type Failure, FailureError } from './failure.ts'
import { SANDBOX_RETRY_MS } from './limits/leases.ts'

/** Scopes of a limit: whose calls are counted together. */
export const LIMIT_SCOPES = ['tenant', 'key', 'agent', 'tool'] as const
export type LimitScope = (typeof LIMIT_SCOPES)[number]

const RateLimited = z.object({
  /** `server`: all tenants together. */
  scope: z.enum([...LIMIT_SCOPES, 'server']),
  kind: z.enum(['per-minute', 'concurrency', 'per-day', 'budget-per-day', 'sandboxes']),
  /** Calls, or millionths of the currency; 0 for running sandboxes, whose limit is not disclosed. */
  limit: z.number(),
  remaining: z.number(),
  /** Period that `limit` is for; null for calls that run at once, and for running sandboxes. */
  windowMs: z.number().nullable(),
  /** Time until a call could be let in again. */
  retryAfterMs: z.number(),
})
/** `data` of a failure with the code `rate_limited`. */
export type RateLimited = z.output<typeof RateLimited>

export const rateLimitedError = (message: string, data: RateLimited) =>
  new FailureError({ code: 'rate_limited', message, data: { ...data } })

/** Data of a rate-limit failure. @returns null for any other failure */
export function rateLimitedOf({ code, data }: Failure): RateLimited | null {
  const parsed = code === 'rate_limited' ? RateLimited.safeParse(data) : null
  return parsed?.success ? parsed.data : null
}

/**
 * Failure of a call that needs a running sandbox when there is none for it now.
 * @param scope whose sandboxes are too many
 */
export const noSandboxFailure = (why: string, scope: 'tenant' | 'server' = 'server'): Failure => ({
  code: 'rate_limited',
  message: `${why}; wait ${SANDBOX_RETRY_MS / 1_000} seconds, then call again`,
  data: {
    scope,
    kind: 'sandboxes',
    limit: 0,
    remaining: 0,
    windowMs: null,
    retryAfterMs: SANDBOX_RETRY_MS,
  } satisfies RateLimited,
})

/** Whether an error is {@link noSandboxFailure}. */
export const isNoSandbox = (thrown: unknown): thrown is FailureError =>
  thrown instanceof FailureError && rateLimitedOf(thrown.failure)?.kind === 'sandboxes'
