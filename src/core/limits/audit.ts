/** A tenant's audit log. */

/** Different refusals of one minute that the audit log tells apart; further ones are counted as one. */
export const MAX_AUDITED_REFUSALS_PER_MINUTE = 60
/** Denials of one minute that are still usual. Toolcore's own. */
export const SUSPICIOUS_DENIALS = 5
/** Keys and agents whose denials of one minute are counted. */
export const MAX_WATCHED_ACTORS = 100

/** Newest entries of a tenant's log that stay in its object, half a KiB each. Older ones are sealed into segments in R2, a fifth as long and at a thirteenth of the price. */
export const MAX_AUDIT_ROWS = 10_000
/** Entries of a sealed segment: those of one step of an export, which so reads one object of R2. */
export const AUDIT_SEGMENT_ENTRIES = 1_000
/** Characters of a segment's entries, which are held whole while it is sealed or read; one entry is never divided. */
export const MAX_AUDIT_SEGMENT_CHARS = 4 * 1024 * 1024
/** Segments sealed in one alarm, after which the next one is set: three requests to R2 each. */
export const AUDIT_SEGMENTS_PER_ALARM = 50
/** Time until failed sealing is tried again, in milliseconds: entries wait in the object meanwhile. */
export const AUDIT_SEAL_RETRY_MS = 60_000
/** Entries of a whole log: some 10 GB in R2, and 20 MB of the table of segments. */
export const MAX_AUDIT_ENTRIES = 100_000_000
/** Days that an entry is kept. */
export const AUDIT_RETENTION_DAYS = 365
/** Entries dropped in one step: some ten milliseconds. */
export const AUDIT_PRUNED_AT_ONCE = 10_000
/** Segments dropped in one step: R2 deletes so many in a request. */
export const AUDIT_SEGMENTS_DROPPED_AT_ONCE = 1_000

/** Entries that one step of an export reads, and entries of one export; each step is a request to the tenant's object. */
export const AUDIT_PAGE_ENTRIES = 1_000
export const MAX_EXPORTED_ENTRIES = 500_000
