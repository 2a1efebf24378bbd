import {
  type CallToolResult,
  type InputRequests,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import { MAX_MCP_TASK_ANSWERS, MAX_MCP_TASK_ID_CHARS } from '../../../../../core/limits/mcp.ts'
import { capabilitiesOf } from '../people/forms.ts'

/**
 * Name of the extension by which a server answers a call with a task.
 * @see https://modelcontextprotocol.github.io/ext-tasks/specification/2026-07-28/tasks.html
 */
export const TASKS = 'io.modelcontextprotocol/tasks'

/** Facts of a task that do not depend on how far it is. Times are milliseconds since 1970. */
export interface TaskFacts {
  readonly taskId: string
  readonly createdAt: number
  readonly updatedAt: number
  /** Milliseconds from creation for which the task can be looked at; null for no end. */
  readonly ttlMs: number | null
  readonly pollIntervalMs: number
  /** Text for people on how far it is. */
  readonly message?: string
}

/** A task as it is now. A tool's own error is a result; `failed` is for work that got no result at all. */
export type TaskView = TaskFacts &
  (
    | { readonly status: 'working' | 'cancelled' }
    /** Questions, by keys of the server's making, that the client answers by `tasks/update`. */
    | { readonly status: 'input_required'; readonly inputRequests: InputRequests }
    | { readonly status: 'completed'; readonly result: CallToolResult }
    | { readonly status: 'failed'; readonly error: { readonly code: number; readonly message: string } }
  )

/** Tasks of one caller. Each method does nothing for an id that is not of one of them. */
export interface TaskStore {
  /** The task as it is now; null for an unknown id. */
  get(taskId: string, request: ServerContext): Promise<TaskView | null>
  /** Takes answers to questions, by their keys; others are ignored. @returns false for an unknown id */
  update(taskId: string, answers: Readonly<Record<string, unknown>>): Promise<boolean>
  /** Cancels what runs; a task that is over stays as it is. @returns false for an unknown id */
  cancel(taskId: string): Promise<boolean>
}

const TaskParams = z.looseObject({ taskId: z.string().min(1).max(MAX_MCP_TASK_ID_CHARS) })
const UpdateParams = TaskParams.extend({
  inputResponses: z
    .record(z.string().max(200), z.unknown())
    .refine((given) => Object.keys(given).length <= MAX_MCP_TASK_ANSWERS, 'too many answers at once')
    .default({}),
})

/** Answers `tasks/get`, `tasks/update` and `tasks/cancel`, to clients that declare the extension, and advertises it. */
export function installTasks(server: Server, store: TaskStore): void {
  server.registerCapabilities({ extensions: { [TASKS]: {} } })
  server.setRequestHandler('tasks/get', { params: TaskParams }, async ({ taskId }, request) => {
    requireTasks(request)
    return encodeTask((await store.get(taskId, request)) ?? unknownTask())
  })
  server.setRequestHandler('tasks/update', { params: UpdateParams }, async ({ taskId, inputResponses }, request) => {
    requireTasks(request)
    // What the SDK takes for answers to a call is lifted out of the parameters.
    const answers = { ...request.mcpReq.inputResponses, ...inputResponses }
    return (await store.update(taskId, answers)) ? {} : unknownTask()
  })
  server.setRequestHandler('tasks/cancel', { params: TaskParams }, async ({ taskId }, request) => {
    requireTasks(request)
    return (await store.cancel(taskId)) ? {} : unknownTask()
  })
}

/** Whether the client declares tasks with this request: no other one is ever sent one. */
export const declaresTasks = (request: ServerContext): boolean =>
  capabilitiesOf(request)?.extensions?.[TASKS] !== undefined

/** Refuses a client that does not declare tasks. @throws MissingRequiredClientCapabilityError -32021 */
export function requireTasks(request: ServerContext): void {
  if (declaresTasks(request)) return
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS]: {} } } })
}

/** Result of a call that has become a task. It has no content: the SDK's type of results wants some. */
export const createdTask = (task: TaskFacts): CallToolResult => ({
  ...encodeFacts({ ...task, status: 'working' }),
  resultType: 'task',
  content: [],
})

/** A task with what it has to show: its questions, its result, or its error. */
function encodeTask(task: TaskView) {
  const facts = encodeFacts(task)
  switch (task.status) {
    case 'working':
    case 'cancelled':
      return facts
    case 'input_required':
      return { ...facts, inputRequests: task.inputRequests }
    case 'completed':
      return { ...facts, result: task.result }
    case 'failed':
      return { ...facts, error: task.error }
  }
}

const encodeFacts = (task: TaskFacts & { readonly status: TaskView['status'] }) => ({
  taskId: task.taskId,
  status: task.status,
  ...(task.message !== undefined && { statusMessage: task.message }),
  createdAt: new Date(task.createdAt).toISOString(),
  lastUpdatedAt: new Date(task.updatedAt).toISOString(),
  ttlMs: task.ttlMs,
  pollIntervalMs: task.pollIntervalMs,
})

function unknownTask(): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'there is no such task, or it is no longer kept')
}
