/** Limits of searching tools by a question. */

/** Tools that one caller can search among: twice the number for which less than 20 ms is promised. */
export const MAX_FINDABLE_TOOLS = 10_000
/**
 * Words in the names, descriptions and parameters of those tools together. An index holds some 40 bytes for each, and a Worker
 * has 128 MB.
 */
export const MAX_FINDABLE_TERMS = 1_000_000
/** `top_k` of `/retrieving_tools`: more would flood a model, which reads each tool with its parameters. */
export const MAX_RETRIEVED_TOOLS = 200
/** Time that semantic search may add to a search by words, which takes some milliseconds. */
export const SEMANTICS_PATIENCE_MS = 1_500

/**
 * Size of those tools together: UTF-16 units of their JSON and HELD_VALUE_CHARS for each value, since a schema of small parts is
 * large.
 */
export const MAX_HELD_TOOLS = 12_000
/**
 * Size of those tools together: UTF-16 units of their JSON, and as many again per value as one costs, since a schema of small
 * parts is large.
 */
export const MAX_HELD_TOOL_CHARS = 24_000_000
export const HELD_VALUE_CHARS = 48
/** Tenants whose tools an isolate holds, however few tools they have. */
export const MAX_HELD_TENANTS = 200

/** Registered tools embedded in one step: some requests of a second each. */
export const EMBEDDING_BATCH = 200
/** Time from a failure of the embedding service until its next request. */
export const EMBEDDING_RETRY_MS = 5 * 60_000
