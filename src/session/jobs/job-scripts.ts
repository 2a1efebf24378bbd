import { z } from 'zod'
import { JOB_LOOK_WAIT_MS, JOB_SIGNAL_MS, MAX_JOB_LINE_BYTES, MAX_JOB_OUTPUT_BYTES } from '../../core/limits/jobs.ts'
import { MAX_REASON_CHARS } from '../../core/limits/sandbox.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { utf8Length } from '../../core/utf8-length.ts'
import { bashCall, bashProgram } from '../../guest/bash-program.ts'
import JOB from '../../guest/jobs/job.py' with { type: 'text' }
import KILL from '../../guest/jobs/kill.sh' with { type: 'text' }
import type { JobEnd, NewJob } from '../../ports/jobs.ts'
import { SYSTEM_PATH } from '../../ports/sandbox.ts'
import { mark } from '../sandbox/exec-script.ts'
import { STATE_DIRECTORY } from '../sandbox/place.ts'

const LIMITS = {
  max_line_bytes: MAX_JOB_LINE_BYTES,
  max_output_bytes: MAX_JOB_OUTPUT_BYTES,
  max_reason_chars: MAX_REASON_CHARS,
  signal_seconds: JOB_SIGNAL_MS / 1000,
}

const directoryOf = (id: string) => `${STATE_DIRECTORY}/jobs/${id}`

/**
 * Bash that starts a job's program, and ends when it is supervised. Run in the job's directory, with its secrets as environment,
 * which no program that code of the task could have put on the PATH may see.
 */
export function startScript(id: string, { programs, args, stdin, env, secrets, scratch, timeoutMs }: NewJob): string {
  const directory = directoryOf(id)
  const spec = {
    programs,
    args,
    stdin,
    env,
    secrets: Object.keys(secrets),
    scratch,
    seconds: timeoutMs / 1000,
    limits: LIMITS,
  }
  return `export JOB_PATH=$PATH; PATH=${SYSTEM_PATH}
mkdir -p -m 700 ${directory} && printf %s ${shellQuote(JOB)} > ${directory}/job.py && printf %s ${shellQuote(JSON.stringify(spec))} > ${directory}/spec.json || exit 90
exec python3 -I ${directory}/job.py start ${directory}`
}

/** Bash that waits in the sandbox until there is something new, and prints it for {@link readLook}. */
export const lookScript = (id: string, offset: number, waitMs: number) =>
  `exec python3 -I ${directoryOf(id)}/job.py look ${directoryOf(id)} ${offset} ${Math.min(waitMs, JOB_LOOK_WAIT_MS) / 1000} ${MAX_JOB_LINE_BYTES}`

export const stopScript = (id: string) => `: > ${directoryOf(id)}/stop`

export const removeScript = (id: string) => `rm -rf ${directoryOf(id)}`

/** Bash that ends all processes of a job by their mark. */
export const killScript = (id: string) => `exec 2>/dev/null\n${bashProgram(KILL)}${bashCall('kill_job', mark(id))}`

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
      how: z.enum(['exited', 'cancelled', 'timeout', 'missing', 'failed']),
      code: z.int().nullable(),
      stderr: z.string().transform((text) => text.slice(-MAX_REASON_CHARS)),
      ms: z.int().min(0),
    })
    .nullable(),
})

/** @returns null for text that {@link lookScript} does not print: then no supervisor watches the job */
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

function parseReport(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // code of the task may have changed the program that prints it
  }
}
