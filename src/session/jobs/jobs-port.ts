import type { Jobs } from '../../ports/jobs.ts'
import type { CallScope } from '../call-scope.ts'
import type { SessionRunner } from '../sandbox/session-runner.ts'
import type { SessionJobs } from './jobs.ts'

/** The `Jobs` port for one call, whose tool reads the jobs that it begins. */
export const jobsPort = (jobs: SessionJobs, { callId, tool, known }: CallScope, runner: () => SessionRunner): Jobs => ({
  begin: async (job) => {
    known.now()
    return jobs.begin(callId, tool, job, runner())
  },
  wait: async (id, patienceMs) => {
    if (patienceMs <= 0) await jobs.refresh(id)
    return jobs.wait(id, patienceMs)
  },
  cancel: (id) => jobs.cancel(id),
})
