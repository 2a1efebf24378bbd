import type { Context } from 'hono'
import { type Failure, FailureError, fail, orNull, toFailure } from '../../../core/failure.ts'
import { type SessionName, sessionName } from '../../../core/ids.ts'
import { MAX_LISTED_TASKS, MAX_SESSION_TITLE_CHARS } from '../../../core/limits/sessions.ts'
import type { Outcome, ToolCall } from '../../../core/outcome.ts'
import { sessionInternet } from '../../../core/tenant-internet.ts'
import type { SessionApi } from '../../../session/api.ts'
import type { Download } from '../../../session/files-api.ts'
import type { TenantApi } from '../../../tenant/api.ts'
import { didYouMean } from '../../alike-names.ts'
import { attachment } from '../../attachment.ts'
import { type AppEnv, callerOf, type Dialect, dialectApp, type Services, servicesFor } from '../../dialect.ts'
import { parseJson, readBodyText } from '../../json.ts'
import { listedTools } from '../../listed-tools.ts'
import { nearestSession } from '../../nearest-session.ts'
import { callNoting, parametersOf, withNotes } from '../../parameters/checked-call.ts'
import { nearestTools } from '../../parameters/nearest-tool.ts'
import { outcomeHeaders, outcomeStatus } from '../../rate-limit-headers.ts'
import { type SessionEnvironment, underPolicy } from '../../session-environment.ts'
import {
  CREATE_STATUS,
  DOWNLOAD_STATUS,
  decodeExecute,
  type ExecuteRequest,
  encodeFailure,
  encodeListedTask,
  encodeOutcome,
  encodeTask,
  encodeToolInfo,
  TASK_PATH,
  taskExists,
  taskNotFound,
  VERSION,
  WHERE_LISTED,
} from './codec.ts'
import { addHumanTasks } from './human-tasks.ts'
import { questionIds } from './infiagent/human-task.ts'
import { addInfiAgentPeople } from './infiagent/people.ts'
import { plainRead } from './infiagent/plain-read.ts'
import { calling } from './infiagent/translated.ts'
import { type NewTask, taskSpec } from './layout.ts'
import { climbsOut, downloadSplits, statusTaskId, taskId } from './paths.ts'
import { nameOf, notAllowed, pathOf } from './request.ts'
import { brokenJson, type Detail, encodeInvalid, missingQuery } from './validation.ts'

const app = dialectApp((c, failure) => {
  const { status, body } = encodeFailure(failure)
  return c.json(body, status)
})
app.notFound((c) => c.json({ detail: 'Not Found' }, 404))

app.get('/health', (c) => c.json({ status: 'healthy', service: 'tool_server', version: VERSION }))

app.get('/', async (c) => {
  const tools = await listedTools(servicesFor(c, 'read'))
  return c.json({ message: 'Tool Server is running', tools: tools.map(({ name }) => name), version: VERSION })
})

app.get('/api/tools', async (c) => {
  const tools = await listedTools(servicesFor(c, 'read'))
  const headers = { Link: '</api/tools/info>; rel="describedby"' } // published clients compare the body
  return c.json({ success: true, data: tools.map(({ name }) => name) }, 200, headers)
})

app.get('/api/tools/info', async (c) =>
  c.json({ success: true, data: encodeToolInfo(await listedTools(servicesFor(c, 'read'))) }),
)

app.post('/api/tool/execute', async (c) => {
  const services = servicesFor(c, 'execute')
  const decoded = decodeExecute(await readBodyText(c.req.raw))
  if ('invalid' in decoded) return c.json(encodeInvalid(decoded.invalid), 422)
  const start = services.now()
  const outcome = await execute(services, decoded.request, c.env.report)
  const body = encodeOutcome(outcome, decoded.request, { start, end: services.now() })
  const headers = { 'Content-Type': 'application/json', ...outcomeHeaders(outcome) }
  return new Response(JSON.stringify(body), { status: outcomeStatus(outcome), headers })
})

app.post('/api/task/create', async (c) => {
  const services = servicesFor(c, 'execute')
  const input = await readTaskRequest(c)
  if ('invalid' in input) return c.json(encodeInvalid(input.invalid), 422)
  const made = await createTask(services, input.task)
  if ('failure' in made) {
    const { status, body } = encodeFailure(made.failure, CREATE_STATUS)
    return c.json(body, status)
  }
  if (!made.created) return c.json({ detail: taskExists(input.task.id) }, 400)
  const environment = services.environment && (await usualEnvironment(services, services.environment))
  const data = {
    task_id: input.task.id,
    task_name: input.task.name,
    path: TASK_PATH,
    status: 'created',
    ...(environment && { environment }),
  }
  return c.json({ success: true, data })
})

/** Environment of a session that has no internet policy of its own. */
const usualEnvironment = async (services: Services, environment: SessionEnvironment) =>
  underPolicy(environment, sessionInternet(null, await services.internetPolicies()))

app.get('/api/task/list', async (c) => {
  const { tasks, more } = await listTasks(servicesFor(c, 'read').tenant)
  return c.json({ success: true, data: tasks, ...(more ? { truncated: true } : {}) })
})

app.get('/api/task/create', (c) => notAllowed(c, 'POST'))

app.get('/api/task/*', async (c) => {
  const services = servicesFor(c, 'read')
  const id = statusTaskId(pathOf(c))
  if (id === null) return taskId(pathOf(c)) === null ? c.notFound() : notAllowed(c, 'DELETE')
  const name = nameOf(id)
  const info = name && (await services.session(name).info())
  return info ? c.json({ success: true, data: encodeTask(info) }) : c.json({ detail: taskNotFound(id) }, 404)
})

app.delete('/api/task/*', async (c) => {
  const services = servicesFor(c, 'execute')
  const id = taskId(pathOf(c))
  if (id === null) return c.notFound()
  const name = nameOf(id)
  const removed = name !== null && (await services.session(name).remove())
  return removed
    ? c.json({ success: true, data: { task_id: id, status: 'deleted' } })
    : c.json({ detail: taskNotFound(id) }, 400) // not 404: so the published server
})

app.get('/api/download/*', async (c) => {
  const services = servicesFor(c, 'read')
  const splits = downloadSplits(pathOf(c))
  const [first] = splits
  if (first === undefined) return c.notFound()
  let found: Download | null
  try {
    found = await downloadFirst(services, splits)
  } catch (thrown) {
    c.env.report?.(thrown)
    const { status, body } = encodeFailure(toFailure(thrown), DOWNLOAD_STATUS)
    return c.json(body, status)
  }
  if (found === null) return c.json({ detail: taskNotFound(first.id) }, 404)
  if (c.req.raw.method !== 'HEAD') return attachment(found)
  await found.body.cancel()
  return attachment({ name: found.name, body: null })
})

addHumanTasks(app)
addInfiAgentPeople(app)

for (const [path, allow] of [
  ['/', 'GET'],
  ['/health', 'GET'],
  ['/api/tools', 'GET'],
  ['/api/tools/info', 'GET'],
  ['/api/tool/execute', 'POST'],
  ['/api/task/create', 'POST'],
  ['/api/task/list', 'GET'],
  ['/api/task/*', 'DELETE'],
  ['/api/download/*', 'GET'],
  ['/api/human-tasks/*', 'GET, PUT'],
  ['/api/hil/workspace/*', 'GET'],
  ['/api/hil/respond/:id', 'POST'],
  ['/api/hil/:id', 'GET'],
  ['/api/tool-confirmation/create', 'POST'],
  ['/api/tool-confirmation/workspace/*', 'GET'],
  ['/api/tool-confirmation/respond/:id', 'POST'],
  ['/api/tool-confirmation/:id', 'GET'],
] as const) {
  app.all(path, (c) => notAllowed(c, path === '/api/task/*' && statusTaskId(pathOf(c)) !== null ? 'GET' : allow))
}

/** The published Tool Server, v2.0 and later additions to the same endpoints. */
export const toolserver: Dialect = {
  name: 'toolserver',
  owns: (path) =>
    path === '/' || path === '/health' || path === '/health/' || path === '/api' || path.startsWith('/api/'),
  keepsKey: (path) => (path === '/api/tool/execute' ? 'with calls' : undefined),
  app,
}

/** Executes a call. Failures of a tool or the core are answers: a client shows its model nothing of an HTTP error. */
async function execute(
  services: Services,
  request: ExecuteRequest,
  report: AppEnv['Bindings']['report'],
): Promise<Outcome> {
  try {
    const session = services.session(sessionName(request.task_id))
    const outcome = await callIn(session, request, services)
    const isMissing = outcome.kind === 'refused' && (await isOfMissingTask(outcome, session))
    if (!isMissing) return outcome
    const nearest = await nearestSession(request.task_id, services.tenant)
    const message = taskNotFound(request.task_id) + (nearest === null ? '' : `; ${didYouMean([nearest])}`)
    return { kind: 'refused', failure: { code: 'session_not_found', message } }
  } catch (thrown) {
    report?.(thrown)
    return { kind: 'failed', failure: toFailure(thrown) }
  }
}

/** Whether a refused call was of a task that is not there. A missing task is reported before mistakes of the call. */
async function isOfMissingTask({ failure, receipt }: RefusedOutcome, session: SessionApi): Promise<boolean> {
  if (failure.code === 'session_not_found') return true
  // The task itself gave the receipt. Without one, the call may have been refused on the way to it.
  if (receipt !== undefined || failure.code === 'rate_limited') return false
  return (await session.info()) === null
}

type RefusedOutcome = Extract<Outcome, { kind: 'refused' }>

/** Makes a call in the published names or in infiAgent's. */
async function callIn(session: SessionApi, request: ExecuteRequest, services: Services): Promise<Outcome> {
  try {
    const made = (call: ToolCall) => session.call(call, callerOf(services))
    const call = (toolCall: ToolCall) => callNoting(services, toolCall, made)
    const outcome = await calling(request.tool_name, plainRead(request), call, questionIds(services, request.task_id))
    return isUnknownTool(outcome, request.tool_name, services)
      ? offeringTools(outcome, request.tool_name, services)
      : outcome
  } catch (thrown) {
    if (thrown instanceof FailureError) return { kind: 'refused', failure: thrown.failure }
    throw thrown
  }
}

/** Whether the task refused a call since there is no such tool. */
const isUnknownTool = (outcome: Outcome, name: string, services: Services): outcome is RefusedOutcome =>
  outcome.kind === 'refused' && outcome.failure.code === 'not_found' && !parametersOf(services).has(name)

/** The refusal of an unknown tool, with those that may have been meant. */
function offeringTools(outcome: RefusedOutcome, name: string, services: Services): Outcome {
  const { failure } = outcome
  const nearest = failure.message.includes(';') ? [] : nearestTools(name, services)
  const message = nearest.length > 0 ? `${failure.message}; ${didYouMean(nearest)}` : failure.message
  return withNotes({ ...outcome, failure: { ...failure, message } }, [WHERE_LISTED])
}

/** Parameters in the query or, where the query has none, in a body of JSON with the same names. */
async function readTaskRequest(
  c: Context<AppEnv>,
): Promise<{ readonly task: NewTask } | { readonly invalid: Detail[] }> {
  const text = await readBodyText(c.req.raw)
  const body = text.trim() === '' ? ({ ok: true, value: null } as const) : parseJson(text)
  const query = new URL(c.req.url).searchParams
  const given = (name: string) => query.getAll(name).at(-1) ?? (body.ok ? textField(body.value, name) : null)
  const id = given('task_id')
  const name = given('task_name')
  if (id !== null && name !== null) return { task: { id, name, requirements: given('requirements') } }
  if (!body.ok) return { invalid: [brokenJson(text, body)] }
  return {
    invalid: [...(id === null ? [missingQuery('task_id')] : []), ...(name === null ? [missingQuery('task_name')] : [])],
  }
}

/** Text of a field; a list, of requirements, becomes one per line. */
function textField(body: unknown, name: string): string | null {
  if (typeof body !== 'object' || body === null) return null
  const value = new Map<string, unknown>(Object.entries(body)).get(name)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n')
  return typeof value === 'string' ? value : null
}

async function createTask(services: Services, task: NewTask): Promise<{ created: boolean } | { failure: Failure }> {
  try {
    const name = sessionName(task.id)
    if (task.name.length > MAX_SESSION_TITLE_CHARS) {
      const message = `task_name has ${task.name.length} characters; at most ${MAX_SESSION_TITLE_CHARS} are allowed`
      return { failure: { code: 'invalid_input', message } }
    }
    return await services.session(name).create(taskSpec(task, services.now()))
  } catch (thrown) {
    if (thrown instanceof FailureError) return { failure: thrown.failure }
    throw thrown
  }
}

const TASKS_PER_PAGE = 1_000

async function listTasks(tenant: TenantApi) {
  const tasks: ReturnType<typeof encodeListedTask>[] = []
  let after: string | undefined
  do {
    const limit = Math.min(TASKS_PER_PAGE, MAX_LISTED_TASKS - tasks.length)
    const page = await tenant.sessions.list(after === undefined ? { limit } : { limit, after })
    tasks.push(...page.sessions.map(encodeListedTask))
    after = page.next
  } while (after !== undefined && tasks.length < MAX_LISTED_TASKS)
  return { tasks, more: after !== undefined }
}

/** The session of a name, unless the key may not use it: one way to read a path must not hide another. */
function allowedSession(services: Services, name: SessionName): SessionApi | null {
  try {
    return services.session(name)
  } catch (thrown) {
    if (thrown instanceof FailureError && thrown.failure.code === 'forbidden') return null
    throw thrown
  }
}

/**
 * Downloads by the first way to read a URL, whose ids may contain `/`, that names a task.
 * @returns null when there is none
 * @throws FailureError `forbidden` for a path out of the task; as a download
 */
async function downloadFirst(services: Services, splits: readonly { id: string; path: string }[]) {
  for (const { id, path } of splits) {
    const name = nameOf(id)
    if (name === null) continue
    const session = allowedSession(services, name)
    if (session === null) continue
    if (climbsOut(path)) {
      if ((await session.info()) !== null) fail('forbidden', 'Access denied: file outside task directory')
      continue
    }
    const found = await orNull(session.files.download(path), 'session_not_found')
    if (found) return found
  }
  return null
}
