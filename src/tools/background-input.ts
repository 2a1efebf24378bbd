import * as z from 'zod'
import { flag, withDefault } from './arguments.ts'

/** Arguments of the tools whose commands can go on behind their answer. */
export const BACKGROUND_INPUT = {
  background: withDefault(flag, false).describe(
    'Answer at once with job_id, pid and log_file; read on with job_output, end it with job_stop. Default false',
  ),
  on_timeout: withDefault(z.enum(['stop', 'background']), 'stop').describe(
    '"background": at the timeout answer with the output so far and a job_id, and let it go on as a job, with stdout and stderr in one log. Default "stop"',
  ),
}

/** Whether a command goes on behind its answer, or may. */
export const mayGoOn = ({ background, on_timeout }: { background: boolean; on_timeout: 'stop' | 'background' }) =>
  background || on_timeout === 'background'
