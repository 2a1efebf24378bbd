/** Rates, quotas and prices of calls of registered tools, and the record of their use. */

/** Calls of registered tools by one tenant, without a word: what one tenant's object does; it stops a loop gone wild. */
export const DEFAULT_CALLS_PER_MINUTE = 60_000
/** Calls of registered tools by one tenant that run at once, without a word; each waits for a service or a sandbox. */
export const DEFAULT_RUNNING_CALLS = 1_000
/** The same at most: the tenant's object remembers each in memory, in some 300 bytes. */
export const MAX_RUNNING_CALLS = 10_000
/** A call's end may take this long to be told, beyond its own timeout: a new sandbox, and a session that was cut off. */
export const RUNNING_GRACE_MS = 3 * 60_000
/** When somebody who has too many calls running may ask again. */
export const CONCURRENCY_RETRY_MS = 1_000

/** Rules of one tenant about rates, quotas and prices: each is compared with each call. */
export const MAX_LIMIT_RULES = 200
/** Agents of one tenant, but for those that a rule names, whose rate is kept in memory: their names are free. A key takes as
 * many of these places as it leaves free; its further agents share one. */
export const MAX_LIMITED_NAMES = 10_000
/** Of a rate, a quota or a sum of money in a rule. */
export const MAX_LIMIT_VALUE = 1_000_000_000_000
/** Of a price, in millionths: a million calls of that price are still summed up without rounding. */
export const MAX_PRICE = 1_000_000_000

/** Rows of one day about what a tenant's calls used; beyond half of them sessions are no longer told apart, beyond three
 * quarters agents: 300 bytes each, of the 10 GB that a tenant's object holds. */
export const MAX_USAGE_ROWS_PER_DAY = 20_000
/** Days that use is kept for: a quarter's bill. */
export const USAGE_RETENTION_DAYS = 92

/** Different refused calls that wait to be written down; further ones are counted as one. */
export const MAX_PENDING_REFUSALS = 1_000
/** Refused calls are written down together, so often. */
export const REFUSALS_WRITTEN_MS = 10_000

/** Rows about use that one answer is made of: it takes a tenant's object about a second, in which its calls wait. */
export const MAX_REPORTED_USAGE_ROWS = 100_000
/** Groups in one answer about use. */
export const MAX_USAGE_GROUPS = 1_000
