import type { Failure } from '../core/failure.ts'
import type { Result } from '../core/outcome.ts'
import type { WorkspacePath } from '../core/workspace-path.ts'

/**
 * Jobs: programs in the session's sandbox whose work may take longer than a call. They go on when the call that started
 * them has been answered, and when this server is restarted. The tool's `job` reads their output, whether or not a call
 * waits.
 */
export interface Jobs {
  /**
   * Begins to start a program, under the call's id; one per call. A program that cannot be started is a job that ended so.
   * @returns the job's id
   * @throws FailureError `limit_exceeded` when MAX_RUNNING_JOBS of the session run
   */
  begin(job: NewJob): Promise<string>
  /**
   * Waits for a job's end, at most `patienceMs`.
   * @throws FailureError `not_found` when the session has no such job, or its result is no longer kept
   */
  wait(id: string, patienceMs: number): Promise<JobView>
  /**
   * Stops a job and all processes that it started, by SIGINT, SIGTERM, SIGKILL. An ended job stays as it is.
   * @throws as `wait`
   */
  cancel(id: string): Promise<void>
}

export interface NewJob {
  /** Absolute places where the program may be; the first existing one is started. */
  readonly programs: readonly string[]
  readonly args: readonly string[]
  /** Working directory; made when it is not there. */
  readonly cwd: WorkspacePath
  readonly stdin: string
  readonly env: Readonly<Record<string, string>>
  /**
   * Variables that get the number of a file descriptor, from which the program reads the value: it is in no environment
   * of what the program starts. It is masked in what the program prints.
   */
  readonly secrets: Readonly<Record<string, string>>
  /** Variable for the path of a scratch directory of the job, outside of the workspace, removed after it. */
  readonly scratch: string
  /** Wall clock; then the job is stopped as by `cancel`. */
  readonly timeoutMs: number
  /** Initial state of the tool's reader: JSON. */
  readonly state: object
}

/** Progress of a job, or its result. */
export interface JobView {
  readonly id: string
  readonly startedAt: number
  /** The newest lines of progress, and the number of all. */
  readonly progress: { readonly lines: readonly string[]; readonly count: number }
  /** Result; absent while the job runs. */
  readonly ended?: { readonly result: Result } | { readonly failure: Failure }
}

/** Exit of the program itself. */
export interface JobEnd {
  /** `missing`: the program was at none of its places. `failed`: it could not be started. `flooded`: it printed too much. */
  readonly how: 'exited' | 'cancelled' | 'timeout' | 'missing' | 'failed' | 'flooded'
  /** Exit code; null when the program did not exit by itself; 128 + signal when one ended it. */
  readonly exitCode: number | null
  /** Tail of stderr. */
  readonly stderr: string
  readonly durationMs: number
  /** Files of the workspace that did not exist when the job began; null when that is not known any more. */
  readonly created: readonly WorkspacePath[] | null
}

/** Turns a job's output into an answer. Pure: its memory between lines is its state, which is kept as JSON. */
export interface JobReader<State extends object> {
  line(state: State, line: string): { readonly state: State; readonly progress?: string }
  /**
   * The job's result.
   * @throws FailureError what the program could not do
   */
  end(state: State, end: JobEnd): Result
}
