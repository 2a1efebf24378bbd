/** Limits of connections of MCP clients over `/mcp`. */

/** Pause after which a comment is sent on a stream, in milliseconds: the write at which a lost client is noticed. */
export const MCP_KEEP_ALIVE_MS = 1_000
/** Pause after which a client of the older revisions comes back to a stream that it lost, in milliseconds: as it is told by the stream. */
export const MCP_RETRY_MS = 1_000
/** Names of toolkits that one address has: an address is short. */
export const MAX_MCP_TOOLKITS = 32
/** Time without a request after which a connection of the older revisions ends, in milliseconds: a working day's pause. */
export const CONNECTION_IDLE_MS = 8 * 60 * 60_000
/** Precision of that time, in milliseconds: a row is written no more often for requests alone. */
export const CONNECTION_TOUCH_MS = 10 * 60_000
/** Size of an `initialize` request, in UTF-16 units: it is kept with the connection. */
export const MAX_INITIALIZE_CHARS = 64 * 1024
/** Messages of a connection that are kept for a client that lost its stream. */
export const MAX_CONNECTION_EVENTS = 256
/** Length of all of them together, in UTF-16 units: they are in memory. */
export const MAX_CONNECTION_EVENT_CHARS = 4 * 1024 * 1024
/** Messages of one request of the older revisions: each may be a call, and the request has one turn among those of its tenant. */
export const MAX_MCP_BATCH = 32
