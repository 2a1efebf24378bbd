/** Chains of tools. */

/** Length of a chain's definition as JSON: a hundred times what a model writes in one go, and far below a row's 2 MB. */
export const MAX_CHAIN_CHARS = 64 * 1024
/** Steps of one chain. Longer work is two chains, one inside the other. */
export const MAX_CHAIN_STEPS = 50
/** Depth of chains within chains, the outermost counted. Each level holds its results while the next one runs. */
export const MAX_CHAIN_DEPTH = 5
/** Different tools that one chain reaches, also through the chains in it: saving the chain looks each of them up. */
export const MAX_CHAIN_TOOLS = 200
/** Mistakes of a definition that one answer names: a model corrects these first. */
export const MAX_CHAIN_ISSUES = 20
/** Chains named in the answer to a change of a tool that they call: the tool's owner looks at these first. */
export const MAX_NAMED_CHAINS = 20
/**
 * Chains calling a tool that are examined when it changes: many may call a version that the change does not reach. Each is
 * parsed.
 */
export const MAX_CALLING_CHAINS = 400

/** Calls of one run, by all its chains together, repeated ones counted: bounds the cost of a chain that goes wrong. */
export const MAX_CHAIN_CALLS = 500
/** Calls of one chain that run at once. Calls in one sandbox share its processors anyway. */
export const MAX_CHAIN_CONCURRENCY = 8
/** Items of a list that run at once, unless the step says otherwise. */
export const CHAIN_MAP_CONCURRENCY = 4

/** Time for one run of a chain, and so the longest `timeout_ms` of a step: as CODE_TASK_MS, the longest tool. */
export const MAX_CHAIN_MS = 60 * 60_000
/** Time for one call of a step that sets no `timeout_ms`: the time that a notebook's cell has. */
export const CHAIN_STEP_MS = 300_000
/** Attempts of one step (or one item of it), the first one counted. */
export const MAX_CHAIN_ATTEMPTS = 10
/** Pause between two attempts, unless the step says otherwise: it doubles each time, and up to half of it is random. */
export const CHAIN_BACKOFF_MS = 1_000
/** Longest pause between two attempts: a service down for longer counts as down. */
export const MAX_CHAIN_BACKOFF_MS = 60_000
/** Shortest pause between two polls of a pending call, whatever the call asks for. */
export const MIN_CHAIN_POLL_MS = 500

/** Length of one step's result, as JSON: as one whole read of a file, with room for its wrapping. */
export const MAX_CHAIN_RESULT_CHARS = 4 * 1024 * 1024
/** Length of all results that one run keeps, of all its chains: characters have two bytes, and an isolate has 128 MB. */
export const MAX_CHAIN_KEPT_CHARS = 16 * 1024 * 1024

/** Length of one expression: a condition that people read has a hundred. */
export const MAX_CHAIN_EXPRESSION_CHARS = 2_000
/** Depth of brackets and operators in an expression: reading it is recursive. */
export const MAX_CHAIN_EXPRESSION_DEPTH = 32
/** Length of a text that an expression makes. */
export const MAX_CHAIN_TEXT_CHARS = 1024 * 1024
/** Length of a text that an expression searches for: searching costs up to the one length times the other. */
export const MAX_CHAIN_NEEDLE_CHARS = 1_000
/** Values and characters that all expressions of one run look at, together: a second's work in the most expensive case. */
export const MAX_CHAIN_WORK = 10_000_000
