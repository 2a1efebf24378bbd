import type { WorkspacePath } from '../core/workspace-path.ts'

/**
 * Commands in the background: jobs whose output goes into a log file of the workspace. They go on when their call was answered and
 * when this server is restarted, and end with their sandbox.
 */
export interface Background {
  /**
   * Starts a command under the call's id; one per call.
   * @throws FailureError `limit_exceeded` when MAX_BACKGROUND_COMMANDS of the session run; why it could not be started
   */
  start(command: BackgroundCommand): Promise<BackgroundJob>
  /** Waits for a job's end, at most `patienceMs`. @throws FailureError `not_found` */
  wait(id: string, patienceMs: number): Promise<BackgroundJob>
  /**
   * Reads a job's log from a byte on, and waits for output or the job's end where there is none, at most `patienceMs`.
   * @throws FailureError `not_found`; `invalid_input` for a job without a log
   */
  output(id: string, part: LogPart): Promise<JobOutput>
  /** Stops a job and all that it started, by SIGINT, SIGTERM, SIGKILL. An ended job stays as it is. @throws FailureError `not_found` */
  stop(id: string): Promise<BackgroundJob>
  /** The session's jobs: those that run, and MAX_LISTED_JOBS at most of the ended ones, newest first. */
  list(): Promise<readonly BackgroundJob[]>
}

export interface BackgroundCommand {
  /** Bash script. It runs in `cwd`, with the task's virtual environment first on its PATH. */
  readonly script: string
  readonly cwd: WorkspacePath
  /** Environment variables of this command alone. They are in no list of jobs and in no file. */
  readonly env?: Readonly<Record<string, string>>
  /** Values of `env` that are masked in the log. */
  readonly secrets?: readonly string[]
  /** Wall clock; then the job is stopped as by `stop`. */
  readonly timeoutMs: number
  /** Word in the name of the log. */
  readonly label: string
  /** The command as lists show it. */
  readonly shown: string
}

/** Part of a log: from that byte on; a negative one counts from the end. */
export interface LogPart {
  readonly from: number
  readonly patienceMs: number
}

/** How a job is, or how it ended: `lost` with its sandbox, `failed` when it could not be started. */
export type JobState = 'running' | 'exited' | 'stopped' | 'timeout' | 'flooded' | 'lost' | 'failed'

export interface BackgroundJob {
  readonly id: string
  readonly state: JobState
  /** Null for work that is no command, such as a coding agent's. */
  readonly command: string | null
  readonly log: WorkspacePath | null
  readonly tool: string
  /** Process id in the sandbox; null when the job was not started. */
  readonly pid: number | null
  /** Exit code; null while the job runs, and when it is not known. */
  readonly exitCode: number | null
  readonly startedAt: number
  /** Time for which it runs, or ran, in milliseconds. */
  readonly ms: number
  /** Reason for the end of a job that did not end by itself. */
  readonly why?: string
}

export interface JobOutput {
  readonly job: BackgroundJob
  readonly text: string
  readonly from: number
  /** Byte behind the text. */
  readonly next: number
  /** Size of the log now; null where there is none. */
  readonly size: number | null
}
