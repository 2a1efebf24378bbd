/** Limits of the deletion of tenants, and of the end of a disabled tenant's sandboxes. */

/** Sessions that are ended side by side: an invocation has six connections at once. */
export const ENDED_SESSIONS_AT_ONCE = 6
/** Sessions of one slice of the work, after which its alarm begins anew: the end of a sandbox takes a second, an alarm has 15 minutes. */
export const ENDED_SESSIONS_PER_SLICE = 240
/** Contents of one page: R2 lists, and deletes, 1,000 in a request. */
export const PURGED_OBJECTS_PER_PAGE = 1_000
/** Papers that one transaction removes: some have thousands of chunks. */
export const PURGED_PAPERS_PER_BATCH = 50
/** Rows of terms that one statement removes. */
export const PURGED_TERMS_PER_BATCH = 10_000
/** Vectors that one request removes. */
export const PURGED_VECTORS_PER_BATCH = 500
/** Steps of one alarm, after which the next one is set: each is a page of contents or a batch of papers at most. */
export const PURGE_STEPS_PER_ALARM = 100
/** Time until a deletion goes on that a crash cut off, in milliseconds: one that is under way moves it on. */
export const PURGE_RESUMED_MS = 1_000
/** Time until failed work is tried again, in milliseconds: providers of sandboxes are back within minutes. */
export const OWNER_WORK_RETRY_MS = 30_000
/** Time from the end of a deletion until the last look for what came late, in milliseconds: longer than any upload that was under way. */
export const LATE_LOOK_MS = 60 * 60_000
/** Time until sandboxes of a disabled tenant are looked for again, in milliseconds: until then its keys may have been taken. */
export const SANDBOXES_AGAIN_MS = 45_000
