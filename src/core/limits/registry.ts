/** Registered tools: their definitions and versions, the requests that they make, and what is done when their service fails. */

/** Registered tools of one tenant, all with their versions in its database: an import of a large API has thousands. */
export const MAX_REGISTERED_TOOLS = 10_000
/** Length of the id of a registered tool, of its name, and of a toolkit's, in UTF-16 units: they stand in URLs and errors. */
export const MAX_TOOL_ID_CHARS = 200
/** What a model reads of one tool; longer ones crowd out the others. */
export const MAX_TOOL_DESCRIPTION_CHARS = 16_000
/** Length of a definition as JSON, its Python and schemas included: it is read whole at each call, and a row holds 2 MB. */
export const MAX_DEFINITION_CHARS = 512 * 1024
/** What an agent calls itself, in UTF-16 units. */
export const MAX_AGENT_CHARS = 200
/** Names and patterns that let agents in to one tool: each is compared at each call. */
export const MAX_AGENT_PATTERNS = 200

/** Versions of one tool: who changes it every day has them for three years. */
export const MAX_TOOL_VERSIONS = 1_000
/** All versions of all tools of a tenant as JSON, in UTF-16 units: they share the 10 GB of its database with its list of contents. */
export const MAX_REGISTRY_CHARS = 512 * 1024 * 1024
/** Ids of deleted tools of which it is known which version was their last; the oldest go. */
export const MAX_DELETED_TOOLS = 10_000

/** Tools changed at once of which each is told which chains call it: that goes through all chains of the tenant. */
export const MAX_WARNED_CHANGES = 50

/** Definitions in one answer of a tenant's object, in UTF-16 units: several such are made at once, in 128 MB. */
export const MAX_TOOL_PAGE_CHARS = 4 * 1024 * 1024
/** Length of one answer with registered tools as lists and searches show them, in UTF-16 units: RPC carries 32 MiB. */
export const MAX_SHOWN_PAGE_CHARS = 4_000_000
/** Registered tools that are read at a time: with their schemas some megabytes. */
export const MAX_LISTED_TOOLS = 500

/** Ended calls that a session tells its tenant of at a time. */
export const MAX_SETTLED_CALLS = 200
/** Tools of its tenant that a session has from calls before, at once: 32 KiB each at most, as the tenant holds no longer ones. */
export const MAX_KNOWN_TOOLS = 20

/** Parameters, headers or fields that a registered tool's request has at most, each kind of them. */
export const MAX_REQUEST_PARTS = 500
/** Length of a part's name, in UTF-16 units. */
export const MAX_PART_NAME_CHARS = 200
/** Length of a constant or a template in such a request, in UTF-16 units. */
export const MAX_PART_CHARS = 4_000
/** Secrets in one request: a key, the name of an application, a user. */
export const MAX_TOOL_CREDENTIALS = 4
/** What a service may answer to a registered tool: a model reads a hundredth of it. */
export const MAX_TOOL_ANSWER_BYTES = 5 * 1024 * 1024
/** What an error says of the answer of a service, in UTF-16 units: its first page says why. */
export const MAX_ERROR_BODY_CHARS = 4_000

/** One call of a registered tool, in seconds: without a word, and at most. Toolcore's own. */
export const REGISTERED_TIMEOUT_SECONDS = 30
export const MAX_REGISTERED_TIMEOUT_SECONDS = 300
/** Times that one call of a registered tool asks its service, all within the call's time. */
export const MAX_TOOL_ATTEMPTS = 5
/** Attempts of a method that may be repeated, when its tool says nothing. */
export const TOOL_ATTEMPTS = 3
/** Before the second attempt; and the longest that a tool may ask for. */
export const RETRY_BACKOFF_MS = 500
export const MAX_RETRY_BACKOFF_MS = 30_000

/** Calls of a tool that fail one after another, by its service's fault, before the session asks it no more for a while. */
export const CIRCUIT_FAILURES = 5
/** Time that a circuit stays open; then one call tries. */
export const CIRCUIT_OPEN_MS = 30_000
/** Tools whose failures a session counts, in its memory; the ones that failed longest ago are forgotten. */
export const MAX_CIRCUITS = 200
