import * as z from 'zod'
import {
  JOB_LOOK_WAIT_MS,
  JOB_SIGNAL_MS,
  MAX_JOB_LINE_BYTES,
  MAX_JOB_LOG_BYTES,
  MAX_JOB_LOG_TAIL_BYTES,
  MAX_JOB_OUTPUT_BYTES,
} from '../../core/limits/jobs.ts'
import { MAX_REASON_CHARS } from '../../core/limits/sandbox.ts'
import { MAX_COMMAND_OUTPUT_BYTES } from '../../core/limits/shells.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { utf8Length } from '../../core/utf8-length.ts'
import { absolutePath, type WorkspacePath } from '../../core/workspace-path.ts'
import { KILL } from '../../guest/bash/programs.ts'
import { bashCall } from '../../guest/bash-program.ts'
import { JOB_PROGRAM } from '../../guest/jobs/programs.ts'
import type { JobEnd, NewJob } from '../../ports/jobs.ts'
import { SYSTEM_PATH } from '../../ports/sandbox.ts'
import { mark } from '../sandbox/exec-script.ts'
import { STATE_DIRECTORY } from '../sandbox/place.ts'

const LIMITS = {
  max_line_bytes: MAX_JOB_LINE_BYTES,
  max_output_bytes: MAX_JOB_OUTPUT_BYTES,
  max_log_bytes: MAX_JOB_LOG_BYTES,
  max_log_tail_bytes: MAX_JOB_LOG_TAIL_BYTES,
  max_printed_bytes: MAX_COMMAND_OUTPUT_BYTES,
  max_reason_chars: MAX_REASON_CHARS,
  signal_seconds: JOB_SIGNAL_MS / 1000,
}

const directoryOf = (id: string) => `${STATE_DIRECTORY}/jobs/${id}`

/** A command whose output goes into a log. */
export interface CommandJob {
  readonly script: string
  readonly cwd: WorkspacePath
  readonly env: Readonly<Record<string, string>>
  /** Values of `env` that the log masks. */
  readonly secrets: readonly string[]
  readonly timeoutMs: number
  readonly log: WorkspacePath
}

/**
 * Bash that starts a job's program or command, and ends when it is supervised. Run in the job's directory, with its secrets as
 * environment, which no program that code of the task could have put on the PATH may see. Prints the process id of what it started.
 */
export function startScript(id: string, job: NewJob | CommandJob): string {
  const directory = directoryOf(id)
  const spec = {
    ...('log' in job ? commandSpec(job) : programSpec(job)),
    seconds: job.timeoutMs / 1000,
    limits: LIMITS,
  }
  return `export JOB_PATH=$PATH; PATH=${SYSTEM_PATH}
mkdir -p -m 700 ${directory} && printf %s ${shellQuote(JOB_PROGRAM)} > ${directory}/job.py && printf %s ${shellQuote(JSON.stringify(spec))} > ${directory}/spec.json || exit 90
exec python3 -I ${directory}/job.py start ${directory}`
}

const programSpec = ({ programs, args, stdin, env, secrets, scratch }: NewJob) => ({
  programs,
  args,
  stdin,
  env,
  secrets: Object.keys(secrets),
  scratch,
})

/** Names of the secrets, whose values stand in the environment alone. */
const commandSpec = ({ script, log, env, secrets }: CommandJob) => ({
  script,
  log: absolutePath(log),
  secrets: Object.keys(env).filter((name) => secrets.includes(env[name] ?? '')),
})

/** Bash that waits in the sandbox until there is something new, and prints it for {@link readLook}. */
export const lookScript = (id: string, offset: number, waitMs: number) =>
  `exec python3 -I ${directoryOf(id)}/job.py look ${directoryOf(id)} ${offset} ${Math.min(waitMs, JOB_LOOK_WAIT_MS) / 1000} ${MAX_JOB_LINE_BYTES}`

/** Bash that waits in the sandbox until a log is longer than `from`, or its job has ended, and prints it for {@link readPrinted}. */
export const printScript = (id: string, log: WorkspacePath, from: number, waitMs: number, maxBytes: number) =>
  `exec python3 -I ${directoryOf(id)}/job.py print ${directoryOf(id)} ${shellQuote(absolutePath(log))} ${from} ${Math.min(waitMs, JOB_LOOK_WAIT_MS) / 1000} ${maxBytes}`

export const stopScript = (id: string) => `: > ${directoryOf(id)}/stop`

export const removeScript = (id: string) => `rm -rf ${directoryOf(id)}`

/** Bash that ends all processes of a job by their mark. */
export const killScript = (id: string) => `exec 2>/dev/null\n${KILL}${bashCall('kill_job', mark(id))}`

/** Result of one look at a job. */
export interface Look {
  readonly lines: readonly string[]
  /** Length of these lines, in bytes. */
  readonly bytes: number
  /** True when more may be read at once. */
  readonly more: boolean
  readonly alive: boolean
  readonly end: Omit<JobEnd, 'created'> | null
}

const Report = z.object({
  alive: z.boolean(),
  more: z.boolean(),
  end: z
    .object({
      how: z.enum(['exited', 'cancelled', 'timeout', 'missing', 'failed', 'flooded']),
      code: z.int().nullable(),
      stderr: z.string().transform((text) => text.slice(-MAX_REASON_CHARS)),
      ms: z.int().min(0),
    })
    .nullable(),
})

/**
 * Reads the output of {@link lookScript}.
 * @returns null for other text: then no supervisor watches the job
 */
export function readLook(stdout: string): Look | null {
  const at = stdout.indexOf('\n')
  const report = Report.safeParse(parseReport(stdout.slice(0, at)))
  if (!report.success) return null
  const { alive, more, end } = report.data
  const text = stdout.slice(at + 1)
  const bytes = utf8Length(text)
  return {
    lines: text.split('\n').filter((line) => line !== '' && line.length <= MAX_JOB_LINE_BYTES),
    bytes,
    more: more && bytes >= MAX_JOB_LINE_BYTES,
    alive,
    end: end && { how: end.how, exitCode: end.code, stderr: end.stderr, durationMs: end.ms },
  }
}

/** Part of a log. */
export interface Printed {
  readonly ended: boolean
  /** Size of the log; null where there is none. */
  readonly size: number | null
  readonly from: number
  readonly bytes: number
  readonly text: string
}

const PrintReport = z.object({
  ended: z.boolean(),
  size: z.int().min(0).nullable(),
  from: z.int().min(0),
  bytes: z.int().min(0),
})

/** Reads the output of {@link printScript}. @returns null for other text */
export function readPrinted(stdout: string): Printed | null {
  const at = stdout.indexOf('\n')
  const report = PrintReport.safeParse(parseReport(stdout.slice(0, at)))
  return report.success ? { ...report.data, text: stdout.slice(at + 1) } : null
}

function parseReport(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // code of the task may have changed the program that prints it
  }
}
