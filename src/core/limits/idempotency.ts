/** Answers that are kept for requests with an idempotency key. */

/** Length of a key, in characters. */
export const MAX_IDEMPOTENCY_KEY_CHARS = 255
/** Time for which an answer is kept: a client that comes back on the next day still does nothing twice. */
export const IDEMPOTENCY_KEPT_MS = 24 * 60 * 60_000
/** Size of one kept answer, as JSON in UTF-8: a row of a Durable Object holds 2 MB. A larger one says where the rest is. */
export const MAX_KEPT_OUTCOME_BYTES = 1024 * 1024
/** Kept answers of one session's calls, and of one tenant's other requests: a busy agent's day. The oldest go first. */
export const MAX_KEPT_OUTCOMES = 1_000
/** Size of all kept answers of one session, and of one tenant's other requests: they lie beside the files, in the same database. */
export const MAX_KEPT_OUTCOMES_BYTES = 16 * 1024 * 1024
/** Keys after which the number and the size of kept answers are checked: for each alone this would be a look at all of them. */
export const KEPT_OUTCOMES_CHECK_EVERY = 20
/** `Retry-After` of a request whose twin is under way: most calls take less. */
export const IN_USE_RETRY_SECONDS = 1
/**
 * Time after which a request that is no call counts as cut off when its end is not known: the Worker that answers it is given half a
 * minute beyond the client's leaving, and an installation of a package takes minutes.
 */
export const REQUEST_IN_FLIGHT_MS = 5 * 60_000
