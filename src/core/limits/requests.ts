/** Limits of one request over HTTP and its answer. */

/** Size of a request's body: a Durable Object RPC carries 32 MiB, and a body becomes arguments of about its own size. */
export const MAX_BODY_BYTES = 28 * 1024 * 1024
/** Size of one call's arguments on the way to its session, with room for its caller, below the 32 MiB of an RPC. */
export const MAX_RPC_BYTES = 31 * 1024 * 1024
/** Length of argument texts that are sent unpacked, in UTF-16 units: with two bytes for each, half of what an RPC carries. */
export const MAX_PLAIN_RPC_CHARS = 8 * 1024 * 1024
/** Depth of JSON: deeper than any tool's arguments; a recursive walk over it stays far from the stack's end. */
export const MAX_JSON_DEPTH = 64
/**
 * Values of one body, lists and objects included: millions of empty ones within MAX_BODY_BYTES take several times an isolate's
 * 128 MB.
 */
export const MAX_JSON_VALUES = 1_000_000
/** Parts of a form: a file, and its fields. */
export const MAX_FORM_PARTS = 50_000
/** Size of the headers of a form's part: two names and a type. A name longer than any file's gets an error of its own. */
export const MAX_FORM_PART_HEADER_BYTES = 16 * 1024
/**
 * Length of arguments as text that a Lagent client sends, or of a body that is read again for Python: reading a tuple costs some
 * thirty bytes of memory for each character.
 */
export const MAX_INPUT_TEXT_CHARS = 1_000_000
/** Length of one text in the arguments that Lagent's answers repeat: a file's content need not go back to its sender. */
export const MAX_ECHOED_CHARS = 10_000
/** Length of the input as an error repeats it, in JSON: longer input is cut. */
export const MAX_ECHOED_INPUT_CHARS = 1_000

/** Time that one request waits for a notice about a call; then it reports the call's state, and the next one waits on. */
export const MAX_FOLLOW_MS = 20_000
/** `Retry-After` after a restart inside of the server: an object is there again within milliseconds, a deploy takes longer. */
export const UNAVAILABLE_RETRY_SECONDS = 1
/** `Retry-After` of an object that has more to do than it can: what is queued for it is refused after some ten seconds. */
export const OVERLOADED_RETRY_SECONDS = 5
/**
 * Attempts of a request to an object that is lost, where it may be repeated. The platform's own attempts come before each of them;
 * these are for what it does not repeat, such as a restart while the object answers.
 */
export const OBJECT_ATTEMPTS = 3
/** Pause before the second attempt; before the third it is twice as long. Up to half of each is random, so that callers come apart. */
export const OBJECT_PAUSE_MS = 100
/** Time of one stream of a call's events; then a client connects again, and goes on where it was. */
export const EVENTS_MS = 30 * 60_000
/**
 * Time after which the key of an event stream is judged again: with what its cache remembers (KEY_CACHE_MS) and the longest silence
 * of a stream (MAX_FOLLOW_MS), streams of a revoked key end within the minute.
 */
export const EVENTS_KEY_MS = 10_000
/** Polls of one event stream: a Worker may make 1,000 subrequests in one request. */
export const MAX_EVENT_LOOKS = 500
/** Longest pause between two polls of a stream: each is longer than the one before, so that they last for some twenty minutes. */
export const MAX_EVENTS_PAUSE_MS = 4_000

/** Files that one call names in a list (infiAgent's dialect): each is read by a call of its own in the session. */
export const MAX_PATHS_PER_CALL = 50
/** Length of all files together that one call reads in infiAgent's dialect, in UTF-16 units: they are in memory at once. */
export const MAX_READ_TOGETHER_CHARS = 4 * 1024 * 1024
/** Lines of such a reading call, each an object of its own in the answer: a file of line breaks has a million in 1 MiB. */
export const MAX_NUMBERED_LINES = 100_000
