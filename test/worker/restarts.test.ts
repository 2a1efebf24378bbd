import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  LOST_FAILURE,
  LOST_REPEATABLE_FAILURE,
  OVERLOADED_FAILURE,
  OVERLOADED_REPEATABLE_FAILURE,
} from '../../src/adapters/object-loss.ts'
import { OBJECT_ATTEMPTS, OVERLOADED_RETRY_SECONDS } from '../../src/core/limits/requests.ts'
import { sessionClient } from '../../src/objects.ts'
import { ToolDefinition } from '../../src/registry/definition.ts'
import { createServer } from '../../src/server.ts'
import { migrateKeys } from '../support/keys-database.ts'
import { tenantOf } from '../support/tenant-of.ts'

beforeAll(() => migrateKeys(env.DB))
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

type Namespace = DurableObjectNamespace
type Stub = ReturnType<Namespace['getByName']>

/** Restarts an object, as a deploy does. */
const restart = (stub: Stub) =>
  runInDurableObject(stub, (_, context) => context.abort('its secret reason')).catch(() => undefined)

/** Stubs of an object that was restarted since: each fails with what the runtime says of that. */
async function brokenStubs(namespace: Namespace, name: string, count: number): Promise<Stub[]> {
  const stubs = Array.from({ length: count }, () => namespace.getByName(name))
  for (const stub of stubs) await runInDurableObject(stub, () => {})
  await restart(namespace.getByName(name))
  return stubs
}

/** The namespace as the Worker sees it while the object of that name is being restarted: these stubs come first. */
const withStubs = (namespace: Namespace, name: string, stubs: Stub[]): Namespace =>
  new Proxy(namespace, {
    get: (target, property) =>
      property === 'getByName'
        ? (wanted: string) => (wanted === name ? stubs.shift() : undefined) ?? target.getByName(wanted)
        : Reflect.get(target, property),
  })

/** The namespace while the object of that name has too much to do, as the platform says it: with a mark on its error. */
function overloaded(namespace: Namespace, name: string) {
  const seen = { requests: 0 }
  const refuse = async () => {
    seen.requests++
    const marks = { overloaded: true, retryable: true }
    throw Object.assign(new Error('Durable Object is overloaded. Requests queued for too long.'), marks)
  }
  const stub = new Proxy({}, { get: (_, property) => (property === 'then' ? undefined : refuse) }) as Stub
  const withIt = new Proxy(namespace, {
    get: (target, property) =>
      property === 'getByName'
        ? (wanted: string) => (wanted === name ? stub : target.getByName(wanted))
        : Reflect.get(target, property),
  })
  return { namespace: withIt, seen }
}

interface RequestParts {
  readonly path: string
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

const requestOf = ({ path, body, headers = {}, method = body === undefined ? 'GET' : 'POST' }: RequestParts) =>
  new Request(`http://localhost${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const plainServer = createServer(env)

/** The newest calls of a session of the open tenant. */
const callsOf = (session: string, limit: number) =>
  sessionClient(() => env.SESSIONS.getByName(`dev/${session}`)).calls.page({ limit })

interface Place {
  readonly session: string
  readonly headers: Record<string, string>
}

/** The answer to a request that meets so many broken stubs of its session's object, or its tenant's. */
async function askBroken(
  request: RequestParts,
  count: number,
  of: 'SESSIONS' | 'TENANTS',
  { session }: Pick<Place, 'session'>,
) {
  const name = of === 'SESSIONS' ? `dev/${session}` : 'dev'
  return askWith(request, of, withStubs(env[of], name, await brokenStubs(env[of], name, count)))
}

/** The answer to a request of a server that has this namespace in the place of the platform's. */
async function askWith(request: RequestParts, of: 'SESSIONS' | 'TENANTS' | 'CONNECTIONS', namespace: Namespace) {
  const answer = await createServer({ ...env, [of]: namespace }).fetch(requestOf(request))
  return {
    status: answer.status,
    retryAfter: answer.headers.get('Retry-After'),
    body: (await answer.json()) as unknown,
  }
}

async function newTask(): Promise<Place> {
  const session = `t-${crypto.randomUUID()}`
  const made = await plainServer.fetch(requestOf({ path: `/api/task/create?task_id=${session}&task_name=x`, body: {} }))
  expect(made.status).toBe(200)
  return { session, headers: {} }
}

async function newNode(): Promise<Place> {
  const made = await plainServer.fetch(requestOf({ path: '/get_cookie', body: {} }))
  const [cookie = ''] = (made.headers.get('Set-Cookie') ?? '').split(';')
  const { sessions } = await tenantOf('dev').sessions.list({ limit: 1000 })
  const session = sessions.find(({ nodeId }) => cookie.endsWith(nodeId))?.name ?? ''
  return { session, headers: { Cookie: cookie } }
}

async function newAgent(): Promise<Place> {
  const agent_id = crypto.randomUUID()
  const headers = { 'X-Internal-Secret': 'dev-secret-token' }
  await plainServer.fetch(requestOf({ path: '/internal/tools/call', headers, body: { ...toolcoreCall, agent_id } }))
  const { sessions } = await tenantOf('dev').sessions.list({ limit: 1000 })
  const session = sessions.find(({ title }) => title.startsWith(agent_id))?.name ?? ''
  return { session, headers: { ...headers, 'X-Agent': agent_id } }
}

const toolcoreCall = { tool_id: 'inner', agent_id: 'a', microdao_id: 'm', args: {} }
const registered = ToolDefinition.parse({
  id: 'inner',
  name: 'inner',
  description: '',
  input_schema: {},
  executor: { kind: 'http', target: 'http://10.0.0.1/' },
})
const write = { file_path: 'a.txt', content: 'a' }

beforeAll(async () => {
  const by = { key: null, agent: null }
  await tenantOf('dev').tools.change([{ op: 'put', definition: registered, policy: {} }], by)
})

const execute = (session: string, tool_name: string, params: object): RequestParts => ({
  path: '/api/tool/execute',
  body: { task_id: session, tool_name, params },
})

describe('a request that meets the restart of an object', () => {
  it.each<readonly [string, () => Promise<Place>, 'SESSIONS' | 'TENANTS', (place: Place) => RequestParts]>([
    ['toolserver status', newTask, 'SESSIONS', ({ session }) => ({ path: `/api/task/${session}/status` })],
    ['toolserver list', newTask, 'TENANTS', () => ({ path: '/api/task/list' })],
    ['toolserver dir_list', newTask, 'SESSIONS', ({ session }) => execute(session, 'dir_list', {})],
    ['v1 history', newTask, 'SESSIONS', ({ session }) => ({ path: `/v1/sessions/${session}/calls` })],
    [
      'v1 dir_list',
      newTask,
      'SESSIONS',
      ({ session }) => ({ path: `/v1/sessions/${session}/calls`, body: { tool: 'dir_list' } }),
    ],
    ['lagent tools', newTask, 'SESSIONS', ({ session }) => ({ path: `/lagent/tools?session=${session}` })],
    [
      'toolcore tools',
      newTask,
      'TENANTS',
      () => ({ path: '/internal/tools', headers: { 'X-Internal-Secret': 'dev-secret-token' } }),
    ],
    ['xagent tools', newNode, 'SESSIONS', ({ headers }) => ({ path: '/get_available_tools', body: {}, headers })],
    [
      'xagent structure',
      newNode,
      'SESSIONS',
      ({ headers }) => ({ path: '/get_workspace_structure', body: {}, headers }),
    ],
  ])(
    'answers what only reads as ever, and after the last of several restarts says that it may be sent again: %s',
    async (_, make, of, ask) => {
      const place = await make()
      expect(await askBroken(ask(place), 1, of, place)).toMatchObject({ status: 200, retryAfter: null })
      const cut = await askBroken(ask(place), OBJECT_ATTEMPTS, of, place)
      expect(cut).toMatchObject({ status: expect.toBeOneOf([503, 500]), retryAfter: '1' })
      expect(JSON.stringify(cut.body)).toContain(LOST_REPEATABLE_FAILURE.message)
      expect(JSON.stringify(cut.body)).not.toContain('secret reason')
    },
  )

  const { message } = LOST_FAILURE
  it.each<readonly [string, () => Promise<Place>, (place: Place) => RequestParts, number, object]>([
    [
      'toolserver',
      newTask,
      ({ session }) => execute(session, 'file_write', write),
      503,
      { success: false, data: null, error: message, task_id: expect.any(String), tool_name: 'file_write' },
    ],
    [
      'v1',
      newTask,
      ({ session }) => ({ path: `/v1/sessions/${session}/calls`, body: { tool: 'file_write', args: write } }),
      503,
      { code: 'unavailable', status: 503, detail: message, retryable: true },
    ],
    [
      'lagent',
      newTask,
      ({ session }) => ({
        path: '/lagent/execute',
        body: { session, name: 'PythonInterpreter', inputs: { command: '1' } },
      }),
      503,
      { type: 'PythonInterpreter', errmsg: message, state: -1000 },
    ],
    [
      'toolcore',
      newAgent,
      ({ headers }) => ({
        path: '/internal/tools/call',
        headers,
        body: { ...toolcoreCall, agent_id: headers['X-Agent'] },
      }),
      503,
      { ok: false, result: null, error: message, tool_id: 'inner' },
    ],
    [
      // 503 would tell its client that the node is gone.
      'xagent',
      newNode,
      ({ headers }) => ({
        path: '/execute_tool',
        headers,
        body: { tool_name: 'FileSystemEnv_write_to_file', arguments: { filepath: 'a.txt', content: 'a' } },
      }),
      500,
      { detail: `ConnectionError: ${message}` },
    ],
  ])(
    'says in the words of %s that a call may have been made, and does not make it twice',
    async (_, make, ask, status, body) => {
      const place = await make()
      const made = async () => (await callsOf(place.session, 100)).calls
      const before = await made()
      expect(await askBroken(ask(place), 1, 'SESSIONS', place)).toMatchObject({ status, retryAfter: '1', body })
      expect(await made()).toEqual(before)
    },
  )

  it('is answered with 503 and the time to wait where the object has too much to do, and is not sent again', async () => {
    const { session } = await newTask()
    const wait = { status: 503, retryAfter: `${OVERLOADED_RETRY_SECONDS}` }
    const read = overloaded(env.SESSIONS, `dev/${session}`)
    const status = await askWith({ path: `/api/task/${session}/status` }, 'SESSIONS', read.namespace)
    expect([status, read.seen.requests]).toMatchObject([wait, 1])
    expect(JSON.stringify(status.body)).toContain(OVERLOADED_REPEATABLE_FAILURE.message)
    const written = overloaded(env.SESSIONS, `dev/${session}`)
    const answer = await askWith(execute(session, 'file_write', write), 'SESSIONS', written.namespace)
    expect([answer, written.seen.requests]).toMatchObject([
      { ...wait, body: { success: false, error: OVERLOADED_FAILURE.message } },
      1,
    ])
    const problem = { code: 'unavailable', status: 503, detail: OVERLOADED_REPEATABLE_FAILURE.message }
    const listed = overloaded(env.SESSIONS, `dev/${session}`)
    expect(await askWith({ path: `/v1/sessions/${session}/calls` }, 'SESSIONS', listed.namespace)).toMatchObject({
      ...wait,
      body: problem,
    })
  })

  it('is answered with 503 in the form of MCP where the connection’s object has too much to do or is restarted', async () => {
    const id = '0123456789abcdef'.repeat(2)
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const headers = {
      Accept: 'application/json, text/event-stream',
      'Mcp-Session-Id': id,
      'MCP-Protocol-Version': '2025-06-18',
    }
    const ask = (namespace: Namespace) => askWith({ path: '/mcp', headers, body: message }, 'CONNECTIONS', namespace)
    const busy = overloaded(env.CONNECTIONS, `dev/${id}`)
    expect(await ask(busy.namespace)).toMatchObject({
      status: 503,
      retryAfter: `${OVERLOADED_RETRY_SECONDS}`,
      body: { jsonrpc: '2.0', error: { message: OVERLOADED_FAILURE.message } },
    })
    const broken = await brokenStubs(env.CONNECTIONS, `dev/${id}`, 1)
    expect(await ask(withStubs(env.CONNECTIONS, `dev/${id}`, broken))).toMatchObject({
      status: 503,
      retryAfter: '1',
      body: { jsonrpc: '2.0', error: { message: LOST_FAILURE.message } },
    })
  })

  it('says so of a call that was cut off while it ran, and its history has it as lost', async () => {
    const { session } = await newTask()
    const object = env.SESSIONS.getByName(`dev/${session}`)
    const running = plainServer.fetch(requestOf(execute(session, 'human_in_loop', { human_task: 'wait' })))
    const calls = async () => (await callsOf(session, 1)).calls
    await expect.poll(calls).toMatchObject([{ state: 'running' }])
    await restart(object)
    const answer = await running
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ success: false, error: LOST_FAILURE.message })
    const history = await callsOf(session, 1)
    expect(history.calls).toMatchObject([{ tool: 'human_in_loop', state: 'lost' }])
  })
})

describe('a session whose tenant’s object was restarted', () => {
  it('goes on to call registered tools, and its calls are counted', async () => {
    const tenantName = `t-${crypto.randomUUID()}`
    const tenant = env.TENANTS.getByName(tenantName)
    await tenantOf(tenantName).tools.change([{ op: 'put', definition: registered, policy: {} }], {
      key: null,
      agent: null,
    })
    const session = env.SESSIONS.getByName(`${tenantName}/s`)
    await session.create({ title: '', requirements: [], directories: [], files: [] })
    const call = () => session.call({ tool: 'registered_call', args: { tool_id: 'inner', args: {} } })
    const refusedByPolicy = { kind: 'failed', failure: { code: 'forbidden' } }
    expect(await call()).toMatchObject(refusedByPolicy)
    await restart(tenant)
    expect(await call()).toMatchObject(refusedByPolicy)
    const counted = async () => {
      const page = { from: 0, to: 1e9, groupBy: null, where: {}, limit: 1 }
      return (await tenantOf(tenantName).usage.read(page)).total.calls
    }
    await expect.poll(counted).toBe(2)
  })
})
