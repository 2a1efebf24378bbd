/** The process in a sandbox that runs commands. */

/** The process ends after this long without a command: it takes memory, and a new one starts in some 50 ms. */
export const SHELLS_IDLE_MS = 10 * 60_000
/** The connection to it stays open this long for commands that follow: opening it takes as long as a command, and an agent
 * thinks for some seconds between two. It keeps the session's object in memory. */
export const SHELLS_LINK_MS = 5_000
/** Time from a command's deadline until the process is given up, which should have ended the command itself. */
export const SHELLS_GRACE_MS = 5_000
/** Time without a reply after which the process is asked whether it is awake, since commands can stop it. */
export const SHELLS_SILENCE_MS = 1_000
/** Where the process cannot be started it is not tried again for this long, since each attempt keeps a command waiting. */
export const SHELLS_RETRY_MS = 60_000
/** Output of a command on one channel; a command that prints more is killed. All of it lies on the disk of the sandbox, and 256 MB
 * of it are kept (MAX_OUTPUT_FILE_BYTES). */
export const MAX_COMMAND_OUTPUT_BYTES = 1024 * 1024 * 1024
/** Size of one request, in characters: a script that is no file yet, and its environment. What is larger goes without the process,
 * whose input is a pipe that holds 64 KiB. */
export const MAX_SHELL_REQUEST_CHARS = 256 * 1024
