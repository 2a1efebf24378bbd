/** Memory of an isolate, of which the platform gives 128 MB for all of its requests together. */

/** Size from which on a body waits for room in memory: a few dozen smaller ones fit beside each other. */
export const LARGE_BODY_BYTES = 4 * 1024 * 1024
/** Bodies over LARGE_BODY_BYTES in one isolate: as text and as arguments each takes two to four times its size. */
export const BODY_ROOM_BYTES = 40 * 1024 * 1024
/** Bodies of one tenant among these: one of the largest, so that its slow sender leaves room for others. */
export const TENANT_BODY_ROOM_BYTES = 28 * 1024 * 1024
/** Requests that wait for room, of all tenants: of those whose size was not stated, each holds LARGE_BODY_BYTES already. */
export const MAX_WAITING_BODIES = 8
/** Time that a request waits for room: clients give up after one or two minutes, and should hear before what was wrong. */
export const BODY_WAIT_MS = 20_000
/**
 * Bytes a second that a body must bring on average while it has room: 1 Mbit/s, which slow lines send. A pace rather than a time, so
 * that the largest body may take four minutes on such a line, and one of which nothing comes is over with BODY_GRACE_SECONDS.
 */
export const LEAST_BODY_PACE = 128 * 1024
/** Seconds of LEAST_BODY_PACE that a body may lie behind: a line stalls for some seconds when it changes networks. */
export const BODY_GRACE_SECONDS = 10

/** Documents in one isolate of the reader: reading takes up to ten times their size, and a small one's libraries take as much. */
export const READING_ROOM_BYTES = 16 * 1024 * 1024
/** Room that a reading takes at least. */
export const LEAST_READING_BYTES = 4 * 1024 * 1024
/** Documents of one tenant among these: another one's small document has room beside them. */
export const TENANT_READING_ROOM_BYTES = 12 * 1024 * 1024
/** Readings that wait for room, of all tenants; their documents stay with their senders until then. */
export const MAX_ROOM_READINGS = 64

/** Time after which room is taken back from a request that gave no sign: the code of one whose client is gone ends without a word. */
export const ROOM_LEASE_MS = 10_000
export const ROOM_RENEWED_MS = 3_000
/** Interval at which a waiting request looks for room that nobody gave back. */
export const ROOM_LOOK_MS = 1_000
