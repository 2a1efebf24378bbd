import { BACKGROUND_SECONDS, MAX_JOB_ANSWER_BYTES } from '../core/limits/jobs.ts'
import type { Result } from '../core/outcome.ts'
import type { WorkspacePath } from '../core/workspace-path.ts'
import type { Background, BackgroundJob, JobOutput } from '../ports/background.ts'
import { grantedTime } from './deadline.ts'
import { jobEnd, readOn } from './job-answer.ts'

/** A command that may go on behind its answer. */
export interface JobRequest {
  readonly script: string
  readonly cwd: WorkspacePath
  readonly env?: Readonly<Record<string, string>>
  /** Values of `env` to mask in the output. */
  readonly secrets?: readonly string[]
  readonly label: string
  /** The command as lists show it. */
  readonly shown: string
  /** Answer at once; else at the timeout. */
  readonly background: boolean
  /** Seconds, as given. */
  readonly timeout: number | undefined
  /** Time limit of the tool for a command that a caller waits for, in seconds. */
  readonly defaultSeconds: number
  /** Notes on the request. */
  readonly notes?: readonly string[]
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
  const { script, cwd, env, secrets, label, shown, background, timeout, defaultSeconds } = request
  const granted = grantedTime(timeout ?? (background ? BACKGROUND_SECONDS : defaultSeconds))
  const lasts = background ? granted : grantedTime(granted.seconds + BACKGROUND_SECONDS)
  const given = { ...(env && { env }), ...(secrets && { secrets }) }
  const job = await jobs.start({ script, cwd, ...given, timeoutMs: lasts.timeoutMs, label, shown })
  const notes = [...granted.notes, ...(request.notes ?? [])]
  if (background) return started(job, notes, extra)
  await jobs.wait(job.id, granted.timeoutMs)
  const read = await jobs.output(job.id, { from: 0, patienceMs: 0 })
  return read.job.state === 'running' ? goesOn(read, { ...granted, notes }, extra) : ended(jobs, read, notes, extra)
}

function goesOn(
  { job, text, next }: JobOutput,
  granted: ReturnType<typeof grantedTime>,
  extra: Result['data'],
): Result {
  const why = `it runs on as job ${job.id} after ${granted.seconds} seconds; ${readOn(job.id, next)}`
  const notes = [...granted.notes, why, TOGETHER]
  return {
    text: [text.trimEnd(), ...notes].filter(Boolean).join('\n'),
    data: { exit_code: null, stdout: text, stderr: '', ...facts(job), next_from_byte: next, notes, ...extra },
  }
}

async function ended(
  jobs: Background,
  { job, text, next, size }: JobOutput,
  granted: readonly string[],
  extra: Result['data'],
): Promise<Result> {
  const isCut = size !== null && size > next
  const stdout = isCut ? await headAndTail(jobs, job, text) : text
  const notes = [...granted, ...jobEnd(job), TOGETHER]
  const data = {
    exit_code: job.exitCode,
    stdout,
    stderr: '',
    ...(isCut && { truncated: true, full_output: { stdout: job.log } }),
    notes,
    ...extra,
  }
  return {
    text: [stdout.trimEnd(), `exit code ${job.exitCode ?? 'unknown'}`, ...notes].filter(Boolean).join('\n'),
    data,
  }
}

/** Head and tail of a log that is longer than an answer: errors stand at the end. */
async function headAndTail(jobs: Background, { id, log }: BackgroundJob, text: string): Promise<string> {
  const tail = await jobs.output(id, { from: -MAX_JOB_ANSWER_BYTES / 2, patienceMs: 0 })
  return `${text.slice(0, text.length / 2)}\n[… left out here; the whole is in ${log} …]\n${tail.text}`
}

const TOGETHER = 'stdout and stderr are together in stdout'

function started(job: BackgroundJob, notes: readonly string[], extra: Result['data']): Result {
  const next = readOn(job.id, 0)
  return {
    text: [`started as job ${job.id} (pid ${job.pid}); its output goes to ${job.log}; ${next}`, ...notes].join('\n'),
    data: { ...facts(job), notes: [next, ...notes], ...extra },
  }
}

const facts = ({ id, pid, log }: BackgroundJob) => ({ job_id: id, pid, log_file: log })
