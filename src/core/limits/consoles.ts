/** Notebook, IPython and lasting shells. */

/** One cell of the notebook, and one shell command that is waited for: what XAgent's own server gave. */
export const NOTEBOOK_CELL_MS = 300_000
export const SHELL_COMMAND_MS = 300_000
/** Start of a kernel until it runs its first cell, whose time begins then: it loads IPython, which takes seconds on a busy machine. */
export const KERNEL_START_MS = 20_000
/** Start of the host of notebook and shells, until it can be asked: a Python interpreter on a busy machine. */
export const CONSOLE_START_MS = 20_000
/** Time from the interrupt of a cell until its kernel is ended: time for `finally` and `except` to do their work. Nobody waits
 * for it but the next cell. */
export const CELL_INTERRUPT_MS = 5_000
/** Time from the interrupt of a cell until its call is answered, whether or not it has stopped: most stop at once. What a
 * question to the host of the notebook takes is allowed on top. */
export const CELL_STOP_MS = 600
/** Time from the moment the host of notebook and shells should reply until the call is answered without. What a
 * question to it takes is allowed on top. */
export const CONSOLE_REPLY_MS = 200
/** Time allowed for a question to the host where none was measured yet, and at most. */
export const CONSOLE_PACE_MS = 200
export const MAX_CONSOLE_PACE_MS = 2_000
/** A command in a lasting shell that nobody waits for; also how long it alone keeps a sandbox. */
export const MAX_CONSOLE_COMMAND_MS = 60 * 60_000
/** Code of one cell, and one command: what is longer is a file. */
export const MAX_CONSOLE_INPUT_CHARS = 512 * 1024

/** Shells of `shell_command` that are there at once: each is a process with its buffers. */
export const MAX_SHELLS = 8
/** Cells that wait for the one that runs. */
export const MAX_QUEUED_CELLS = 16
/** Cells whose answer can be asked for again; beyond it `notebook_print` has them. */
export const MAX_KEPT_CELL_RUNS = 16

/** Images and other results of one cell: some large figures. They are kept in the notebook, in the sandbox's memory and in the answer. */
export const MAX_CELL_DATA_BYTES = 4 * 1024 * 1024
/** One reply of the process that holds notebook and shells: MAX_CELL_DATA_BYTES and text, as JSON. */
export const MAX_CONSOLE_REPLY_BYTES = 8 * 1024 * 1024
/** A notebook's file of this size comes along with its cell's reply; a larger one is fetched, as other files are that changed. */
export const MAX_TOLD_FILE_BYTES = 256 * 1024
/** Levels of such a reply: more than Python itself nests by default, and few enough for what passes it on. */
export const MAX_CONSOLE_REPLY_DEPTH = 1_000

/** `python_solution`: what Lagent's own interpreter waits. */
export const PYTHON_SOLUTION_MS = 20_000
/** `ipython_run` without a timeout: what its description promises. The longest is NOTEBOOK_CELL_MS. */
export const IPYTHON_MS = 60_000
/** `ipython_session_run` and `ipython_interactive_run` without a timeout: what Lagent's own wait. */
export const IPYTHON_SESSION_MS = 20_000
export const IPYTHON_INTERACTIVE_MS = 30_000
/** Kernels that are there at once beside that of `ipython_run`: each is a process with all that its code loaded. */
export const MAX_IPYTHON_KERNELS = 4
/** Length of a `session_id`: it stands in notes. */
export const MAX_IPYTHON_SESSION_CHARS = 200
/** What `ipython_interactive_run` shows: what Lagent's own does. */
export const MAX_INTERACTIVE_CHARS = 8_192
/** Images that one `ipython_run` keeps as files: a person looks at a few. */
export const MAX_IPYTHON_IMAGES = 32
