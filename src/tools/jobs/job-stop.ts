import * as z from 'zod'
import { JOB_SIGNAL_MS } from '../../core/limits/jobs.ts'
import type { Result } from '../../core/outcome.ts'
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { jobEnd, jobState, stateWords } from '../job-answer.ts'
import { jobNamed } from './job-named.ts'

/** Ends a job. */
export const jobStop = defineTool({
  name: 'job_stop',
  description:
    `End a job with all processes that it started in the sandbox: SIGINT, ${JOB_SIGNAL_MS / 1000} seconds later SIGTERM, ` +
    `${JOB_SIGNAL_MS / 1000} more SIGKILL. Waits for its end. Returns running, exit_code and log_file. Files that it wrote ` +
    'stay, and its output stays readable by job_output. A job that has ended stays as it is.',
  effect: 'run',
  uses: ['background'],
  input: z.object({ job_id: requiredText.describe('Id of the job; job_list names all') }),

  async run({ job_id }, { ports: { background } }): Promise<Result> {
    const job = await background.stop(await jobNamed(background, job_id))
    const notes = jobEnd(job)
    return {
      text: [stateWords(job), ...notes].join('\n'),
      data: { ...jobState(job), log_file: job.log, ...(notes.length > 0 && { notes }) },
    }
  },
})
