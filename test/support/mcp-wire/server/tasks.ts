import type { ServerContext } from '@modelcontextprotocol/server'
import { createdTask, declaresTasks, requireTasks } from '../../../../src/http/dialects/mcp/server/calls/tasks.ts'
import { type Fixture, fixture, type Properties, text } from './fixture.ts'
import { form, nameRequired, userName } from './input-required.ts'
import { beginTask, type TaskWork } from './task-store.ts'

/** Tool that is a task for all clients, and refuses those that know none. */
const onlyAsTask = (name: string, work: TaskWork, properties: Properties = {}) =>
  fixture(name, 'Is a task.', (_, request) => taskOnly(request, work), properties)

function taskOnly(request: ServerContext, work: TaskWork) {
  requireTasks(request)
  return createdTask(beginTask(work))
}

/** Tools of the tasks extension. */
export const TASK_TOOLS: readonly Fixture[] = [
  fixture('greet', 'Greets.', ({ name }) => text(`Hello, ${name}!`), { name: { type: 'string' } }),
  fixture(
    'slow_compute',
    'Takes as long as it is told to.',
    ({ seconds, label }, request) => {
      const ms = Number(seconds) * 1_000
      const result = `${label} is done`
      return ms > 0 && declaresTasks(request) ? createdTask(beginTask({ ms, end: { result } })) : text(result)
    },
    { seconds: { type: 'number' }, label: { type: 'string' } },
  ),
  onlyAsTask('failing_job', { ms: 1_000, end: { result: 'The job failed.', isError: true } }),
  onlyAsTask('protocol_error_job', { ms: 0, end: { error: 'The job got no result.' } }),
  onlyAsTask(
    'confirm_delete',
    { ms: 0, questions: { confirm: form('Delete the file?', 'confirm', 'boolean') }, end: { result: 'deleted' } },
    { filename: { type: 'string' } },
  ),
  onlyAsTask('multi_input', {
    ms: 0,
    questions: { first: form('First name?', 'name'), second: form('Second name?', 'name') },
    end: { result: 'Both are known.' },
  }),
  fixture('test_tool_with_task', 'Asks for a name, then is a task.', (_, request) => {
    requireTasks(request)
    const name = userName(request)
    return name === null ? nameRequired() : taskOnly(request, { ms: 0, end: { result: `Hello, ${name}!` } })
  }),
]
