/** Notebook, IPython and persistent shells. */

/** Time for one cell of the notebook, and for one shell command with a waiting caller: what XAgent's own server gave. */
export const NOTEBOOK_CELL_MS = 300_000
export const SHELL_COMMAND_MS = 300_000
/** Start of a kernel until it runs its first cell, whose time begins then: it loads IPython, which takes seconds on a busy machine. */
export const KERNEL_START_MS = 20_000
/**
 * Time from the start of the console host (notebook and shells) until it takes requests: a Python interpreter on a busy machine.
 */
export const CONSOLE_START_MS = 20_000
/**
 * Time from the interrupt of a cell until its kernel is ended: time for `finally` and `except` to do their work. Only the next
 * cell waits for it.
 */
export const CELL_INTERRUPT_MS = 5_000
/**
 * Time from the interrupt of a cell until its call is answered, whether or not the cell has stopped: most stop at once. The time
 * of a request to the console host is allowed on top.
 */
export const CELL_STOP_MS = 600
/**
 * Time from the deadline of a shell's command until the host replies: it ends the shell with all that runs in it, and reads what
 * they printed, which takes a few hundred milliseconds on a busy machine. With CONSOLE_REPLY_MS and CONSOLE_PACE_MS on top, a
 * call whose host is gone is still answered within a second of its deadline.
 */
export const COMMAND_END_MS = 400
/**
 * Time from the moment the console host should reply until its call is answered without the reply. The time of a request to the
 * host is allowed on top.
 */
export const CONSOLE_REPLY_MS = 200
/**
 * Time allowed for a request to the console host where none was measured yet, and at most. The most is allowed wherever the end of
 * the caller's wait is no deadline: a late answer that the work goes on is better than an error.
 */
export const CONSOLE_PACE_MS = 200
export const MAX_CONSOLE_PACE_MS = 2_000
/** Time for a command in a persistent shell that no caller waits for; also how long it alone keeps a sandbox. */
export const MAX_CONSOLE_COMMAND_MS = 60 * 60_000
/** Length of one cell's code, and of one command: longer code belongs into a file. */
export const MAX_CONSOLE_INPUT_CHARS = 512 * 1024

/** Shells of `shell_command` that exist at once: each is a process with its buffers. */
export const MAX_SHELLS = 8
/** Cells queued behind the running one. */
export const MAX_QUEUED_CELLS = 16
/** Cells whose answer can be fetched again; older ones stand in `notebook_print`. */
export const MAX_KEPT_CELL_RUNS = 16

/**
 * Size of one cell's images and other results: some large figures. They are kept in the notebook, in the sandbox's memory and in
 * the answer.
 */
export const MAX_CELL_DATA_BYTES = 4 * 1024 * 1024
/** Size of one reply of the console host: MAX_CELL_DATA_BYTES and text, as JSON. */
export const MAX_CONSOLE_REPLY_BYTES = 8 * 1024 * 1024
/** Size of a notebook's file that comes along with its cell's reply; a larger one is fetched like any other changed file. */
export const MAX_REPORTED_FILE_BYTES = 256 * 1024
/**
 * Questions whose ids the console host keeps: one whose reply was lost on its way is asked again within seconds, and not done again.
 * Their last replies are kept too, MAX_CONSOLE_REPLY_BYTES of them.
 */
export const MAX_KNOWN_QUESTIONS = 256
/** Depth of a console host's reply: more than Python itself nests by default, and few enough for what passes it on. */
export const MAX_CONSOLE_REPLY_DEPTH = 1_000

/** Time for `python_solution`: what Lagent's own interpreter waits. */
export const PYTHON_SOLUTION_MS = 20_000
/** Time for `ipython_run` without a timeout: what its description promises. The longest is NOTEBOOK_CELL_MS. */
export const IPYTHON_MS = 60_000
/** Time for `ipython_session_run` and `ipython_interactive_run` without a timeout: what Lagent's own wait. */
export const IPYTHON_SESSION_MS = 20_000
export const IPYTHON_INTERACTIVE_MS = 30_000
/** Kernels that exist at once beside that of `ipython_run`: each is a process with all that its code loaded. */
export const MAX_IPYTHON_KERNELS = 4
/** Length of a `session_id`: it stands in notes. */
export const MAX_IPYTHON_SESSION_CHARS = 200
/** Length of what `ipython_interactive_run` shows: as in Lagent's own. */
export const MAX_INTERACTIVE_CHARS = 8_192
/** Images that one `ipython_run` keeps as files: a person looks at a few. */
export const MAX_IPYTHON_IMAGES = 32
