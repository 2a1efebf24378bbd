/** Calls over /v1 that go on without their client, their live output and their kept results, and batches of calls. */

/** Begun calls of one session running at once: each may hold MAX_LIVE_CHARS in memory. */
export const MAX_BEGUN_CALLS = 50
/** Calls of one session whose callers wait, and whose output is kept for those who follow them: each may hold MAX_LIVE_CHARS, too. */
export const MAX_FOLLOWED_CALLS = 50
/** Seconds that something runs before its output is sent for those who may follow such a call: what ends sooner costs nothing more. */
export const FOLLOWED_AFTER_SECONDS = 1
/** Calls that have ended, begun ones and others each, and whose output stays in memory for clients that connect again. */
export const MAX_ENDED_IN_MEMORY = 16
/** Live output of one call that is kept in memory, in UTF-16 units: what an answer shows of both streams, several times. */
export const MAX_LIVE_CHARS = 128 * 1024
/** Pieces of live output of one call that are kept: a command may print byte by byte. */
export const MAX_LIVE_PIECES = 2_000
/** Length of a result that stays in memory beside its output, as JSON: a longer one is read from the disk. */
export const MAX_RESULT_IN_MEMORY_CHARS = 256 * 1024

/** Pause between two looks at what a followed command has printed: as often as a person sees something move. */
export const LIVE_LOOK_MS = 100
/**
 * Bytes of live output of one command, at once and per second from then on: a connection to a sandbox takes 64 MiB at most before it
 * is renewed, which may last half a minute, and several commands share it.
 */
export const LIVE_BURST_BYTES = 256 * 1024
export const LIVE_BYTES_A_SECOND = 64 * 1024
/** Part of both for a call whose caller waits, and which perhaps nobody follows, and the pause between two looks at it. */
export const LIVE_LATE_SHARE = 0.25
export const LIVE_LATE_LOOK_MS = 500
/** Size of one message with live output: six times as much in JSON is still shorter than the longest reply. */
export const LIVE_MESSAGE_BYTES = 32 * 1024

/**
 * Pause between two alarms of a session with begun calls. What an object waits for keeps it in memory; where that fails, the next
 * alarm notes the calls as lost, though nobody asks for them.
 */
export const BEGUN_LOOK_MS = 30_000

/** Results of begun calls that a session keeps, the newest; the length of one and of all together, as JSON: a picture is five million. */
export const MAX_KEPT_RESULTS = 64
export const MAX_KEPT_RESULT_CHARS = 11 * 1024 * 1024
export const MAX_KEPT_RESULTS_CHARS = 32 * 1024 * 1024
/** Time that a begun call's result is kept. */
export const RESULT_KEPT_MS = 24 * 60 * 60_000
/** Length of one row of a kept result, in UTF-16 units: a row of a Durable Object has 2 MB at most. */
export const RESULT_PART_CHARS = 512 * 1024

/** Longest time that a request waits for the end of its call: proxies give up on an answer that takes longer. */
export const MAX_CALL_WAIT_SECONDS = 300

/** Files that an answer names as changed by its call: a build makes thousands. */
export const MAX_ANSWERED_FILES = 100

/** Calls of one batch: a Worker may make 1,000 subrequests in one request, and each call is one. */
export const MAX_BATCH_CALLS = 50
/** Calls of a parallel batch that are made at once: their answers are in memory together. */
export const MAX_BATCH_AT_ONCE = 8
/** Length of a batch's answer as JSON, in UTF-16 units, in equal shares: each of 50 has room for an answer of usual length, twice. */
export const MAX_BATCH_ANSWER_CHARS = 8 * 1024 * 1024
