/** Registered tools: their definitions and versions, their requests, and retries and circuit breakers when a service fails. */

/** Registered tools of one tenant, with all their versions in its database: an import of a large API has thousands. */
export const MAX_REGISTERED_TOOLS = 10_000
/** Length of the id of a registered tool, of its name, and of a toolkit's, in UTF-16 units: they stand in URLs and errors. */
export const MAX_TOOL_ID_CHARS = 200
/** Length of a tool's description: a model reads it, and a longer one crowds out the others. */
export const MAX_TOOL_DESCRIPTION_CHARS = 16_000
/** Length of a definition as JSON, its Python and schemas included: it is read whole at each call, and a row holds 2 MB. */
export const MAX_DEFINITION_CHARS = 512 * 1024
/** Length of an agent's name, in UTF-16 units. */
export const MAX_AGENT_CHARS = 200
/** Names and patterns of the agents that may call one tool: each call is compared with each of them. */
export const MAX_AGENT_PATTERNS = 200

/** Versions of one tool: a daily change fills them in three years. */
export const MAX_TOOL_VERSIONS = 1_000
/**
 * Length of all versions of all tools of a tenant as JSON, in UTF-16 units: they share the 10 GB of its database with its list of
 * contents.
 */
export const MAX_REGISTRY_CHARS = 512 * 1024 * 1024
/** Deleted tool ids whose last version number is remembered; the oldest go. */
export const MAX_DELETED_TOOLS = 10_000

/**
 * Tools changed at once for which the answer lists the chains that call each: the look-up goes through all chains of the tenant.
 */
export const MAX_WARNED_CHANGES = 50

/**
 * Length of the definitions in one answer of a tenant's object, in UTF-16 units: several such answers are made at once, in 128
 * MB.
 */
export const MAX_TOOL_PAGE_CHARS = 4 * 1024 * 1024
/** Length of one answer with registered tools as lists and searches show them, in UTF-16 units: RPC carries 32 MiB. */
export const MAX_SHOWN_PAGE_CHARS = 4_000_000
/** Registered tools that are read at a time: with their schemas some megabytes. */
export const MAX_LISTED_TOOLS = 500

/** Completions that a session reports to its tenant at a time. */
export const MAX_SETTLED_CALLS = 200
/** Tools of its tenant that a session caches: 32 KiB each at most, as the tenant holds no longer ones. */
export const MAX_KNOWN_TOOLS = 20

/** Parts of a registered tool's request, of each kind: parameters, headers, fields. */
export const MAX_REQUEST_PARTS = 500
/** Length of the name of a request's part, in UTF-16 units. */
export const MAX_PART_NAME_CHARS = 200
/** Length of a constant or a template in such a request, in UTF-16 units. */
export const MAX_PART_CHARS = 4_000
/** Secrets in one request: a key, the name of an application, a user. */
export const MAX_TOOL_CREDENTIALS = 4
/** Size of a service's answer to a registered tool: a model reads a hundredth of it. */
export const MAX_TOOL_ANSWER_BYTES = 5 * 1024 * 1024
/** Length of a service's answer that an error quotes, in UTF-16 units: its first page says why. */
export const MAX_ERROR_BODY_CHARS = 4_000

/** Time for one call of a registered tool, in seconds: by default, and at most. Toolcore's own. */
export const REGISTERED_TIMEOUT_SECONDS = 30
export const MAX_REGISTERED_TIMEOUT_SECONDS = 300
/** Requests that one call of a registered tool makes, all within the call's time. */
export const MAX_TOOL_ATTEMPTS = 5
/** Attempts of a repeatable method, unless its tool says otherwise. */
export const TOOL_ATTEMPTS = 3
/** Pause before the second attempt; and the longest that a tool may ask for. */
export const RETRY_BACKOFF_MS = 500
export const MAX_RETRY_BACKOFF_MS = 30_000

/** Failures of a service in a row after which the session's circuit opens and sends it nothing for a while. */
export const CIRCUIT_FAILURES = 5
/** Time that a circuit stays open; then one call tries. */
export const CIRCUIT_OPEN_MS = 30_000
/** Tools whose failures a session counts, in its memory; the ones that failed longest ago are forgotten. */
export const MAX_CIRCUITS = 200
