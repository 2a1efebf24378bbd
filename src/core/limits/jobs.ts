/** Jobs that go on between calls, and the coding agent that runs as one. */

/** Jobs of one session that run at once: each coding agent takes some 300 MB of a sandbox's memory. */
export const MAX_RUNNING_JOBS = 3
/** Results of jobs that a session keeps; the oldest go first. */
export const MAX_KEPT_JOBS = 100
/** A job's result waits this long for somebody to ask for it. */
export const JOB_KEPT_MS = 24 * 60 * 60_000

/** A running job is looked at this often when nobody waits for it, in its turn in the session's alarm. */
export const JOB_LOOK_MS = 15_000
/** Starting a program that goes on by itself, in a sandbox that is there. */
export const JOB_START_MS = 60_000
/** One look waits this long in the sandbox for something new. */
export const JOB_LOOK_WAIT_MS = 10_000
/** Between the three signals that stop a job, and from the last until its sandbox's processes are killed for it. */
export const JOB_SIGNAL_MS = 2_000
/** From the request to stop until a job that does not is killed from outside of its own supervision. */
export const JOB_STOP_MS = 4 * JOB_SIGNAL_MS

/** One line of what a job prints; longer ones are left out. An answer of a model has a quarter of this at most. */
export const MAX_JOB_LINE_BYTES = 1024 * 1024
/** All that a job prints: an hour of a coding agent is a few MiB. Of what is beyond it the last line is kept. */
export const MAX_JOB_OUTPUT_BYTES = 64 * 1024 * 1024
/** Lines of progress kept of one job, the newest; and of one line. */
export const MAX_PROGRESS_LINES = 100
export const MAX_PROGRESS_CHARS = 200

/** One `code_task_execute`, however long its caller waits: an agent at work for an hour costs real money. */
export const CODE_TASK_MS = 60 * 60_000
/** How long a call of it waits for the end before it says how far the work is: clients of the Tool Server give up after
 * 120 s, and a new sandbox may have to be made first. */
export const CODE_TASK_PATIENCE_SECONDS = 80
export const MAX_CODE_TASK_PATIENCE_SECONDS = 100
/** A task described at greater length belongs into a file. */
export const MAX_PROMPT_CHARS = 512 * 1024
/** The system prompt becomes one argument of a program, for which Linux has 128 KiB of UTF-8. */
export const MAX_SYSTEM_PROMPT_CHARS = 32 * 1024
/** Names in `allowed_tools`: Claude Code has some twenty tools, and rules narrow them. */
export const MAX_ALLOWED_TOOLS = 50
/** Turns of one `code_task_execute`. */
export const MAX_CODE_TASK_TURNS = 500
/** Names in `files_created`; more would flood a model. */
export const MAX_CREATED_FILES = 500
