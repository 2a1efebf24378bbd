/** Limits of child keys, which a key mints for others. */

/** Child keys below one another: an agent that delegates to an agent, a few times. Each link costs a request one HMAC. */
export const MAX_CHILD_KEY_DEPTH = 8
/** Length of a child key, in characters: it goes with each request, in a header or in the path. */
export const MAX_CHILD_KEY_CHARS = 2_048
/** Child keys of one key of the tenant at a time, at all depths: revoked ones are remembered until they expire. */
export const MAX_CHILD_KEYS_PER_KEY = 1_000
/**
 * Child keys that one key of the tenant mints in a minute, at all depths. Each is an entry of the audit log, and a child key that reads
 * could otherwise mint and revoke until the log has dropped all that came before. A burst fills all places of the key.
 */
export const MAX_CHILD_KEYS_PER_MINUTE = 1_200
/** Lifetime of a child key when none is asked for, in seconds: a day of work. */
export const DEFAULT_CHILD_KEY_SECONDS = 24 * 60 * 60
/** Longest lifetime of a child key, in seconds, 30 days: revoked ones are remembered for as long. */
export const MAX_CHILD_KEY_SECONDS = 30 * 24 * 60 * 60
/** Names of sessions, their prefixes, or tools, that one child key has: more do not fit into its length. */
export const MAX_CHILD_KEY_NAMES = 100
/** Child keys in one page of a list. */
export const MAX_CHILD_KEY_PAGE = 200
/** Largest rate and budget of a child key: a number that no rule needs to exceed. */
export const MAX_CHILD_KEY_AMOUNT = 1_000_000_000_000
/** Sessions asked of the tenant at a time, when a page is made for a key that is limited to some. */
export const SESSIONS_SIFTED_AT_ONCE = 1_000
/** Child keys per isolate whose signatures are remembered: some kilobytes each at most. */
export const CHECKED_CHILD_KEYS = 1_000
