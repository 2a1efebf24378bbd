/** Rates, quotas and prices of calls of tools, and the record of their use. */

/** Calls by one tenant, without a word: what one tenant's object does; it stops a loop gone wild. */
export const DEFAULT_CALLS_PER_MINUTE = 60_000
/** Calls by one tenant that run at once, without a word, of those that ask: each waits for a service or a sandbox. */
export const DEFAULT_RUNNING_CALLS = 1_000
/** The same at most: the tenant's object remembers each in memory, in some 300 bytes. */
export const MAX_RUNNING_CALLS = 10_000
/** A call's end may take this long to be told, beyond its own timeout: a new sandbox, and a session that was cut off. */
export const RUNNING_GRACE_MS = 3 * 60_000
/** How long a call of a tool that every session has counts as one that runs, when nobody tells of its end: one that only
 * looks at files or changes them, and one that runs code or waits for somebody. */
export const QUICK_CALL_COUNTS_MS = 60_000
export const LONG_CALL_COUNTS_MS = 60 * 60_000

/** A session knows its tenant's limits for this long after it last told or asked: so late at most it hears of others when
 * the tenant cannot reach it. Within it, calls that no rule limits ask nobody. */
export const LIMITS_LEASE_MS = 5 * 60_000
/** Beyond that a tenant still tells the session: clocks and requests are not equally fast. */
export const LIMITS_LEASE_SLACK_MS = 10_000
/** Sessions that are told of other limits at a time. */
export const LIMITS_TOLD_AT_ONCE = 50
/** Calls like the one that asks which a session may begin without asking again: what asking costs is shared by so many. */
export const MAX_GRANTED_CALLS = 32
/** They are a part of what is left, so that other sessions find the rest; and none where that is little: each call asks
 * then, and the limit is exact at every moment. */
export const GRANTED_SHARE = 10
export const MIN_GRANTED_CALLS = 4
/** Granted calls begin within this time. What was not made then is given back. */
export const GRANTED_CALLS_MS = 1_000
/** Tools, keys and agents of one session whose granted calls, and whose having a limit, are remembered. */
export const MAX_KNOWN_CALLERS = 200

/** Ends that no other call waits for are told together: use and audit log are behind by this, of calls that are done at
 * once, and of those that ran something. */
export const QUICK_ENDS_TOLD_MS = 2_000
export const ENDS_TOLD_MS = 250
/** A session that goes on and on tells of ends that no limit counts no sooner than this after the last time: telling costs the
 * tenant a request and a transaction, which many calls share then. */
export const ENDS_PAUSE_MS = 1_000
/** Ended calls that a session tells of at a time, of which those that are alike are one entry. */
export const MAX_ENDS_AT_ONCE = 1_000
/** Ended calls that a session holds in memory while its tenant cannot be reached; its database has all. */
export const MAX_ENDS_IN_MEMORY = 4_000

/** When somebody who has too many calls running may ask again. */
export const CONCURRENCY_RETRY_MS = 1_000

/** Rules of one tenant about rates, quotas and prices: each is compared with each call. */
export const MAX_LIMIT_RULES = 200
/** Agents of one tenant, but for those that a rule names, whose rate is kept in memory: their names are free. A key takes as
 * many of these places as it leaves free; its further agents share one. */
export const MAX_LIMITED_NAMES = 10_000
/** Largest rate, quota or sum of money in a rule. */
export const MAX_LIMIT_VALUE = 1_000_000_000_000
/** Largest price, in millionths: a million calls of that price are still summed up without rounding. */
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
