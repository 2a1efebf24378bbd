/** Every bound of the agent, with its unit and reason. */

/** Bytes of one RPC or interpreter request. A command line is at most 128 KiB; stdin may come in large pieces. */
export const MAX_RPC_BYTES = 32 * 1024 * 1024
/** Commands running at the same time. The sandbox's process limit is of the same order. */
export const MAX_PROCESSES = 256
/** Bytes of one output event. Keeps a single frame small whatever the pipe delivers. */
export const MAX_CHUNK_BYTES = 64 * 1024
/** Bytes of stdin waiting for a process that does not read. */
export const MAX_STDIN_BYTES = 64 * 1024 * 1024
/** Milliseconds a kill waits for the process to be reaped before it answers anyway. */
export const REAP_TIMEOUT_MS = 5000
/** Milliseconds a SIGTERM waits: the process may handle it as long as it likes. */
export const TERM_WAIT_MS = 1000
/** Seconds between keep-alive frames when the client names no interval. */
export const KEEPALIVE_SECONDS = 50

/** Entries of one directory listing, recursion included. */
export const MAX_LIST_ENTRIES = 100_000
/** Levels of one listing. */
export const MAX_LIST_DEPTH = 64
/** Directories under one recursive watch; the kernel bounds inotify watches per user. */
export const MAX_WATCHED_DIRS = 4096
/** Watches open at the same time. */
export const MAX_WATCHES = 64
/** Milliseconds over which events of one directory are put together, so that both halves of a rename are seen. */
export const WATCH_SETTLE_MS = 20
/** Bytes of the headers of one multipart part. */
export const MAX_PART_HEADER_BYTES = 16 * 1024
/** Files in one upload. */
export const MAX_PARTS = 10_000

/** Interpreter contexts at the same time: each is a Python process of 30-50 MiB. */
export const MAX_CONTEXTS = 16
/** Executions waiting for one context. */
export const MAX_QUEUED_EXECUTIONS = 64
/** Milliseconds over which interpreter output is put together, so that a loop of prints is not one event each. */
export const OUTPUT_SETTLE_MS = 20
/** Characters of one interpreter text event. */
export const MAX_TEXT_EVENT_CHARS = 256 * 1024
/** Milliseconds between the keep-alive lines of an execution: the real server's interval. */
export const EXECUTE_KEEPALIVE_MS = 5000
/** Milliseconds from one interrupt to the next when code does not stop. */
export const INTERRUPT_AGAIN_MS = 1000
/** Interrupts before the context's process is killed and its state lost. */
export const MAX_INTERRUPTS = 5
/** Milliseconds for a Python process to say that it is ready. */
export const KERNEL_START_MS = 20_000
/** Bytes of one line from the interpreter: a large picture in base64. */
export const MAX_KERNEL_LINE_BYTES = 32 * 1024 * 1024

/** Connections through the relay at the same time. The daemon takes fewer, and says so; this one only bounds the agent's memory. */
export const MAX_RELAYED = 128
/** Milliseconds without a byte in either direction after which a connection through the way out ends: longer than servers keep theirs. */
export const EGRESS_IDLE_MS = 5 * 60_000
