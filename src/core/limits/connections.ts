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
/**
 * Connections of the older revisions that a tenant has at once: each is an object with a few rows. A connection is one process of a client, and
 * a large team's editors and agents are some hundreds; those that nobody ended are ended when there are more, the longest unused one first.
 */
export const MAX_MCP_CONNECTIONS = 1_000
/** Time without a request after which a connection may be ended for a new one, in milliseconds: a model's pause between two calls. */
export const CONNECTION_REST_MS = 60_000
/** Connections that are looked at, one after the other, before a new one is refused: each look is a request to an object. */
export const MAX_CONNECTION_LOOKS = 16
/** Connections of a deleted tenant that are ended side by side: an invocation has six connections at once. */
export const ENDED_CONNECTIONS_AT_ONCE = 6
/**
 * Time for which an isolate takes a connection to be there after its object said so, in milliseconds: most requests need no more of it. One that
 * ended elsewhere is answered as long; shorter than CONNECTION_REST_MS, so that none in use looks unused.
 */
export const CONNECTION_KNOWN_MS = 30_000
/** Connections that an isolate takes to be there: some 200 bytes each. */
export const MAX_KNOWN_CONNECTIONS = 2_000
/** Size of an `initialize` request, in UTF-16 units: it is kept with the connection. */
export const MAX_INITIALIZE_CHARS = 64 * 1024
/** Messages of a connection that are kept for a client that lost its stream. */
export const MAX_CONNECTION_EVENTS = 256
/**
 * Length of all of them together, in UTF-16 units: they are in memory, while a client that says nothing has its stream open. Eight results of
 * calls, each with the longest text (MCP_TEXT_CHARS); one that is longer by itself, with its images, is not kept.
 */
export const MAX_CONNECTION_EVENT_CHARS = 512 * 1024
/** Messages of one request of the older revisions: each may be a call, and the request has one turn among those of its tenant. */
export const MAX_MCP_BATCH = 32
