import * as z from 'zod'
import { JOB_KEPT_MS, MAX_LISTED_JOBS } from '../../core/limits/jobs.ts'
import type { Result } from '../../core/outcome.ts'
import type { BackgroundJob } from '../../ports/background.ts'
import { defineTool } from '../define.ts'
import { jobState, stateWords } from '../job-answer.ts'

/** Lists the jobs of the session. */
export const jobList = defineTool({
  name: 'job_list',
  description:
    `List the jobs that this task has in the sandbox: all that run, then the ${MAX_LISTED_JOBS} that ended last. Returns ` +
    'jobs, each with job_id, command, running, exit_code, seconds, pid and log_file. Ended ones are kept for ' +
    `${JOB_KEPT_MS / 3_600_000} hours.`,
  effect: 'run',
  uses: ['background'],
  input: z.object({}),

  async run(_, { ports: { background } }): Promise<Result> {
    const jobs = await background.list()
    const text = jobs.map((job) => `${stateWords(job)}: ${job.command ?? job.tool}`).join('\n')
    return { text: text || 'no jobs', data: { jobs: jobs.map(shown) } }
  },
})

const shown = (job: BackgroundJob) => ({
  job_id: job.id,
  command: job.command ?? job.tool,
  ...jobState(job),
  started_at: new Date(job.startedAt).toISOString(),
  seconds: Math.round(job.ms / 100) / 10,
  ...(job.pid !== null && { pid: job.pid }),
  ...(job.log !== null && { log_file: job.log }),
})
