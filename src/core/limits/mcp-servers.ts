/** Limits of the remote MCP servers whose tools a tenant registers. */

/** Servers of one tenant: each may bring hundreds of tools. */
export const MAX_MCP_SERVERS = 50
/** Length of a server's name: it begins the ids of its tools, which have 64 characters. */
export const MAX_MCP_SERVER_NAME_CHARS = 24
/** Length of a tool's name at its server. Source: MCP 2026-07-28, which takes 1 to 128. */
export const MAX_REMOTE_NAME_CHARS = 128
/** Length of the id of a server's tool: hosts and providers of models take no longer names. */
export const MAX_REMOTE_ID_CHARS = 64
/** Names in a server's lists of allowed and of denied tools, each. */
export const MAX_MCP_LISTED_NAMES = 500

/** Tools of one server, pages of its list, and bytes of all pages together: known servers have 300 tools at most, in half a megabyte. */
export const MAX_MCP_SERVER_TOOLS = 500
export const MAX_MCP_SERVER_PAGES = 64
export const MAX_MCP_LISTING_BYTES = 4 * 1024 * 1024
/** Time for the whole of such a list, connecting included. */
export const MCP_LISTING_MS = 20_000

/** Length of a remote tool's title and of its description, in UTF-16 units: a longer one is cut, since a model reads each. */
export const MAX_REMOTE_TITLE_CHARS = 120
export const MAX_REMOTE_DESCRIPTION_CHARS = 4_000
/** Length of each of a remote tool's schemas as JSON, in UTF-16 units, and their depth: a tool beyond it is not taken. */
export const MAX_REMOTE_SCHEMA_CHARS = 64 * 1024
export const MAX_REMOTE_SCHEMA_DEPTH = 40
/** Length of a text that shows what changed in a quarantined tool, in UTF-16 units. */
export const MAX_SHOWN_CHANGE_CHARS = 4_000

/** Time for which a session relies on a server's list of tools: what the server says, within these bounds; and where it says nothing. */
export const MIN_MCP_FRESH_MS = 60_000
export const MAX_MCP_FRESH_MS = 3_600_000
export const MCP_FRESH_MS = 300_000
/** Time from a list that has another tool than was accepted until the next look, for a call of that tool: a list may be long. */
export const MCP_LOOK_AGAIN_MS = 2_000
/** Servers whose list, revision and session one session of ours remembers; those used longest ago go. */
export const MAX_REMEMBERED_MCP_SERVERS = 20
/** Time for telling a server that a call is cancelled. */
export const MCP_CANCEL_MS = 2_000

/**
 * Lines of live output that the progress of a remote call makes, at once, and the pause in milliseconds after which there may be one more:
 * as often as commands are looked at. What comes faster is left out.
 */
export const REMOTE_PROGRESS_BURST = 20
export const REMOTE_PROGRESS_PAUSE_MS = 100
/** Length of such a line, in UTF-16 units: it tells people where a call is, and is no result. */
export const MAX_REMOTE_PROGRESS_CHARS = 1_000

/** Length of the id of a session that an older server keeps, in UTF-16 units: known ones have 36. */
export const MAX_MCP_SESSION_ID_CHARS = 1_024
/** Sessions of older servers that one session of ours ends with itself: those used longest ago are left to their servers. */
export const MAX_OPEN_MCP_SESSIONS = 64
/** Time for ending them, all at once. */
export const MCP_END_MS = 2_000
/** Requests of one exchange with a server at most: a list's pages, and what connecting takes. */
export const MAX_MCP_EXCHANGE_REQUESTS = 100
