/** Limits of commands that their calls wait for, and that outlive a restart of the session's object. */

/**
 * Time from which on a command outlives a restart: one that may take longer. A deployment lets an object at work go on for five minutes
 * (`code_update_strategy` in wrangler.toml), of which a minute is for the queue and the sandbox's start.
 */
export const LASTING_COMMAND_MS = 4 * 60_000
/** Length of what a tool needs to answer for such a command, as JSON: a row of the session has 2 MB at most. */
export const MAX_LASTING_CHARS = 256 * 1024
