/** Python that tenants register as modules, and clients bring as actions. */

/** Processes of a session that keep a tenant's Python module loaded; the one that was used longest ago makes room. */
export const MAX_PYTHON_MODULES = 8
/** Such a process, and the one that looks after them, ends after this long without a call: it takes memory. */
export const PYTHON_IDLE_MS = 10 * 60_000
/** What one call of such a module returns, as JSON: more belongs into a file. */
export const MAX_PYTHON_RESULT_BYTES = 4 * 1024 * 1024
/** What one call of such a module gets, as JSON, its source apart. */
export const MAX_PYTHON_ARGUMENT_CHARS = 8 * 1024 * 1024

/** Files of such a module, all characters together: it is code, and goes into the sandbox with its first call. */
export const MAX_PYTHON_SOURCE_CHARS = 2 * 1024 * 1024
/** Files of a Python tool, by name; large packages have fewer. */
export const MAX_PYTHON_FILES = 500
/** Packages that such a module may require. */
export const MAX_PYTHON_REQUIREMENTS = 50
/** Length of one requirement, as it is written. */
export const MAX_REQUIREMENT_CHARS = 1_000

/** Actions of Lagent that clients bring to one session as Python. */
export const MAX_PYTHON_ACTIONS = 200
/** Source of such actions, which is kept with the session. */
export const MAX_ACTION_SOURCE_CHARS = 256 * 1024
/** Loading such a source to describe it; what it imports may be large. */
export const PYTHON_DESCRIBE_MS = 60_000

/** Start of the process that looks after modules, until it has a request: it starts an interpreter, which takes seconds on a busy machine. */
export const PYTHON_START_MS = 20_000
/** Time from a module's deadline until its process is thought not to be looked after any more, and its sandbox is ended. Nobody
 * waits for it but the next call. */
export const PYTHON_GRACE_MS = 10_000
/** The connection to a sandbox's Python processes stays open this long for calls that follow at once: it keeps the
 * session's object in memory. */
export const PYTHON_LINK_MS = 1_000
