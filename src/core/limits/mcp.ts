/** Limits of what clients of MCP see. */

/** Name of a tool: some hosts put the server's before it, and drop what is longer than 60 together. */
export const MAX_MCP_NAME_CHARS = 40
/** Tools on one page of `tools/list`; hosts send a model 128 at most. */
export const MCP_TOOLS_PAGE = 200
/** Lists of the server's own tools that an isolate keeps, one for each choice of listed toolkits: each has up to 100 kB as text. */
export const MAX_MCP_KEPT_LISTS = 24
/** Time for which a client may keep a list, and what `server/discover` says. */
export const MCP_LIST_TTL_MS = 60_000

/** Tools that `search_tools` finds when its caller names no number, and at most: each is a name and a sentence. */
export const MCP_FOUND_TOOLS = 10
export const MAX_MCP_FOUND_TOOLS = 50
/** Tools that one `describe_tools` describes, and the characters of its answer: a schema may have half a million. */
export const MAX_MCP_DESCRIBED_TOOLS = 20
export const MAX_MCP_DESCRIBED_CHARS = 64_000
/** Seconds that one `tool_status` waits for the end of a call. */
export const MAX_MCP_STATUS_WAIT_SECONDS = 100

/** Length of one result's text, unless its call names one by max_chars: the budget of the longest answers of tools. */
export const MCP_TEXT_CHARS = 64_000
/** Room for what stands beside a tool's own text: notes, and the line that says what was cut. */
export const MCP_NOTES_CHARS = 4_000
/** Length that hosts of Anthropic are told to take whole: else they put what is longer than 50,000 characters into a file. */
export const MCP_HOST_RESULT_CHARS = 200_000
/** Changed files that a result links to; more are a number. */
export const MAX_MCP_FILE_LINKS = 10
/** Images of one result, and their base64 together in characters: what models take in one message. */
export const MAX_MCP_IMAGES = 8
export const MAX_MCP_IMAGE_CHARS = 5_000_100
/** Registered tools of one list whose result's schema is looked up, each by a request to the tenant's object. */
export const MAX_MCP_OUTPUT_SCHEMAS = 100

/** Pause between two progress notifications of one call: as often as a person reads a line. */
export const MCP_PROGRESS_MS = 1_000
/** Length of a progress notification's message: one line of a host's window. */
export const MAX_MCP_PROGRESS_CHARS = 200
/**
 * Looks at what one call prints, two for each notification: a Worker may make 1,000 subrequests in one request. After them its end
 * alone is waited for.
 */
export const MAX_MCP_PROGRESS_LOOKS = 400
/** Time after which a call of a client that knows tasks becomes one: what ends sooner costs no further request. */
export const MCP_TASK_AFTER_MS = 2_000
/** Pause between two looks at a task that its client is advised. */
export const MCP_TASK_POLL_MS = 1_000
/** Length of a task's id: a call's and the base64 of the longest name of a session. */
export const MAX_MCP_TASK_ID_CHARS = 1_024
/** Answers that one `tasks/update` brings. */
export const MAX_MCP_TASK_ANSWERS = 32

/** Time for which a client of the older revisions has a form open, in milliseconds: its call waits for it. */
export const MCP_FORM_MS = 10 * 60_000
/** Time for which a client of 2026-07-28 may answer a form, in milliseconds: a person's day. */
export const MCP_FORM_STATE_MS = 24 * 60 * 60_000

/** Attempts to cancel a call that its session does not know yet, and the pause after the first, in milliseconds; each is twice as long. */
export const MAX_MCP_CANCELS = 6
export const MCP_CANCEL_PAUSE_MS = 100
