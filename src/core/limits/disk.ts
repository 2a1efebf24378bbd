/** A full disk: how it is found out that there is room again, and what is held in memory until then. */

/** Bytes written, and removed again, to see whether there is room: a few pages of a database and a small file. */
export const ROOM_PROBE_BYTES = 64 * 1024
/**
 * Size of a file that is given up when the disk is full, so that what is there can be read: SQLite opens a database with 32 KiB
 * of shared memory in a file, so this is for 64 sessions at once. Writes go on when there is room for it again.
 */
export const DISK_RESERVE_BYTES = 2 * 1024 * 1024
/** Pause between two looks for room while nobody calls. */
export const ROOM_LOOK_MS = 5_000
/** Calls of one session that wait in memory to be noted: up to 8 KiB of history each. Further ones are refused. */
export const MAX_HELD_CALLS = 1_000
