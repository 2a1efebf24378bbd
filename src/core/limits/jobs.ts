/** Limits of jobs that outlive a call, and of the coding agent that runs as one. */

/** Coding agents of one session running at once: each takes some 300 MB of a sandbox's memory. */
export const MAX_RUNNING_JOBS = 3
/** Commands of one session running in the background at once: servers, tests and trainings beside each other. */
export const MAX_BACKGROUND_COMMANDS = 8
/** Results of jobs that a session keeps; the oldest are dropped first. */
export const MAX_KEPT_JOBS = 100
/** Time that a job's result is kept for a caller to fetch it. */
export const JOB_KEPT_MS = 24 * 60 * 60_000

/** Pause between two polls of a running job that nobody waits for; the session's alarm makes them. */
export const JOB_LOOK_MS = 15_000
/** Time to start a job's program in a sandbox that exists. */
export const JOB_START_MS = 60_000
/** Time that one poll waits in the sandbox for something new. */
export const JOB_LOOK_WAIT_MS = 10_000
/** Pause between the three signals that stop a job, and from the last one until its sandbox's processes are killed. */
export const JOB_SIGNAL_MS = 2_000
/** Time from the request to stop until a job that still runs is killed from outside of its own supervisor. */
export const JOB_STOP_MS = 4 * JOB_SIGNAL_MS

/** Length of one line of a job's output; longer lines are left out. An answer of a model has a quarter of this at most. */
export const MAX_JOB_LINE_BYTES = 1024 * 1024
/** Size of a job's whole output: an hour of a coding agent is a few MiB. Beyond it only the last line is kept. */
export const MAX_JOB_OUTPUT_BYTES = 64 * 1024 * 1024
/**
 * Size of the log of a command in the background: each look at the files copies it while it grows. Of what is printed beyond it
 * the end is added when the command ends, of the size below.
 */
export const MAX_JOB_LOG_BYTES = 16 * 1024 * 1024
export const MAX_JOB_LOG_TAIL_BYTES = 64 * 1024
/** Size of one answer of `job_output`: as much as of a command's output stream. */
export const MAX_JOB_ANSWER_BYTES = 16_000
/** Jobs that `job_list` shows: those that run, and the newest of those that have ended. */
export const MAX_LISTED_JOBS = 20
/** Characters of a job's command in lists. */
export const MAX_JOB_COMMAND_CHARS = 200
/**
 * Time for a command in the background without a `timeout`, and for one that goes on after its own; its sandbox stays awake for it
 * and costs money. The longest is MAX_COMMAND_SECONDS.
 */
export const BACKGROUND_SECONDS = 60 * 60
/** Time that `job_output` waits for output by default, and at most: clients of the Tool Server give up after 120 s. */
export const JOB_OUTPUT_WAIT_SECONDS = 10
export const MAX_JOB_OUTPUT_WAIT_SECONDS = 100
/** Pause between two looks at the files of a session whose jobs nobody asks for: a sandbox may be lost with what they wrote since. */
export const JOB_SYNC_MS = 5 * 60_000

/** Progress lines kept of one job, the newest; and the length of one line. */
export const MAX_PROGRESS_LINES = 100
export const MAX_PROGRESS_CHARS = 200

/** Time for one `code_task_execute`, however long its caller waits: an agent at work for an hour costs real money. */
export const CODE_TASK_MS = 60 * 60_000
/**
 * Time that one call of `code_task_execute` waits for the end before it reports progress: clients of the Tool Server give up
 * after 120 s, and a new sandbox may have to be made first.
 */
export const CODE_TASK_PATIENCE_SECONDS = 80
export const MAX_CODE_TASK_PATIENCE_SECONDS = 100
/** Length of a coding task's prompt: a longer description belongs into a file. */
export const MAX_PROMPT_CHARS = 512 * 1024
/** Length of the system prompt, which becomes one argument of a program: Linux allows 128 KiB of UTF-8. */
export const MAX_SYSTEM_PROMPT_CHARS = 32 * 1024
/** Names in `allowed_tools`: Claude Code has some twenty tools, and rules narrow them. */
export const MAX_ALLOWED_TOOLS = 50
/** Turns of one `code_task_execute`. */
export const MAX_CODE_TASK_TURNS = 500
/** Names in `files_created`: more would flood a model. */
export const MAX_CREATED_FILES = 500
