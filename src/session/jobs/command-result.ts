import { fail } from '../../core/failure.ts'
import { MAX_COMMAND_OUTPUT_BYTES } from '../../core/limits/shells.ts'
import type { Result } from '../../core/outcome.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { JobState } from '../../ports/background.ts'
import type { JobEnd } from '../../ports/jobs.ts'

/**
 * Result of an ended command in the background, as history and the job keep it.
 * @throws FailureError `upstream` when it was not started
 */
export function resultOfCommand(log: WorkspacePath, { how, exitCode, stderr, durationMs }: JobEnd): Result {
  if (how === 'missing' || how === 'failed') {
    fail('upstream', `the sandbox could not start the command (${stderr}); its disk may be full. Try again`, {
      data: { state: 'failed' },
    })
  }
  const { state, words } = ENDS[how]
  const code = exitCode === null ? '' : `; exit code ${exitCode}`
  const data = { state, exit_code: exitCode, duration_ms: durationMs, log_file: log }
  return {
    text: `the job ${words}${code}; its output is in ${log}`,
    data: { ...data, ...(how !== 'exited' && { why: words }) },
  }
}

const ENDS: Readonly<Record<'exited' | 'cancelled' | 'timeout' | 'flooded', { state: JobState; words: string }>> = {
  exited: { state: 'exited', words: 'has ended' },
  cancelled: { state: 'stopped', words: 'was stopped on request' },
  timeout: { state: 'timeout', words: 'was stopped at its timeout' },
  flooded: {
    state: 'flooded',
    words: `was stopped because it printed more than ${MAX_COMMAND_OUTPUT_BYTES} bytes (MAX_COMMAND_OUTPUT_BYTES)`,
  },
}
