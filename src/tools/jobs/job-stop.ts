import { z } from 'zod'
import type { Result } from '../../core/outcome.ts'
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { jobEnd, jobState, stateWords } from './job-answer.ts'

/** Ends a job. */
export const jobStop = defineTool({
  name: 'job_stop',
  description:
    'End a job with all processes that it started: SIGINT, two seconds later SIGTERM, two more SIGKILL. Waits for its end. ' +
    'Files that it wrote stay, and its output stays readable by job_output. A job that has ended stays as it is.',
  effect: 'run',
  uses: ['background'],
  input: z.object({ job_id: requiredText.describe('The job; job_list names all') }),

  async run({ job_id }, { ports: { background } }): Promise<Result> {
    const job = await background.stop(job_id)
    const notes = jobEnd(job)
    return {
      text: [stateWords(job), ...notes].join('\n'),
      data: { ...jobState(job), log_file: job.log, ...(notes.length > 0 && { notes }) },
    }
  },
})
