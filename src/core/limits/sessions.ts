/** One session: its names, history, notes, the people it asks, and the tools that exist in it alone. */

/** A Durable Object's name has 1,024 bytes at most, and the tenant's id stands before it. */
export const MAX_SESSION_NAME_BYTES = 512
/** A label that people read. */
export const MAX_SESSION_TITLE_CHARS = 1_000
/** Packages named when a session is made: they are installed again in every new sandbox of it. */
export const MAX_REQUIREMENTS = 200

/** A session without a call for this long gives its sandbox back; its files stay. */
export const SESSION_IDLE_MS = 30 * 60_000
/** Node ids whose session an isolate remembers: a few megabytes. */
export const NODE_NAME_CACHE_ENTRIES = 10_000

/** Tasks in one answer of `/api/task/list`, which has no paging of its own; it says so when there are more. */
export const MAX_LISTED_TASKS = 10_000
/** Calls kept in a session's history; older ones are dropped. */
export const MAX_HISTORY_CALLS = 10_000
/** Of one call's arguments, and of its answer, as kept in history. */
export const MAX_HISTORY_CHARS = 4_096
/** Calls in one page of `/v1/sessions/{name}/calls`: each has up to 8 KiB of arguments and answer. */
export const MAX_LISTED_CALLS = 200
/** Characters of JSON that a tool notes for its next call in the session, e.g. what a search found: some pages of text. */
export const MAX_NOTE_CHARS = 128 * 1024

/** One call of `human_in_loop` waits this long: the Tool Server's clients give up after 120 seconds, and can ask again. */
export const HUMAN_WAIT_MS = 100_000
/** The longest `timeout` of `human_in_loop`; without one a person has all the time. */
export const MAX_HUMAN_TIMEOUT_MS = 365 * 24 * 60 * 60_000
/** What a person is asked: some pages. */
export const MAX_HUMAN_TASK_CHARS = 4_000
/** What a person answers, and a model reads. */
export const MAX_HUMAN_RESULT_CHARS = 16_000
/** Human tasks of one session, open and completed: they are listed in one answer, of some megabytes at most. */
export const MAX_HUMAN_TASKS = 200

/** Tools that clients bring to one session. */
export const MAX_OWN_TOOLS = 100
/** Python of one of these: it goes into the sandbox whole. */
export const MAX_OWN_TOOL_CHARS = 64 * 1024
/** Parameters that its docstring describes. */
export const MAX_OWN_PARAMETERS = 100
/** Tools that calls of one session make for it alone. */
export const MAX_MADE_TOOLS = 50
/** One of these as JSON, in UTF-16 units: it is read at each of its calls, and a model wrote it in one go. */
export const MAX_MADE_TOOL_CHARS = 64 * 1024
/** What an answer shows of the result of a test call, in UTF-16 units: enough to see whether it is the right one. */
export const MAX_TEST_RESULT_CHARS = 4_000
