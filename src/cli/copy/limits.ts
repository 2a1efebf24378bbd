/** Files that are copied at the same time. */
export const FILES_AT_ONCE = 4
/** Most files of one copy: each is a request, and a commit of the session. */
export const MAX_FILES = 10_000
/** Milliseconds that one file may take: 512 MiB, the most that a file may have, at 150 KiB a second. */
export const FILE_TIMEOUT_MS = 3_600_000
/** Most bytes of standard input that are put into a session: what comes without a length is held by the server. */
export const MAX_PIPED_BYTES = 28 * 2 ** 20
