/** The process in a sandbox that runs commands. */

/** The connection to it stays open this long for commands that follow: opening it takes as long as a command, and an agent
 * thinks for some seconds between two. It keeps the session's object in memory. */
export const SHELLS_LINK_MS = 5_000
/** Time from a command's deadline until the process is given up, which should have ended the command itself. */
export const SHELLS_GRACE_MS = 5_000
