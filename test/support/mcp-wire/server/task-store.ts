import type { InputRequests } from '@modelcontextprotocol/server'
import type { TaskFacts, TaskStore, TaskView } from '../../../../src/http/dialects/mcp/server/calls/tasks.ts'
import { text } from './fixture.ts'

/** Work of a task. */
export interface TaskWork {
  /** Milliseconds that it takes after the last question was answered. */
  readonly ms: number
  readonly questions?: InputRequests
  readonly end: { readonly result: string; readonly isError?: true } | { readonly error: string }
}

interface Task extends TaskWork {
  readonly createdAt: number
  readonly open: Map<string, InputRequests[string]>
  startedAt: number
  cancelledAt: number | null
}

/** Tasks of the isolate. No timer runs: how far a task is follows from the time at which it is looked at. */
const tasks = new Map<string, Task>()

/** Begins a task. @returns what its creation is answered with */
export function beginTask(work: TaskWork): TaskFacts {
  const taskId = crypto.randomUUID()
  const now = Date.now()
  const open = new Map(Object.entries(work.questions ?? {}))
  const task = { ...work, createdAt: now, startedAt: now, open, cancelledAt: null }
  tasks.set(taskId, task)
  return factsOf(taskId, task)
}

export const taskStore: TaskStore = {
  async get(taskId) {
    const task = tasks.get(taskId)
    return task ? viewOf(taskId, task) : null
  },
  async update(taskId, answers) {
    const task = tasks.get(taskId)
    for (const key of Object.keys(answers)) task?.open.delete(key)
    if (task) task.startedAt = Date.now()
    return task !== undefined
  },
  async cancel(taskId) {
    const task = tasks.get(taskId)
    if (task && !isOver(task)) task.cancelledAt ??= Date.now()
    return task !== undefined
  },
}

const isOver = ({ open, startedAt, ms }: Task) => open.size === 0 && Date.now() - startedAt >= ms

const factsOf = (taskId: string, { createdAt, startedAt, cancelledAt }: Task): TaskFacts => ({
  taskId,
  createdAt,
  updatedAt: cancelledAt ?? startedAt,
  ttlMs: 60_000,
  pollIntervalMs: 200,
})

function viewOf(taskId: string, task: Task): TaskView {
  const facts = factsOf(taskId, task)
  const { cancelledAt, open, end } = task
  if (cancelledAt !== null) return { ...facts, status: 'cancelled' }
  if (open.size > 0) return { ...facts, status: 'input_required', inputRequests: Object.fromEntries(open) }
  if (!isOver(task)) return { ...facts, status: 'working' }
  if ('error' in end) return { ...facts, status: 'failed', error: { code: -32603, message: end.error } }
  return { ...facts, status: 'completed', result: { ...text(end.result), ...(end.isError && { isError: true }) } }
}
