/** Requests that one isolate works on at once, and their queue. An isolate has one thread. */

/**
 * Requests at work at once, of all tenants together, while several tenants have some; a tenant without one gets one besides. In
 * production sessions work elsewhere, and a request mostly waits for them.
 */
export const REQUEST_SLOTS = 32
/**
 * Requests at work at once on a local server, where sessions work on the same thread: a request finds about twice as many before
 * it.
 */
export const LOCAL_REQUEST_SLOTS = 2
/** Requests at work at once of a tenant that is alone: enough to keep the thread busy while requests wait for storage. */
export const LONE_REQUEST_SLOTS = 32
/** Time without another tenant's request after which a tenant counts as alone. */
export const CONTENTION_MS = 5_000
/** Bytes of a request's body for which it takes one slot: parsing them holds the thread. */
export const SLOT_BODY_BYTES = 1024 * 1024
/** Time after which a request at work frees its slots: it waits for something else than the thread. */
export const SLOT_MS = 1_000
/** Requests of one tenant queued for a slot: some ten kilobytes each, served within a few seconds. */
export const MAX_WAITING_REQUESTS = 1_000
/** Requests of all tenants queued for a slot, beyond the first one of each: tens of an isolate's 128 MB. */
export const MAX_ALL_WAITING_REQUESTS = 4_000
/** Time that a request waits for a slot: clients give up after one or two minutes, and should hear before what was wrong. */
export const MAX_REQUEST_WAIT_MS = 20_000
/**
 * Requests of one tenant that wait for something else than the thread, e.g. for a command: as many as its DEFAULT_RUNNING_CALLS.
 */
export const MAX_LONG_REQUESTS = 1_000
/**
 * Time that a queued or long request is counted after it last renewed its lease: the code of a request whose client went away
 * ends without a word. Longer than anything holds the thread.
 */
export const LEASE_MS = 10_000
export const LEASE_RENEWED_MS = 3_000
/** Time that a long request without a renewed lease is counted: none works for longer. */
export const UNRENEWED_LEASE_MS = 5 * 60_000
/** Open event streams of one tenant: each polls its session again and again. */
export const MAX_EVENT_STREAMS = 200
/** Time that an event stream is counted at most; it ends itself after EVENTS_MS, unless its client reads nothing. */
export const STREAM_LEASE_MS = 60 * 60_000
/** `Retry-After` of a caller with too many requests. */
export const ADMISSION_RETRY_MS = 2_000
