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

/** Tools on one page of `GET /v1/tools`, and of them when the request gives no limit: all of the server's own. */
export const MAX_TOOLS_PAGE = 500
export const TOOLS_PAGE = 100
/** Length of one such page as JSON, in UTF-16 units: a schema may have half a million, and clients read pages whole. */
export const MAX_TOOLS_PAGE_CHARS = 1_000_000
/** Tools that one request names: more than a model is given at once. */
export const MAX_NAMED_TOOLS = 100
/** Length of a question for tools, in UTF-16 units: some sentences. */
export const MAX_TOOL_QUESTION_CHARS = 2_000

/** Length of a tool's name in the exports: the longest that OpenAI, Anthropic and Gemini take. */
export const MAX_EXPORTED_NAME_CHARS = 64
/** Length of a description that OpenAI takes. */
export const MAX_OPENAI_DESCRIPTION_CHARS = 1_024
/** Depth of a schema that is translated for a provider: hosts allow 5 to 10, and deeper ones exhaust the stack. */
export const MAX_EXPORTED_DEPTH = 24
/** Parts of one schema that are translated: resolved references can make exponentially many of a few. */
export const MAX_EXPORTED_PARTS = 3_000
