/** A tenant's audit log. */

/** Different refusals of one minute that the audit log tells apart; further ones are counted as one. */
export const MAX_AUDITED_REFUSALS_PER_MINUTE = 60
/** Denials of one minute that are still usual. Toolcore's own. */
export const SUSPICIOUS_DENIALS = 5
/** Keys and agents whose denials of one minute are counted. */
export const MAX_WATCHED_ACTORS = 100

/** Entries of one tenant's audit log: half a KiB each, a tenth of the 10 GB that its object holds. */
export const MAX_AUDIT_ENTRIES = 2_000_000
/** Days that an entry is kept. */
export const AUDIT_RETENTION_DAYS = 365
/** Entries dropped in one step: some ten milliseconds. */
export const AUDIT_PRUNED_AT_ONCE = 10_000

/** Entries that one step of an export reads, and entries of one export; each step is a request to the tenant's object. */
export const AUDIT_PAGE_ENTRIES = 1_000
export const MAX_EXPORTED_ENTRIES = 500_000
