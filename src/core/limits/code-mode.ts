/** Code that calls tools: `code_run_tools`. */

/**
 * Calls of one run: as many as a chain makes (MAX_CHAIN_CALLS). Each is a request of the session's object, which may make 1,000 in
 * one of its own.
 */
export const MAX_CODE_CALLS = 500
/** Calls beyond MAX_CODE_CALLS that are answered with why they are refused; then the program's line to the session is cut. */
export const MAX_REFUSED_CODE_CALLS = 20
/** Calls of one run under way at once, as of a chain: others wait in the program. */
export const MAX_CODE_CALLS_AT_ONCE = 8
/** Size of one call as JSON: more than a model writes, and the content of a usual file. It passes through the session's memory twice. */
export const MAX_CODE_CALL_BYTES = 1024 * 1024
/** Length of one answer as JSON, in UTF-16 units: a whole file of MAX_READ_CHARS has as many, before quotes are escaped. */
export const MAX_CODE_ANSWER_CHARS = 2 * 1024 * 1024
/**
 * Length of all answers of one run together: the connection to a sandbox is renewed after 8 MiB, and other commands of the session share
 * it.
 */
export const MAX_CODE_ANSWERS_CHARS = 64 * 1024 * 1024
/** Length of the code: longer code belongs into a file of the task, which the code imports. */
export const MAX_CODE_CHARS = 128 * 1024
/** Names in `tools`: what a task needs is a handful. */
export const MAX_CODE_TOOL_NAMES = 100
/** Time for one run when the call says nothing, and at most, in seconds: as for a script, and for a chain. */
export const CODE_RUN_SECONDS = 300
export const MAX_CODE_RUN_SECONDS = 60 * 60
/** Time that calls under way have to end when their program has ended, in milliseconds: the answer waits for it. */
export const CODE_CALLS_END_MS = 500
/** Time for the supervisor to take an answer, in seconds. */
export const CODE_ANSWER_SECONDS = 60
