/** Milliseconds of one attempt of a request, unless it says otherwise. The server answers anything but calls within seconds. */
export const REQUEST_TIMEOUT_MS = 60_000
/** Milliseconds of one attempt of a call: a tool may install packages for twenty minutes. */
export const CALL_TIMEOUT_MS = 1_200_000
/** Times that a request is sent again: a restarted server is back within a second. */
export const MAX_RETRIES = 3
/** Milliseconds before the first repetition; each further one waits twice as long. */
export const FIRST_PAUSE_MS = 500
/** Most milliseconds before a repetition where the server names none. */
export const MAX_PAUSE_MS = 8_000
/** Most milliseconds of a `Retry-After` that are waited: with a longer one the error is the caller's. */
export const MAX_RETRY_AFTER_MS = 60_000
/** Milliseconds without a byte after which a stream of events counts as cut: the server sends a comment every 20 seconds. */
export const STREAM_SILENCE_MS = 60_000
/** Characters of one event: an answer of the server has fewer than half of them. */
export const MAX_EVENT_CHARS = 64 * 2 ** 20
