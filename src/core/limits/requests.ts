/** One request over HTTP and its answer. */

/** A Durable Object RPC carries 32 MiB; a body becomes arguments of about its own size. */
export const MAX_BODY_BYTES = 28 * 1024 * 1024
/** Size of one call's arguments on the way to its session, with room for who makes it, below the 32 MiB of an RPC. */
export const MAX_RPC_BYTES = 31 * 1024 * 1024
/** Texts of arguments that go as they are, in UTF-16 units: with two bytes for each, half of what an RPC carries. */
export const MAX_PLAIN_RPC_CHARS = 8 * 1024 * 1024
/** Deeper JSON than any tool's arguments; a recursive walk over it stays far from the stack's end. */
export const MAX_JSON_DEPTH = 64
/** Lists, objects and what they hold, of one body: millions of empty ones within MAX_BODY_BYTES take several times an isolate's 128 MB. */
export const MAX_JSON_VALUES = 1_000_000
/** Parts of a form: a file, and what is said of it. */
export const MAX_FORM_PARTS = 50_000
/** What stands before the content of a part: two names and a type. A name that is longer than any file's is refused in words of its own. */
export const MAX_FORM_PART_HEADER_BYTES = 16 * 1024
/** Arguments as text that a Lagent client sends, or a body that is read again for Python: reading a tuple costs some thirty bytes of memory for each character. */
export const MAX_INPUT_TEXT_CHARS = 1_000_000
/** Length of one text in the arguments that Lagent's answers repeat: a file's content need not go back to who sent it. */
export const MAX_ECHOED_CHARS = 10_000
/** Length of what was sent, as JSON, in the answer that says what is wrong with it: what is longer is cut. */
export const MAX_ECHOED_INPUT_CHARS = 1_000

/** One request that waits for news of a call; then it says how it is, and the next one waits on. */
export const MAX_FOLLOW_MS = 20_000
/** `Retry-After` of what a restart inside of the server cut off: an object is there again within milliseconds, a deploy takes longer. */
export const UNAVAILABLE_RETRY_SECONDS = 1
/** One stream of a call's events; then a client connects again, and goes on where it was. */
export const EVENTS_MS = 30 * 60_000
/** Looks of one such stream: a Worker may ask others 1,000 times in one request. */
export const MAX_EVENT_LOOKS = 500

/** Files that one call names in a list (infiAgent's words): each is a call of its own in the session. */
export const MAX_PATHS_PER_CALL = 50
/** Text of all files together that one call reads in infiAgent's words, in UTF-16 units: they are in memory at once. */
export const MAX_READ_TOGETHER_CHARS = 4 * 1024 * 1024
/** Lines of one such call, each an object of its own in the answer: a file of line breaks has a million in 1 MiB. */
export const MAX_NUMBERED_LINES = 100_000
