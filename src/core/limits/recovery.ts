/**
 * Days for which the platform keeps earlier states of an object. Deleted contents are kept for as long in production (DELETED_CONTENTS_DAYS),
 * or an object that is set back has lost files.
 * @see https://developers.cloudflare.com/durable-objects/api/sqlite-storage-api/#pitr-point-in-time-recovery-api
 */
export const OBJECT_STATES_DAYS = 30
/**
 * Contents that a recovered session refers to again in one step: its tenant does not know those that were deleted, and each of them is
 * looked for in R2, of which Cloudflare lets one invocation do some thousands.
 */
export const RECLAIMED_AT_ONCE = 1_000
/** Files that the answer of a recovery names as lost: more are counted only. */
export const MAX_NAMED_MISSING_FILES = 100
/** Time until an object that is to be set back restarts by itself, where the request that does it did not come. */
export const SET_BACK_RESTART_MS = 1_000
