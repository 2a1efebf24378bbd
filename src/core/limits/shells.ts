/** The command supervisor: the process in a sandbox that runs commands. */

/** Time without a command after which the supervisor ends: it takes memory, and a new one starts in some 50 ms. */
export const SHELLS_IDLE_MS = 10 * 60_000
/**
 * Time that the connection to the supervisor stays open for commands that follow: opening it takes as long as a command, and an
 * agent thinks for some seconds between two. It keeps the session's object in memory.
 */
export const SHELLS_LINK_MS = 5_000
/** Time from a command's deadline until its supervisor, which should have ended the command, is discarded. */
export const SHELLS_GRACE_MS = 5_000
/** Time without a reply after which the supervisor is sent a ping, since commands can stop it. */
export const SHELLS_SILENCE_MS = 1_000
/** Time until a supervisor that could not be started is tried again, since each attempt keeps a command waiting. */
export const SHELLS_RETRY_MS = 60_000
/**
 * Size of a command's output on one channel, at which the command is killed. All of it lies on the disk of the sandbox, and 256 MB
 * of it are kept (MAX_OUTPUT_FILE_BYTES). A sandbox that lets no file grow so large counts by its own limit: the local host's is
 * the same size by default (SANDBOXD_FILE_MB).
 */
export const MAX_COMMAND_OUTPUT_BYTES = 1024 * 1024 * 1024
/**
 * Length of one request to the supervisor: a script that is no file yet, and its environment. A larger one goes without the
 * supervisor, whose input is a pipe that holds 64 KiB.
 */
export const MAX_SHELL_REQUEST_CHARS = 256 * 1024
