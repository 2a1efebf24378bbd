import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import type { Outcome } from '../../../../core/outcome.ts'
import type { Params } from '../../../parameters/params.ts'
import { answering, type Call, type Data, textOf } from './calls.ts'

const Started = z.object({ job_id: z.string(), pid: z.int().nullable() })

/** Answer to a start in the background: a job is a process to this client. */
export function startedProcess(data: Data): Data {
  const { job_id, pid } = Started.parse(data)
  return { exit_code: 0, stdout: `started in the background, PID ${pid}\n`, stderr: '', process_id: job_id, pid }
}

/** Lists the jobs of the task, or ends one. */
export async function manageProcesses(params: Params, call: Call): Promise<Outcome> {
  const action = textOf(params, 'action') ?? 'list'
  if (action === 'list') return answering(await call({ tool: 'job_list', args: {} }), listed)
  if (action !== 'kill') fail('invalid_input', `Unknown action: ${action.slice(0, 50)}. Use 'list' or 'kill'`)
  const process_id = textOf(params, 'process_id') ?? fail('invalid_input', 'process_id is required for kill action')
  const outcome = await call({ tool: 'job_stop', args: { job_id: process_id } })
  if (outcome.kind === 'failed' && outcome.failure.code === 'not_found') {
    const message = `Process not found: ${process_id.slice(0, 50)}; the action 'list' names those that are there`
    return { ...outcome, failure: { ...outcome.failure, message } }
  }
  return answering(outcome, (data) => ({ process_id, status: data.state === 'stopped' ? 'terminated' : 'finished' }))
}

const Jobs = z.object({
  jobs: z.array(
    z.object({
      job_id: z.string(),
      command: z.string(),
      running: z.boolean(),
      started_at: z.string(),
      pid: z.int().optional(),
      log_file: z.string().optional(),
    }),
  ),
})

function listed(data: Data): Data {
  const processes = Jobs.parse(data).jobs.map(({ job_id, command, running, started_at, pid, log_file }) => ({
    process_id: job_id,
    pid,
    ...(inWords(command) ?? { command, output_file: log_file }),
    start_time: started_at,
    status: running ? 'running' : 'finished',
  }))
  return { processes, count: processes.length }
}

/** File and output of a run that `execute_code` began, from the comment at its head; null for other commands. */
function inWords(command: string) {
  const end = command.indexOf(' mkdir -p ')
  const arrow = end === -1 ? -1 : command.lastIndexOf(' > ', end)
  if (arrow === -1 || !command.startsWith('# ')) return null
  return { command: command.slice(2, arrow), output_file: command.slice(arrow + 3, end) }
}
