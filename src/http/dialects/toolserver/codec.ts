import * as z from 'zod'
import type { Failure, FailureCode } from '../../../core/failure.ts'
import type { Outcome } from '../../../core/outcome.ts'
import { safeRead } from '../../../core/safe-read.ts'
import { pythonTimestamp } from '../../../core/timestamp.ts'
import { SANDBOX_ROOT } from '../../../core/workspace-path.ts'
import type { HumanTask } from '../../../ports/people.ts'
import type { SessionInfo } from '../../../session/api.ts'
import type { ToolInfo } from '../../../tools/registry.ts'
import { withDownloads } from '../../download-url.ts'
import { FAILURE_STATUS, type FailureStatus } from '../../failure-status.ts'
import { parseJson } from '../../json.ts'
import { brokenJson, type Detail, detailsOf, missingBody } from './validation.ts'

/** Version that the published server states. */
export const VERSION = '2.0.0'

/** A call of a tool. Other top-level keys (`multimodal_inputs`, …) are ignored. */
export interface ExecuteRequest {
  readonly task_id: string
  readonly tool_name: string
  readonly params: Readonly<Record<string, unknown>>
}

const ExecuteBody = z.object({
  task_id: z.string(),
  tool_name: z.string(),
  params: z.preprocess(paramsFrom, z.record(z.string(), z.unknown())),
})

/** Parses a call. @param text of the body */
export function decodeExecute(text: string): { readonly request: ExecuteRequest } | { readonly invalid: Detail[] } {
  if (text.trim() === '') return { invalid: [missingBody] }
  const body = parseJson(text)
  if (!body.ok) return { invalid: [brokenJson(text, body)] }
  const parsed = safeRead(ExecuteBody, body.value)
  return parsed.success ? { request: parsed.data } : { invalid: detailsOf(parsed.error, body.value) }
}

/** Parameters of a call. Absent ones, null and `[]` mean none. Models also send the object as a string of JSON. */
function paramsFrom(given: unknown): unknown {
  if (given === undefined || given === null || given === '') return {}
  if (Array.isArray(given)) return given.length === 0 ? {} : given
  if (typeof given !== 'string') return given
  const inner = parseJson(given)
  if (!inner.ok || typeof inner.value !== 'object' || inner.value === null) return given
  const params = paramsFrom(inner.value)
  return Array.isArray(params) ? given : params
}

/** Answer of `POST /api/tool/execute`. All seven keys are always there; an unused one is null. */
export interface Envelope {
  readonly success: boolean
  readonly data: Readonly<Record<string, unknown>> | null
  readonly error: string | null
  readonly timestamp: string
  /** Time in seconds. */
  readonly execution_time: number
  readonly task_id: string
  readonly tool_name: string
}

/**
 * Answer of a call.
 * @param at when the call began and when the answer is given, in milliseconds since 1970
 */
export function encodeOutcome(
  outcome: Outcome,
  { task_id, tool_name }: ExecuteRequest,
  at: { readonly start: number; readonly end: number },
): Envelope {
  return {
    ...resultFields(outcome, task_id, tool_name),
    timestamp: pythonTimestamp(at.end),
    execution_time: Math.max(0, at.end - at.start) / 1000,
    task_id,
    tool_name,
  }
}

/** Fields for an outcome. Only `success` marks a failed tool: a client that sees a 4xx hides the reason from its model. */
function resultFields(outcome: Outcome, taskId: string, tool: string): Pick<Envelope, 'success' | 'data' | 'error'> {
  switch (outcome.kind) {
    case 'done':
      return { success: true, data: named(outcome.result.data, taskId, tool), error: null }
    case 'failed':
    case 'refused':
      return {
        success: false,
        data: outcome.failure.data ? named(outcome.failure.data, taskId, tool) : null,
        error: outcome.failure.message,
      }
    case 'pending': // The published server blocks instead; to a client of it, this is an answer that says when to ask again.
      return {
        success: true,
        data: {
          ...named(outcome.soFar.data, taskId, tool),
          status: 'pending',
          next: { tool_name: outcome.next.tool, params: outcome.next.args },
          retry_after_ms: outcome.retryAfterMs,
        },
        error: null,
      }
  }
}

/**
 * Puts the task's name into data. A tool does not know its task's name: it calls the task's directory ".", which has that
 * name in answers; and human tasks name the task.
 */
function named(data: Readonly<Record<string, unknown>>, taskId: string, tool: string) {
  if (tool === 'human_in_loop') return { ...data, task_id: taskId }
  if (tool !== 'dir_list') return withDownloads(data, tool, taskId)
  const root = RootTree.safeParse(data.tree)
  return root.success ? { ...data, tree: { ...root.data, name: taskId } } : data
}
const RootTree = z.looseObject({ name: z.literal('.') })

/** Body of an HTTP error: FastAPI's `{detail}`. */
export function encodeFailure({ code, message }: Failure, status: StatusTable = STATUS) {
  return { status: status[code], body: { detail: message } } as const
}

type StatusTable = Readonly<Record<FailureCode, FailureStatus>>

/** Statuses of a request that never reached a task: its credential or its body is not good. */
const STATUS: StatusTable = { ...FAILURE_STATUS, conflict: 400 }

/** Statuses of a task that could not be made. */
export const CREATE_STATUS: StatusTable = { ...STATUS, limit_exceeded: 429 }

/** Statuses of a file that could not be sent. */
export const DOWNLOAD_STATUS: StatusTable = { ...STATUS, limit_exceeded: 400 }

/** Statuses of a human task that could not be completed. */
export const HUMAN_TASK_STATUS: StatusTable = { ...STATUS, conflict: 409 }

export const taskNotFound = (id: string) => `Task ${shorten(id)} not found`
export const taskExists = (id: string) => `Task ${shorten(id)} already exists`

export const humanTaskNotFound = (id: string, taskId: string) =>
  `Human task ${shorten(id)} not found in task ${shorten(taskId)}`

const MAX_NAMED_CHARS = 512
const shorten = (id: string) => (id.length > MAX_NAMED_CHARS ? `${id.slice(0, MAX_NAMED_CHARS)}…` : id)

/** Directory of a task, as the task's own code sees it. */
export const TASK_PATH = SANDBOX_ROOT

export const encodeTask = (info: SessionInfo) => ({
  task_id: info.name,
  task_name: info.title,
  created_at: pythonTimestamp(info.createdAt),
  path: TASK_PATH,
})

export const encodeListedTask = (session: { name: string; title: string; createdAt: number }) => ({
  task_id: session.name,
  task_name: session.title,
  created_at: pythonTimestamp(session.createdAt),
  status: 'active',
})

export const encodeHumanTask = (task: HumanTask, taskId: string) => ({
  human_task_id: task.id,
  task_id: taskId,
  human_task: task.words,
  completed: task.completedAt !== null,
  created_at: pythonTimestamp(task.createdAt),
  completed_at: task.completedAt === null ? null : pythonTimestamp(task.completedAt),
  result: task.result,
})

/** Where callers learn what the tools take. */
export const WHERE_LISTED = 'GET /api/tools/info says what each tool does and takes, and how it is called'

/** The published entries of the tools; and beside them, since clients know those keys, how a tool is called and what each takes. */
export const encodeToolInfo = (tools: readonly ToolInfo[]) => ({
  total_count: tools.length,
  local_count: tools.length,
  proxy_count: 0,
  tools: Object.fromEntries(
    tools.map(({ name, description }) => [name, { name, description, version: '1.0.0', class: className(name) }]),
  ),
  call: HOW_TO_CALL,
  parameters: Object.fromEntries(tools.map(({ name, inputSchema }) => [name, withoutDialect(inputSchema)])),
})

const HOW_TO_CALL = {
  task: 'POST /api/task/create?task_id=<a name of your choice>&task_name=<a title>: once, before the first call',
  tool: 'POST /api/tool/execute with JSON {"task_id": "…", "tool_name": "file_read", "params": {"file_path": "…"}}',
  parameters: 'by name of the tool: JSON Schema of params',
  answer: 'success tells whether the tool worked: then data has its result, else error says what to do',
}

/** A schema without the URL of its dialect, which says nothing to a model. */
const withoutDialect = ({ $schema, ...schema }: ToolInfo['inputSchema']) => schema

/** Class name of a tool: `file_read` → `FileReadTool`. */
const className = (tool: string) =>
  `${tool
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Tool`
