/** Python that tenants register as modules, and that clients add as actions. */

/** Processes of a session that keep a tenant's Python module loaded; the least recently used one makes room. */
export const MAX_PYTHON_MODULES = 8
/** Time without a call after which a module's process, and its supervisor, end: they take memory. */
export const PYTHON_IDLE_MS = 10 * 60_000
/** Size of what one call of a module returns, as JSON: more belongs into a file. */
export const MAX_PYTHON_RESULT_BYTES = 4 * 1024 * 1024
/** Length of one module call's arguments as JSON, without the source. */
export const MAX_PYTHON_ARGUMENT_CHARS = 8 * 1024 * 1024

/** Length of all files of a module together: it is code, and goes into the sandbox with its first call. */
export const MAX_PYTHON_SOURCE_CHARS = 2 * 1024 * 1024
/** Files of a Python tool, by name; large packages have fewer. */
export const MAX_PYTHON_FILES = 500
/** Packages that a module may require. */
export const MAX_PYTHON_REQUIREMENTS = 50
/** Requirements of one `pip_install`, those of its files included: each is a run of pip. */
export const MAX_REQUIREMENTS = 200
/** Size of a file of requirements. */
export const MAX_REQUIREMENTS_FILE_BYTES = 64 * 1024
/** Length of one requirement specifier. */
export const MAX_REQUIREMENT_CHARS = 1_000

/** Lagent actions that clients add to one session as Python. */
export const MAX_PYTHON_ACTIONS = 200
/** Length of an action's source, which is kept with the session. */
export const MAX_ACTION_SOURCE_CHARS = 256 * 1024
/** Time to load an action's source in order to describe it; its imports may be large. */
export const PYTHON_DESCRIBE_MS = 60_000

/**
 * Time from the start of the modules' supervisor until it takes requests: it starts an interpreter, which takes seconds on a busy
 * machine.
 */
export const PYTHON_START_MS = 20_000
/**
 * Time from a module's deadline until its supervisor counts as lost and the sandbox is ended. Only the next call waits for it.
 */
export const PYTHON_GRACE_MS = 10_000
/**
 * Time that the connection to a sandbox's Python processes stays open for calls that follow at once: it keeps the session's
 * object in memory.
 */
export const PYTHON_LINK_MS = 1_000
