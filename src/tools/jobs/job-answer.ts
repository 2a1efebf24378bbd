import type { BackgroundJob } from '../../ports/background.ts'

/** Words on how to read on in a job's output. */
export const readOn = (id: string, from: number) =>
  `read on with job_output(job_id="${id}", from_byte=${from}, wait_seconds=30), end it with job_stop`

/** Why a job ended, where it did not end by itself. */
export const jobEnd = ({ why }: BackgroundJob): string[] =>
  why === undefined ? [] : [why.startsWith('was ') ? `it ${why}` : why]

/** Named fields of a job's state: `exit_code` when it has one. */
export const jobState = ({ state, exitCode }: BackgroundJob) => ({
  running: state === 'running',
  ...(state !== 'running' && { state, exit_code: exitCode }),
})

/** The state in words. */
export function stateWords({ id, state, exitCode, ms }: BackgroundJob): string {
  const seconds = (ms / 1000).toFixed(1)
  if (state === 'running') return `job ${id} runs, for ${seconds} s`
  return `job ${id} ${state === 'exited' ? 'has ended' : `has ended (${state})`} after ${seconds} s, ${exitCode === null ? 'without an exit code' : `with exit code ${exitCode}`}`
}
