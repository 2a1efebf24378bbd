import * as z from 'zod'
import { JOB_OUTPUT_WAIT_SECONDS, MAX_JOB_ANSWER_BYTES, MAX_JOB_OUTPUT_WAIT_SECONDS } from '../../core/limits/jobs.ts'
import type { Result } from '../../core/outcome.ts'
import type { JobOutput } from '../../ports/background.ts'
import { anyLength, integer, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { jobEnd, jobState, stateWords } from '../job-answer.ts'
import { jobNamed } from './job-named.ts'

/** Reads what a command in the background has printed. */
export const jobOutput = defineTool({
  name: 'job_output',
  description:
    'Read what a job printed, stdout and stderr together, from a byte on, and whether it still runs in the sandbox. A job ' +
    'is a command that execute_shell or execute_code left running. Waits until there is output or the job ends, ' +
    `wait_seconds at most. Returns output (${MAX_JOB_ANSWER_BYTES} bytes at most), next_from_byte for the next call, ` +
    'running, and exit_code when it has ended.',
  effect: 'run',
  uses: ['background'],
  input: z.object({
    job_id: requiredText.describe('Id of the job; job_list names all'),
    from_byte: withDefault(integer, 0).describe(
      'Byte of the log to read from, from 0: next_from_byte of the last answer; negative: so many bytes from its end. Default 0',
    ),
    wait_seconds: withDefault(anyLength, JOB_OUTPUT_WAIT_SECONDS).describe(
      `Seconds to wait where there is no output yet, at most ${MAX_JOB_OUTPUT_WAIT_SECONDS}; 0 answers at once. Default ${JOB_OUTPUT_WAIT_SECONDS}`,
    ),
  }),

  async run({ job_id, from_byte, wait_seconds }, { ports: { background } }): Promise<Result> {
    const patienceMs = Math.min(wait_seconds, MAX_JOB_OUTPUT_WAIT_SECONDS) * 1000
    const read = await background.output(await jobNamed(background, job_id), { from: from_byte, patienceMs })
    const { job, text, from, next, size } = read
    const notes = notesOn(read, from_byte)
    return {
      text: [text.trimEnd(), stateWords(job), `next_from_byte ${next}`, ...notes].filter(Boolean).join('\n'),
      data: {
        ...jobState(job),
        output: text,
        ...(from_byte < 0 && { from_byte: from }),
        next_from_byte: next,
        ...(size !== null && size > next && { log_bytes: size }),
        log_file: job.log,
        ...(notes.length > 0 && { notes }),
      },
    }
  },
})

function notesOn({ job, next, size }: JobOutput, from: number): string[] {
  const left = (size ?? 0) - next
  return [
    ...jobEnd(job),
    ...(left > 0 ? [`${left} more bytes are there: call again with from_byte=${next}`] : []),
    ...(size !== null && from > size ? [`from_byte is behind the end of the log, which has ${size} bytes`] : []),
    ...(size === null && job.state === 'running' ? ['its log could not be read just now; call again'] : []),
    ...(size === null && job.state !== 'running' ? ['its log is not there any more'] : []),
  ]
}
