/** Rates, quotas and prices of calls of tools, and the record of their use. */

/** Calls by one tenant in a minute without a rule of its own: the capacity of one tenant's object; stops a loop gone wild. */
export const DEFAULT_CALLS_PER_MINUTE = 60_000
/** Metered calls by one tenant running at once without a rule of its own: each waits for a service or a sandbox. */
export const DEFAULT_RUNNING_CALLS = 1_000
/** Calls by one tenant running at once, at most: the tenant's object remembers each in memory, in some 300 bytes. */
export const MAX_RUNNING_CALLS = 10_000
/** Time beyond a call's own timeout until its completion must be reported: a new sandbox, and a session that was cut off. */
export const RUNNING_GRACE_MS = 3 * 60_000
/**
 * Time that a call of a built-in tool counts as running when its completion is never reported: one that only looks at files or
 * changes them, and one that runs code or waits for somebody.
 */
export const QUICK_CALL_COUNTS_MS = 60_000
export const LONG_CALL_COUNTS_MS = 60 * 60_000

/**
 * Time that a session trusts its copy of the tenant's limits, from its last exchange with the tenant: a change reaches an
 * unreachable session this late at most. Within it, calls that no rule limits need no request to the tenant.
 */
export const LIMITS_LEASE_MS = 5 * 60_000
/** Slack beyond that lease in which the tenant still notifies the session: clocks and requests are not equally fast. */
export const LIMITS_LEASE_SLACK_MS = 10_000
/**
 * Time that a session begins calls of registered tools by its own copies of them, from its last report to the tenant. A change of
 * the tools waits so long for a session that cannot be notified, so it is short.
 */
export const TOOLS_LEASE_MS = 10_000
/** Slack beyond that lease in which the tenant still notifies the session, as with LIMITS_LEASE_SLACK_MS. */
export const TOOLS_LEASE_SLACK_MS = 2_000
/**
 * Calls of registered tools that one session has running without having asked the tenant. Further ones ask, so that a flood of them
 * meets DEFAULT_RUNNING_CALLS.
 */
export const MAX_UNASKED_TOOL_CALLS = 16
/** Sessions notified of changed limits or tools at a time. */
export const LIMITS_NOTIFIED_AT_ONCE = 50
/** Calls of the same kind that one request to the tenant grants a session at most: what 250 calls a second use up. */
export const MAX_GRANTED_CALLS = 1_000
/**
 * Sessions among which the remaining calls are shared at least, as if so many asked: each gets that part of half of them at most, so that
 * others find the rest. Where little remains nothing is granted: each call makes its own request then, and the limit is exact at every moment.
 */
export const LEAST_SHARING_SESSIONS = 5
export const MIN_GRANTED_CALLS = 4
/** Calls that a session asks for first, when it makes a second one; and how many for each that it made of the batch before. */
export const FIRST_GRANTED_CALLS = 8
export const GRANTED_GROWTH = 4
/** Time within which granted calls begin, for which a session asks by its pace. Unused ones are given back. */
export const GRANTED_CALLS_MS = 4_000
/** Tools, keys and agents of one session whose granted calls, and whose being limited, are remembered. */
export const MAX_KNOWN_CALLERS = 200

/**
 * Delay until completions that no other call waits for are reported together, for quick calls and for calls that ran something:
 * use and audit log are behind by this. Fewer than ENDS_WORTH_A_REPORT quick ones that no limit counts wait for the session's alarm
 * (FLUSH_AFTER_MS) instead: a timer keeps the object in use, which is billed.
 */
export const QUICK_COMPLETION_REPORT_MS = 2_000
export const COMPLETION_REPORT_MS = 250
/**
 * Pause between two reports of completions that no limit counts, for a session that goes on and on: a report costs the tenant a
 * request and a transaction, which many calls share then.
 */
export const ENDS_PAUSE_MS = 1_000
/**
 * Longest such pause: it doubles with each report of a session that goes on and on with fewer completions than these in between. Shorter
 * than half of TOOLS_LEASE_MS, which reports renew.
 */
export const MAX_ENDS_PAUSE_MS = 4_000
export const ENDS_WORTH_A_REPORT = 100
/** Completions in one report, of which equal ones are one entry. */
export const MAX_ENDS_AT_ONCE = 1_000
/** Completions that a session holds in memory while its tenant cannot be reached; its database has all. */
export const MAX_ENDS_IN_MEMORY = 4_000

/** Time after which a running sandbox's time is written down, before its pause: use is behind by this and the next look after it. */
export const SANDBOX_METERED_MS = 5 * 60_000

/** `Retry-After` of a caller with too many running calls. */
export const CONCURRENCY_RETRY_MS = 1_000

/** Rules of one tenant about rates, quotas and prices: each call is compared with each of them. */
export const MAX_LIMIT_RULES = 200
/**
 * Agents of one tenant whose rate is kept in memory, besides those named in a rule: their names are free. A key takes as many of
 * these places as it leaves free; its further agents share one.
 */
export const MAX_LIMITED_NAMES = 10_000
/** Largest rate, quota or sum of money in a rule. */
export const MAX_LIMIT_VALUE = 1_000_000_000_000
/** Largest price, in millionths of the currency: a million calls of that price are still summed up without rounding. */
export const MAX_PRICE = 1_000_000_000

/**
 * Rows of one day about a tenant's use, 300 bytes each, of the 10 GB that a tenant's object holds. Beyond half of them sessions
 * are no longer told apart, beyond three quarters agents.
 */
export const MAX_USAGE_ROWS_PER_DAY = 20_000
/** Days that use is kept: a quarter's bill. */
export const USAGE_RETENTION_DAYS = 92

/** Different refusals that wait to be written; further ones are counted as one. */
export const MAX_PENDING_REFUSALS = 1_000
/** Interval of writing refusals. */
export const REFUSALS_WRITTEN_MS = 10_000

/** Rows about use that one answer is made of: it takes a tenant's object about a second, in which its calls wait. */
export const MAX_REPORTED_USAGE_ROWS = 100_000
/** Rows about use that one request to a tenant's object exports: 150 bytes each, ten milliseconds of its time. */
export const USAGE_EXPORT_ROWS = 2_000
/**
 * Tenants in one page of the owner's list of use. Each takes a request to its object, or one for each day of its month, and a
 * request of the server may make 1,000.
 */
export const MAX_TENANTS_USED = 25
/** Tenants whose use is read at once for that list. */
export const TENANTS_READ_AT_ONCE = 5
/** Groups in one answer about use. */
export const MAX_USAGE_GROUPS = 1_000
