/** The sandbox of a session and one command in it: output, time, packages, git. */

/** Time without a request after which a sandbox pauses itself. */
export const SANDBOX_IDLE_MS = 10 * 60_000
/** Time to make a sandbox, its environment and its installed packages. */
export const SANDBOX_BOOT_MS = 120_000
/** Time to install a task's packages into a new sandbox: large ones take minutes. */
export const PACKAGES_INSTALL_MS = 10 * 60_000
/** Time to end the processes of a sandbox that is discarded, and to take its files along. */
export const RESCUE_MS = 60_000
/**
 * Time from a command's deadline until its call is answered, whatever goes on in the sandbox: time to end the command and to
 * fetch its output. With the way to the client it stays below a second.
 */
export const DEADLINE_ANSWER_MS = 700
/** Time from a command's deadline until its output is fetched by itself, because ending the command takes longer. */
export const DEADLINE_FETCH_MS = 250
/**
 * Time from a command's deadline until its sandbox is discarded, with all that runs in it, because the command could not be
 * ended. Only the next call waits for it: a busy machine takes seconds.
 */
export const KILL_GRACE_MS = 5_000

/**
 * The longest `timeout` of `execute_code` and `execute_shell`, in seconds. A sandbox stays awake for 24 hours at most, and its
 * files are listed after the command.
 */
export const MAX_COMMAND_SECONDS = 23 * 60 * 60
/** A longer `timeout` of a command that a caller waits for is probably one in milliseconds, and a note names its unit. */
export const UNLIKELY_FOREGROUND_SECONDS = 60 * 60

/** Size of each output stream in an answer; half is kept from the head and half from the tail. */
export const MAX_OUTPUT_BYTES = 64 * 1024
/** Size of each output stream in the file under `logs/`. */
export const MAX_OUTPUT_FILE_BYTES = 256 * 1024 * 1024
/**
 * Length of the output of one of our own scripts in a sandbox, both streams: a listing of MAX_WORKSPACE_ENTRIES, packed, takes a
 * fraction. It is held in memory, and other programs in the sandbox could write into it.
 */
export const MAX_SCRIPT_OUTPUT_CHARS = 16 * 1024 * 1024
/** Size of a sandbox's listing of MAX_WORKSPACE_ENTRIES, unpacked: some 600 bytes each. */
export const MAX_LISTING_BYTES = 64 * 1024 * 1024

/** Time for one `pip_install` call, all its packages together: a large wheel over a slow line takes minutes. */
export const PIP_INSTALL_MS = 20 * 60_000
/** Packages remembered of a task's environment: each is a directory, of which code of the task may make any number. */
export const MAX_DISTRIBUTIONS = 5_000
/** Time for one `git_clone`: whole histories of large projects are beyond it, and a shallow clone is the way then. */
export const GIT_CLONE_MS = 10 * 60_000
/** Size of a private repository's list of branches and tags, in memory: large ones have a hundred thousand, 60 bytes each. */
export const MAX_GIT_REFS_BYTES = 16 * 1024 * 1024
/**
 * Size of a private repository's whole history, packed: it passes through the server, and lies in the sandbox twice for a while.
 */
export const MAX_GIT_PACK_BYTES = 1024 * 1024 * 1024
/** Length of a failed program's own output in an error's message: enough for the reason, which stands at its end. */
export const MAX_REASON_CHARS = 2_000
