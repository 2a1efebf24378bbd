import {
  ADMISSION_RETRY_MS,
  MAX_EVENT_STREAMS,
  MAX_LONG_REQUESTS,
  MAX_REQUEST_WAIT_MS,
  MAX_WAITING_REQUESTS,
} from '../../core/limits/admission.ts'
import { BODY_WAIT_MS, TENANT_BODY_ROOM_BYTES } from '../../core/limits/memory.ts'
import { rateLimitedError } from '../../core/rate-limited.ts'

/** Errors of a tenant with too much under way in one isolate. All are `rate_limited`. */
const tooMany = (what: string, limit: number) =>
  rateLimitedError(`${what}; try again in ${ADMISSION_RETRY_MS / 1_000} seconds, and with fewer requests at once`, {
    scope: 'tenant',
    kind: 'concurrency',
    limit,
    remaining: 0,
    windowMs: null,
    retryAfterMs: ADMISSION_RETRY_MS,
  })

export const waitingRequestsError = () =>
  tooMany(
    `too many requests wait already, of one tenant up to ${MAX_WAITING_REQUESTS} (MAX_WAITING_REQUESTS)`,
    MAX_WAITING_REQUESTS,
  )

export const waitedTooLongError = () =>
  tooMany(
    `the request waited for ${MAX_REQUEST_WAIT_MS / 1_000} seconds behind others of its tenant (MAX_REQUEST_WAIT_MS)`,
    MAX_WAITING_REQUESTS,
  )

export const longRequestsError = () =>
  tooMany(`the tenant has ${MAX_LONG_REQUESTS} calls under way that take long (MAX_LONG_REQUESTS)`, MAX_LONG_REQUESTS)

export const eventStreamsError = () =>
  tooMany(`the tenant has ${MAX_EVENT_STREAMS} event streams open (MAX_EVENT_STREAMS)`, MAX_EVENT_STREAMS)

export const noBodyRoomError = () =>
  tooMany(
    `too many large requests are under way or wait (for up to ${BODY_WAIT_MS / 1_000} seconds, BODY_WAIT_MS), and there was no room for this one`,
    TENANT_BODY_ROOM_BYTES,
  )
