/** Requests that one isolate works on at once, and how they wait for their turn. An isolate has one thread. */

/** Requests at work at once while several tenants have some, of all together; a tenant that has none gets one besides. In
 * production sessions work elsewhere, and a request mostly waits for them. */
export const REQUEST_SLOTS = 32
/** The same of a local server, where sessions work on the same thread: a request finds about twice as many before it. */
export const LOCAL_REQUEST_SLOTS = 2
/** The same of a tenant that is alone: enough to keep the thread busy while requests wait for storage. */
export const LONE_REQUEST_SLOTS = 32
/** A tenant is alone when no other one has sent a request for so long. */
export const CONTENTION_MS = 5_000
/** A request that has a body takes a slot for each so many bytes of it: parsing them holds the thread. */
export const SLOT_BODY_BYTES = 1024 * 1024
/** A request at work for longer waits for something else than the thread: its slots are free for others then. */
export const SLOT_MS = 1_000
/** Requests of one tenant that wait for a slot: some ten kilobytes each, and they are served within a few seconds. */
export const MAX_WAITING_REQUESTS = 1_000
/** Requests of all tenants that wait, beyond the first one of each: tens of an isolate's 128 MB. */
export const MAX_ALL_WAITING_REQUESTS = 4_000
/** Waiting for a slot: clients give up after one or two minutes, and should hear before what was wrong. */
export const MAX_REQUEST_WAIT_MS = 20_000
/** Calls and other requests of one tenant that wait for something else than the thread, e.g. for a command: as many as its
 * DEFAULT_RUNNING_CALLS. */
export const MAX_LONG_REQUESTS = 1_000
/** A request that waits or is long is counted for so long after it last said that it lives: the code of one whose client went
 * away ends without a word. Longer than anything holds the thread. */
export const LEASE_MS = 10_000
export const LEASE_RENEWED_MS = 3_000
/** The same of a request that became a long one without knowing it. None works for longer. */
export const UNRENEWED_LEASE_MS = 5 * 60_000
/** Event streams of one tenant that are open at once: each asks its session again and again. */
export const MAX_EVENT_STREAMS = 200
/** Such a stream is counted for so long at most; it ends itself after EVENTS_MS, unless its client reads nothing. */
export const STREAM_LEASE_MS = 60 * 60_000
/** When somebody who has too many requests may send one again. */
export const ADMISSION_RETRY_MS = 2_000
