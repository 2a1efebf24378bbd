import { BACKGROUND_SECONDS, MAX_JOB_ANSWER_BYTES } from '../../core/limits/jobs.ts'
import type { Result } from '../../core/outcome.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { Background, BackgroundJob } from '../../ports/background.ts'
import { grantedTime } from '../deadline.ts'
import { jobEnd, readOn } from './job-answer.ts'

/** A command that may go on behind its answer. */
export interface JobRequest {
  readonly script: string
  readonly cwd: WorkspacePath
  readonly label: string
  /** The command as lists show it. */
  readonly shown: string
  /** Answer at once; else at the timeout. */
  readonly background: boolean
  /** Seconds, as given. */
  readonly timeout: number | undefined
  /** Time limit of the tool for a command that a caller waits for, in seconds. */
  readonly defaultSeconds: number
}

/**
 * Starts a command as a job, and answers at once; or at its end, or at its timeout, with the output so far.
 * @param extra fields of the tool's own
 */
export async function runInBackground(
  jobs: Background,
  request: JobRequest,
  extra: Result['data'] = {},
): Promise<Result> {
  const { script, cwd, label, shown, background, timeout, defaultSeconds } = request
  const granted = grantedTime(timeout ?? (background ? BACKGROUND_SECONDS : defaultSeconds))
  const lasts = background ? granted : grantedTime(granted.seconds + BACKGROUND_SECONDS)
  const job = await jobs.start({ script, cwd, timeoutMs: lasts.timeoutMs, label, shown })
  if (background) return started(job, granted.notes, extra)
  const after = await jobs.wait(job.id, granted.timeoutMs)
  const isRunning = after.state === 'running'
  const { text, next, size } = await jobs.output(job.id, { from: 0, patienceMs: 0 })
  const notes = [
    ...granted.notes,
    ...(isRunning
      ? [`it runs on as job ${job.id} after ${granted.seconds} seconds; ${readOn(job.id, next)}`]
      : jobEnd(after)),
    'stdout and stderr are together in stdout',
    ...(!isRunning && size !== null && size > next
      ? [`the first ${next} of ${size} bytes; the whole output is in ${job.log}`]
      : []),
  ]
  const data = {
    exit_code: after.exitCode,
    stdout: text,
    stderr: '',
    ...(isRunning && { ...facts(job), next_from_byte: next }),
    ...(!isRunning &&
      size !== null &&
      size > MAX_JOB_ANSWER_BYTES && { truncated: true, full_output: { stdout: job.log } }),
    notes,
    ...extra,
  }
  const status = isRunning ? [] : [`exit code ${after.exitCode ?? 'unknown'}`]
  return { text: [text.trimEnd(), ...status, ...notes].filter(Boolean).join('\n'), data }
}

function started(job: BackgroundJob, notes: readonly string[], extra: Result['data']): Result {
  const next = readOn(job.id, 0)
  return {
    text: [`started as job ${job.id} (pid ${job.pid}); its output goes to ${job.log}; ${next}`, ...notes].join('\n'),
    data: { ...facts(job), notes: [next, ...notes], ...extra },
  }
}

const facts = ({ id, pid, log }: BackgroundJob) => ({ job_id: id, pid, log_file: log })
