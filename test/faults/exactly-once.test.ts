import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { register, SECRET } from '../dialects/toolcore/support.ts'
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts'
import { startKillableWorker } from '../support/killable-worker.ts'
import { runningToolyard } from '../support/running-toolyard.ts'
import { scratchDirectory } from '../support/sandboxd.ts'
import { dnsAnswer, jsonAnswer, type StandIn, startStandIn } from '../support/stand-in.ts'

/** Requests of each kind, each with one cut connection. */
const ROUNDS = 6

let service: StandIn
let proxy: CuttingProxy
const toolyard = runningToolyard(async () => {
  service = await startStandIn((request) => {
    if (request.url.pathname === '/dns-query') return dnsAnswer({}, request)
    return request.url.pathname === '/hangs' ? () => undefined : jsonAnswer({ ok: true })
  })
  return { vars: { DANGEROUSLY_ALLOW_HOSTS: service.host, DNS_RESOLVER_URL: `${service.url}/dns-query` } }
})
beforeAll(async () => {
  proxy = await startCuttingProxy(toolyard().url)
  await register(toolyard(), [
    { id: 'posts', target: `${service.url}/posted` },
    { id: 'hangs', target: `${service.url}/hangs` },
  ])
})
afterAll(async () => {
  await proxy?.stop()
  await service?.stop()
})

interface Named {
  readonly name: string
}

interface Sent {
  readonly path: string
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

function ask(url: string, { path, method = 'POST', body, headers = {} }: Sent, more: Record<string, string> = {}) {
  const isForm = body instanceof FormData
  return fetch(`${url}${path}`, {
    method,
    headers: { ...(!isForm && { 'Content-Type': 'application/json' }), ...headers, ...more },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  })
}

/** Sends a request whose connection is cut, and sends it again until it is answered: what a client does. */
async function sendThroughCuts(sent: () => Sent, cut: 'answered' | 'sent', key: string | null): Promise<Response> {
  const headers = key === null ? {} : { 'Idempotency-Key': key }
  await expect(ask(proxy.url, sent(), { ...headers, 'X-Cut': cut })).rejects.toThrow()
  for (;;) {
    const response = await ask(proxy.url, sent(), headers)
    if (response.status !== 409 || response.headers.get('Retry-After') === null) return response
    await response.body?.cancel()
  }
}

async function newNode(): Promise<string> {
  const response = await ask(toolyard().url, { path: '/get_cookie' })
  await response.body?.cancel()
  return /^[^;]+/.exec(response.headers.get('Set-Cookie') ?? '')?.[0] ?? ''
}

let tasks = 0
async function newTask(): Promise<string> {
  const id = `once-${++tasks}`
  await ask(toolyard().url, { path: `/api/task/create?task_id=${id}&task_name=x` })
  return id
}

/** Text of a file of a task. */
async function textOf(task: string, file: string): Promise<string> {
  const response = await ask(toolyard().url, { path: `/api/download/${task}/${file}`, method: 'GET' })
  return response.ok ? response.text() : ''
}

const APPEND = { file_path: 'a.txt', content: 'x', mode: 'append' }

/** Sessions that a query finds. */
async function sessions(query: string) {
  const listed = await ask(toolyard().url, { path: `/v1/sessions?${query}`, method: 'GET' })
  return ((await listed.json()) as { data: { name: string; title: string }[] }).data
}

const forksOf = (task: string) => sessions(`labels=of:${task}`)

interface Kind {
  readonly sent: () => Sent
  readonly count: () => Promise<number>
  /** Status of its answer; 200 when left out. */
  readonly status?: number
}

/** Kinds of requests, each with the request, and how often it has happened. */
const kinds: Readonly<Record<string, () => Promise<Kind>>> = {
  async "the Tool Server's execute_shell"() {
    const task = await newTask()
    const params = { command: 'printf x >> a.txt', workdir: '.' }
    const body = { task_id: task, tool_name: 'execute_shell', params }
    return {
      sent: () => ({ path: '/api/tool/execute', body }),
      count: async () => (await textOf(task, 'a.txt')).length,
    }
  },
  async "the Tool Server's file_write"() {
    const task = await newTask()
    const body = { task_id: task, tool_name: 'file_write', params: APPEND }
    return {
      sent: () => ({ path: '/api/tool/execute', body }),
      count: async () => (await textOf(task, 'a.txt')).length,
    }
  },
  async "XAgent's shell"() {
    const Cookie = await newNode()
    const body = { tool_name: 'shell_command_executor', arguments: { command: 'printf x >> a.txt' } }
    const read = { path: '/download_file', headers: { Cookie }, body: { file_path: 'a.txt' } }
    return {
      sent: () => ({ path: '/execute_tool', headers: { Cookie }, body }),
      count: async () => (await (await ask(toolyard().url, read)).text()).length,
    }
  },
  async 'Lagent’s file_write'() {
    const session = `lagent-${++tasks}`
    const body = { session, name: 'file_write', parameters: APPEND }
    return {
      sent: () => ({ path: '/lagent/execute', body }),
      count: async () => (await textOf(session, 'a.txt')).length,
    }
  },
  async 'a call over /v1'() {
    const task = await newTask()
    const body = { tool: 'file_write', args: APPEND }
    return {
      sent: () => ({ path: `/v1/sessions/${task}/calls`, body }),
      count: async () => (await textOf(task, 'a.txt')).length,
    }
  },
  async 'a fork over /v1'() {
    const task = await newTask()
    const body = { labels: { of: task } }
    return {
      sent: () => ({ path: `/v1/sessions/${task}/fork`, body }),
      count: async () => (await forksOf(task)).length,
      status: 201,
    }
  },
  async 'the tool workspace_fork'() {
    const task = await newTask()
    const body = { tool: 'workspace_fork', arguments: { title: `of ${task}` } }
    return {
      sent: () => ({ path: `/v1/sessions/${task}/calls`, body }),
      count: async () => (await sessions('limit=100')).filter(({ title }) => title === `of ${task}`).length,
    }
  },
  async 'a registered tool that posts, by Toolcore'() {
    const before = posted()
    const body = { tool_id: 'posts', agent_id: 'agent', microdao_id: `dao-${++tasks}`, args: {} }
    const headers = { 'X-Internal-Secret': SECRET }
    return { sent: () => ({ path: '/internal/tools/call', headers, body }), count: async () => posted() - before }
  },
  async 'a registered tool that posts, over /v1'() {
    const [task, before] = [await newTask(), posted()]
    const body = { tool: 'posts', args: {} }
    return { sent: () => ({ path: `/v1/sessions/${task}/calls`, body }), count: async () => posted() - before }
  },
  async 'a new node'() {
    const nodes = async () => {
      const listed = await ask(toolyard().url, { path: '/api/task/list', method: 'GET' })
      const { data } = (await listed.json()) as { data: { task_id: string }[] }
      return data.filter(({ task_id }) => task_id.startsWith('node-')).length
    }
    const before = await nodes()
    return { sent: () => ({ path: '/get_cookie' }), count: async () => (await nodes()) - before }
  },
}

const posted = () => service.requests.filter(({ path }) => path === '/posted').length

describe('a client that sends again what it got no answer to', () => {
  it.each(Object.entries(kinds))('makes it happen once with an Idempotency-Key: %s', async (_, kind) => {
    const { sent, count, status = 200 } = await kind()
    for (let round = 1; round <= ROUNDS; round++) {
      const response = await sendThroughCuts(sent, round % 2 ? 'answered' : 'sent', randomUUID())
      await response.body?.cancel()
      expect([response.status, await count()]).toEqual([status, round])
    }
  })

  it('makes it happen twice without one', async () => {
    const { sent, count } = await (kinds['a call over /v1'] as NonNullable<(typeof kinds)[string]>)()
    await sendThroughCuts(sent, 'answered', null)
    expect(await count()).toBe(2)
  })

  it('forks a session once when the same request comes several times at once, and says which fork it is', async () => {
    const task = await newTask()
    const sent = { path: `/v1/sessions/${task}/fork`, body: { labels: { of: task } } }
    const key = { 'Idempotency-Key': 'fork' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(toolyard().url, sent, key)))
    const made = answers.filter(({ status }) => status === 201)
    // Whoever comes while the first one is carried out is told to come again.
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'key_in_use', retryable: true }])
    const again = await ask(toolyard().url, sent, key)
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 'true'])
    const names = await Promise.all([...made, again].map(async (answer) => ((await answer.json()) as Named).name))
    expect(made.length).toBeGreaterThan(0)
    expect([...new Set(names)]).toEqual((await forksOf(task)).map(({ name }) => name))
    const other = await ask(toolyard().url, { ...sent, body: { title: 'another request' } }, key)
    expect([other.status, await other.json()]).toMatchObject([422, { code: 'key_reused' }])
    expect(await forksOf(task)).toHaveLength(1)
  })

  it('uploads a file once', async () => {
    const Cookie = await newNode()
    const form = () => {
      const data = new FormData()
      data.append('file', new Blob(['content']), 'f.txt')
      return data
    }
    const sent = () => ({ path: '/upload_file', headers: { Cookie }, body: form() })
    const response = await sendThroughCuts(sent, 'answered', 'upload')
    expect([response.status, response.headers.get('Idempotent-Replayed')]).toEqual([200, 'true'])
  })
})

describe('a call whose client leaves', () => {
  const loop = {
    tool: 'execute_shell',
    args: { command: 'until [ -e go ]; do sleep 0.05; done; echo on >> went.txt', workdir: '.' },
  }
  /** Makes the call, and resets the connection when it runs. */
  async function leave(task: string, headers: Record<string, string>) {
    const { port } = new URL(toolyard().url)
    const body = JSON.stringify(loop)
    const lines = Object.entries({ Host: 'localhost', 'Content-Length': `${body.length}`, ...headers })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`POST /v1/sessions/${task}/calls HTTP/1.1\r\n${head}\r\n${body}`)
    await expect.poll(() => statesOf(task)).toEqual(['running'])
    socket.resetAndDestroy()
  }
  async function statesOf(task: string) {
    const listed = await ask(toolyard().url, { path: `/v1/sessions/${task}/calls`, method: 'GET' })
    const { data } = (await listed.json()) as { data: { state: string; arguments: string }[] }
    return data.filter((call) => call.arguments.includes('until')).map(({ state }) => state)
  }

  it('goes on without it', async () => {
    const task = await newTask()
    await leave(task, {})
    const go = { tool: 'execute_shell', args: { command: 'touch go', workdir: '.' } }
    await ask(toolyard().url, { path: `/v1/sessions/${task}/calls`, body: go })
    await expect.poll(() => statesOf(task)).toEqual(['done'])
  })

  it('is cancelled with `Prefer: cancel-on-disconnect`, and its repetition says so', async () => {
    const task = await newTask()
    const headers = { Prefer: 'cancel-on-disconnect', 'Idempotency-Key': 'leaves' }
    await leave(task, headers)
    await expect.poll(() => statesOf(task)).toEqual(['failed'])
    const again = await ask(toolyard().url, { path: `/v1/sessions/${task}/calls`, body: loop }, headers)
    expect([again.headers.get('Idempotent-Replayed'), await again.text()]).toEqual([
      'true',
      expect.stringContaining('cancelled'),
    ])
  })
})

describe('a server that is killed in the middle of a call', () => {
  it('does not make it again, and says which call it was', async () => {
    const state = await scratchDirectory()
    const vars = { DANGEROUSLY_ALLOW_HOSTS: service.host, DNS_RESOLVER_URL: `${service.url}/dns-query` }
    const call = { path: '/v1/sessions/killed/calls', body: { tool: 'killed', args: {} } }
    const key = { 'Idempotency-Key': 'killed' }
    const hung = () => service.requests.filter(({ path }) => path === '/hangs').length
    const before = hung()
    let worker = await startKillableWorker(state, vars)
    try {
      const definition = { name: 'killed', description: '', executor: { kind: 'http', target: `${service.url}/hangs` } }
      const put = { path: '/v1/tools/registered/killed', method: 'PUT', body: { ...definition, input_schema: {} } }
      expect((await ask(worker.url, put)).status).toBe(201)
      await ask(worker.url, { path: '/api/task/create?task_id=killed&task_name=x' })
      const first = ask(worker.url, call, key).then(
        () => 'answered',
        () => 'cut off',
      )
      await expect.poll(hung).toBe(before + 1)
      await worker.kill()
      expect(await first).toBe('cut off')
      worker = await startKillableWorker(state, vars)
      const again = await ask(worker.url, call, key)
      const body = (await again.json()) as { call_id: string }
      expect([again.status, body]).toMatchObject([
        409,
        { code: 'outcome_unknown', outcome: 'unknown', retryable: false, tool: 'registered_call' },
      ])
      expect(again.headers.get('Retry-After')).toBeNull()
      const lost = await ask(worker.url, { path: `/v1/sessions/killed/calls/${body.call_id}`, method: 'GET' })
      expect(await lost.json()).toMatchObject({ state: 'lost' })
      expect(hung()).toBe(before + 1)
    } finally {
      await worker.kill()
      await rm(state, { recursive: true, force: true })
    }
  })
})
