/** One session: its names, its history, its notes, its human tasks, and the tools that exist in it alone. */

/** Length of a session's name: a Durable Object's name has 1,024 bytes at most, and the tenant's id stands before it. */
export const MAX_SESSION_NAME_BYTES = 512
/** Length of a session's title, a label that people read. */
export const MAX_SESSION_TITLE_CHARS = 1_000
/** Requirements named when a session is made: each new sandbox of the session installs them again. */
export const MAX_REQUIREMENTS = 200

/** Time without a call after which a session gives its sandbox back; its files stay. */
export const SESSION_IDLE_MS = 30 * 60_000
/** The shortest lifetime of a session, in seconds: an agent thinks for a minute between two calls. */
export const MIN_LIFETIME_SECONDS = 60
/** The longest lifetime of a session, in seconds, a year: who wants more gives none, and the session stays. */
export const MAX_LIFETIME_SECONDS = 365 * 24 * 60 * 60
/** Hosts that a session may list in `internet`: an agent's package index, its git hosts, its own services. The sandbox host takes as many. */
export const MAX_INTERNET_HOSTS = 50
/** Characters of a host as it is given, which may be longer than the name that it stands for. */
export const MAX_INTERNET_HOST_CHARS = 255
/** Hosts of such a list that words for a model name. */
export const MAX_NAMED_HOSTS = 12
/** Files and directories, each, of a new session: a template of a project; an archive brings more. */
export const MAX_FIRST_FILES = 500
/** Node ids whose session an isolate remembers: together a few megabytes. */
export const NODE_NAME_CACHE_ENTRIES = 10_000

/** Tasks in one answer of `/api/task/list`, which has no paging of its own; the answer says when there are more. */
export const MAX_LISTED_TASKS = 10_000
/** Tasks of a tenant, the oldest first, among which one of a mistyped name is looked for: one page, and a millisecond. */
export const MAX_COMPARED_TASKS = 500
/** Calls kept in a session's history; older ones are dropped. */
export const MAX_HISTORY_CALLS = 10_000
/** Length of one call's arguments, and of its answer, as history keeps them. */
export const MAX_HISTORY_CHARS = 4_096
/**
 * Long answers that history keeps whole: of the newest calls that ran something, since their client may have left meanwhile, and
 * running them again is not the same. And the length of one: both streams of a command, and words about them.
 */
export const MAX_KEPT_ANSWERS = 16
export const MAX_KEPT_ANSWER_CHARS = 160 * 1024
/** Calls in one of a session's two log files, the newest: whoever polls a log reads all of them each time. */
export const MAX_LOG_CALLS = 500
/** Length of one of these files, in UTF-16 units, as MAX_READ_CHARS: one `file_read` returns it whole. */
export const MAX_LOG_CHARS = 1024 * 1024
/** Calls in one page of `/v1/sessions/{name}/calls`: each has up to 8 KiB of arguments and answer. */
export const MAX_LISTED_CALLS = 200
/** Length of one tool's note for its next call in the session, as JSON, e.g. what a search found: some pages of text. */
export const MAX_NOTE_CHARS = 128 * 1024

/** Time that one call of `human_in_loop` waits: the Tool Server's clients give up after 120 seconds, and can ask again. */
export const HUMAN_WAIT_MS = 100_000
/** The longest `timeout` of `human_in_loop`; without a timeout a person has all the time. */
export const MAX_HUMAN_TIMEOUT_MS = 365 * 24 * 60 * 60_000
/** Length of a human task's text: some pages. */
export const MAX_HUMAN_TASK_CHARS = 4_000
/** Part of that text in a list across sessions, in UTF-16 units: enough to see whom it is for. */
export const MAX_LISTED_QUESTION_CHARS = 500
/** Length of a person's answer, which a model reads. */
export const MAX_HUMAN_RESULT_CHARS = 16_000
/** Human tasks of one session, open and completed: one answer lists them all, in some megabytes at most. */
export const MAX_HUMAN_TASKS = 200

/** Tools that clients add to one session. */
export const MAX_OWN_TOOLS = 100
/** Length of the Python source of a client's tool: it goes into the sandbox whole. */
export const MAX_OWN_TOOL_CHARS = 64 * 1024
/** Parameters that the docstring of a client's tool describes. */
export const MAX_OWN_PARAMETERS = 100
/** Tools that calls make for their own session alone. */
export const MAX_MADE_TOOLS = 50
/** Length of a session's own tool as JSON, in UTF-16 units: each of its calls reads it, and a model wrote it in one go. */
export const MAX_MADE_TOOL_CHARS = 64 * 1024
/** Length of a test call's result as an answer shows it, in UTF-16 units: enough to see whether it is the right one. */
export const MAX_TEST_RESULT_CHARS = 4_000
