/** Limits of a full disk: how the server notices that there is room again, and what it holds in memory until then. */

/** Bytes written, and removed again, to see whether there is room: a few pages of a database and a small file. */
export const ROOM_PROBE_BYTES = 64 * 1024
/**
 * Size of a file that is deleted when the disk is full, so that existing files can be read: SQLite opens a database with 32
 * KiB of shared memory in a file, so this is for 64 sessions at once. Writes go on when there is room for the file again.
 */
export const DISK_RESERVE_BYTES = 2 * 1024 * 1024
/** Pause between two checks for room while no call comes. */
export const ROOM_LOOK_MS = 5_000
/** Calls of one session whose history entries wait in memory: up to 8 KiB each. Further calls are refused. */
export const MAX_HELD_CALLS = 1_000
