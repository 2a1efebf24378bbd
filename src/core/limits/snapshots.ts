/** Snapshots of a session's files, which do not expire, and forks. */

/** Snapshots of one session: each needs a look at its rows of history when one of them is removed. */
export const MAX_SNAPSHOTS = 100
/** Length of a snapshot's name: it stands in paths and in errors. */
export const MAX_SNAPSHOT_NAME_CHARS = 64
/** Changes of single paths that history keeps for snapshots alone: no snapshot is made beyond that. Some 100 MB of rows. */
export const MAX_SNAPSHOT_CHANGES = 500_000
/** Size of the contents that history keeps for snapshots alone, as MAX_KEPT_BYTES: no snapshot is made beyond that. */
export const MAX_SNAPSHOT_BYTES = 5 * 1024 * 1024 * 1024
/** Rows of history merged in one step, after a snapshot was removed: some milliseconds, in which the session's calls wait. */
export const MERGE_BATCH_ROWS = 2_000
/** Rows kept for one snapshot, beyond which those that say nothing are looked for; after that, at twice the number that stayed. */
export const COMPACT_FROM_ROWS = 10_000
/**
 * Pools of references in which a session takes part, beyond which it leaves them before its next fork: each release looks at each
 * of them. Each fork after a change is one more, and leaving them writes a row for each content.
 */
export const MAX_REFERENCE_POOLS = 32
/**
 * Size of a tenant's database beyond which no fork is made: each content of a session is a row or two of some hundred bytes there,
 * as is each that a fork releases before its origin does, and at 10 GB the platform lets no session of the tenant write.
 */
export const MAX_FORKED_DATABASE_BYTES = 4 * 1024 * 1024 * 1024
