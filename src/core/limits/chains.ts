/** Chains of tools. */

/** A chain's definition, as JSON: a hundred times what a model writes in one go, and far below a row's 2 MB. */
export const MAX_CHAIN_CHARS = 64 * 1024
/** Steps of one chain. What needs more is two chains, one inside the other. */
export const MAX_CHAIN_STEPS = 50
/** Chains within each other, the outermost counted. Each level holds its results while the next one runs. */
export const MAX_CHAIN_DEPTH = 5
/** Different tools that one chain reaches, by the chains in it too: each is looked up when the chain is saved. */
export const MAX_CHAIN_TOOLS = 200
/** Mistakes of a definition that one answer names: a model mends these first. */
export const MAX_CHAIN_ISSUES = 20
/** Chains that the answer to a change of a tool names, since they call it: who changes it looks at these first. */
export const MAX_NAMED_CHAINS = 20
/** Chains calling a tool that are looked at for that: many may call a version that the change does not reach. Each is parsed. */
export const MAX_CALLING_CHAINS = 400

/** Calls of one run, by all chains in it together, repeated ones counted: what a chain that goes wrong can cost. */
export const MAX_CHAIN_CALLS = 500
/** Calls of one chain that wait at once. Those of a sandbox share its processors anyway. */
export const MAX_CHAIN_CONCURRENCY = 8
/** Items of a list that are worked on at once, unless the step says otherwise. */
export const CHAIN_MAP_CONCURRENCY = 4

/** One run of a chain, and so the longest `timeout_ms` of a step: as CODE_TASK_MS, the longest tool. */
export const MAX_CHAIN_MS = 60 * 60_000
/** One call of a step that says no `timeout_ms`: what a notebook's cell has. */
export const CHAIN_STEP_MS = 300_000
/** Calls of one step (or one item of it), the first one counted. */
export const MAX_CHAIN_ATTEMPTS = 10
/** Between two attempts, unless the step says otherwise: doubled each time, and up to half of it left to chance. */
export const CHAIN_BACKOFF_MS = 1_000
/** Between two attempts: who is down for longer is down. */
export const MAX_CHAIN_BACKOFF_MS = 60_000
/** Between two looks at a call that goes on by itself, when it asks for less. */
export const MIN_CHAIN_POLL_MS = 500

/** Length of one step's result, as JSON: as one whole read of a file, with room for its wrapping. */
export const MAX_CHAIN_RESULT_CHARS = 4 * 1024 * 1024
/** All results that one run keeps, of all chains in it: characters have two bytes, and an isolate has 128 MB. */
export const MAX_CHAIN_KEPT_CHARS = 16 * 1024 * 1024

/** One expression: a condition that people read has a hundred. */
export const MAX_CHAIN_EXPRESSION_CHARS = 2_000
/** Brackets and signs within each other in an expression: reading it is recursive. */
export const MAX_CHAIN_EXPRESSION_DEPTH = 32
/** A text that an expression makes. */
export const MAX_CHAIN_TEXT_CHARS = 1024 * 1024
/** What an expression looks for in a text: searching costs up to the one length times the other. */
export const MAX_CHAIN_NEEDLE_CHARS = 1_000
/** Values and characters that all expressions of one run look at, together: a second's work when it is made to cost much. */
export const MAX_CHAIN_WORK = 10_000_000
