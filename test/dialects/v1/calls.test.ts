import { afterAll, describe, expect, it } from 'vitest'
import { claudeCodeForSandboxes } from '../../support/claude-code.ts'
import { startMessagesApi } from '../../support/messages-api.ts'
import type { StandIn } from '../../support/stand-in.ts'
import { newTenant } from '../../support/tenants.ts'
import { aToolServer, type Task } from '../toolserver/support.ts'

let api: StandIn | undefined
const server = aToolServer(async () => {
  api = await startMessagesApi(({ turn, prompt }) => {
    const last = Number(/STEPS (\d+)/.exec(prompt)?.[1])
    if (turn < last) return { tool: 'Bash', input: { command: `echo ${turn} >> steps.txt`, description: 'step' } }
    if (prompt.includes('THEN WAIT') && turn === last)
      return { tool: 'Bash', input: { command: 'until [ -e go ]; do sleep 0.05; done', description: 'wait' } }
    return { text: `did ${last} steps` }
  })
  return {
    allow: [api.host],
    vars: {
      ANTHROPIC_API_KEY: 'sk-ant-of-the-server-0123456789',
      ANTHROPIC_BASE_URL: `http://host.sandbox.internal:${new URL(api.url).port}`,
    },
    sandboxdEnv: claudeCodeForSandboxes(),
  }
})
afterAll(() => api?.stop())

interface Call {
  readonly call_id: string
  readonly tool: string
  readonly state: string
  readonly running: boolean
  readonly progress: { readonly lines: readonly string[]; readonly count: number }
}

const path = (task: Task, below = '') => `/v1/sessions/${encodeURIComponent(task.id)}/calls${below}`
const callOf = async (task: Task, id: string) => (await server.json(path(task, `/${id}`))).body as Call
const cancel = (task: Task, id: string) => server.json(path(task, `/${id}/cancel`), { method: 'POST' })

async function begun(task: Task, prompt: string): Promise<string> {
  const { call_id, status } = await task.done('code_task_execute', { prompt, wait_seconds: 0, max_turns: 50 })
  expect(status).toBe('pending')
  return String(call_id)
}

interface Event {
  readonly name: string
  readonly id: string | undefined
  readonly data: unknown
}

/** The events of a stream until it ends. */
async function eventsOf(response: Response): Promise<Event[]> {
  expect(response.headers.get('Content-Type')).toBe('text/event-stream')
  return eventsIn(await response.text())
}

function eventsIn(text: string): Event[] {
  const whole = text.slice(0, text.lastIndexOf('\n\n') + 2)
  return whole.split('\n\n').flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const name = field('event')
    return name === undefined ? [] : [{ name, id: field('id'), data: JSON.parse(field('data') ?? 'null') }]
  })
}

const STEPS = [0, 1, 2].map((n) => `Bash: echo ${n} >> steps.txt`)
const WAITING = 'Bash: until [ -e go ]; do sleep 0.05; done'

describe('calls of a session', () => {
  it('show a part of a long result, keep the whole for other views, and let no other session see it', async () => {
    const [task, other] = [await server.task(), await server.task()]
    const args = { command: 'seq 1 6000' }
    const body = { tool: 'execute_shell', arguments: args, view: 'grep:^599[89]$', max_tokens: 60 }
    const made = await server.json(path(task), { method: 'POST', body: JSON.stringify(body) })
    expect(made).toMatchObject({ status: 200, body: { text: expect.stringContaining(':5998\n'), state: 'done' } })
    const { view } = made.body as { view: { handle: string; whole_tokens: number } }
    expect(view.whole_tokens).toBeGreaterThan(10_000)
    const again = (of: Task) => server.json(path(of, `/${view.handle}?view=jsonpath:$.exit_code`))
    expect(await again(task)).toMatchObject({ status: 200, body: { result: { text: '0' } } })
    expect(await again(other)).toMatchObject({ status: 404 })
  })

  it('are listed, newest first, page by page', async () => {
    const task = await server.task()
    for (const n of [1, 2, 3]) await task.write(`${n}.txt`, `${n}`)
    const { body } = await server.json(`${path(task)}?limit=2`)
    const { data, next_cursor } = body as { data: Call[]; next_cursor: string }
    expect(data).toMatchObject([
      {
        tool: 'file_write',
        state: 'done',
        arguments: expect.stringContaining('3.txt'),
        started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
      { arguments: expect.stringContaining('2.txt') },
    ])
    const rest = (await server.json(`${path(task)}?limit=2&cursor=${next_cursor}`)).body as { data: Call[] }
    expect(rest).toEqual({
      next_cursor: null,
      data: [expect.objectContaining({ arguments: expect.stringContaining('1.txt') })],
    })
  })

  it('whose work goes on show its progress, and its answer in the end', async () => {
    const task = await server.task()
    const id = await begun(task, 'STEPS 3 THEN WAIT')
    await expect
      .poll(() => callOf(task, id))
      .toMatchObject({
        tool: 'code_task_execute',
        state: 'pending',
        running: true,
        progress: { lines: [...STEPS, WAITING], count: 4 },
      })
    await task.write('claude_workspace/go', '')
    await task.shell('true')
    const end = {
      running: false,
      state: 'done',
      result: { data: { result: 'did 3 steps', files_created: ['go', 'steps.txt'] } },
    }
    await expect.poll(() => callOf(task, id)).toMatchObject(end)
  })

  it('send each line of progress once, and the end, also to whoever connects again', async () => {
    const task = await server.task()
    const id = await begun(task, 'STEPS 3 THEN WAIT')
    const first = server.request(path(task, `/${id}/events`))
    const reader = (await first).body?.getReader()
    let seen = ''
    while (!seen.includes(WAITING)) seen += new TextDecoder().decode((await reader?.read())?.value)
    await reader?.cancel()

    const again = server.request(path(task, `/${id}/events`), { headers: { 'Last-Event-ID': '2' } })
    await task.write('claude_workspace/go', '')
    await task.shell('true')
    const events = await eventsOf(await again)
    expect(events).toEqual([
      { name: 'call', id: '2', data: expect.objectContaining({ call_id: id, state: 'pending' }) },
      { name: 'progress', id: '3', data: { line: STEPS[2] } },
      { name: 'progress', id: '4', data: { line: WAITING } },
      { name: 'progress', id: '5', data: { line: 'did 3 steps' } },
      { name: 'result', id: 'end', data: expect.objectContaining({ call_id: id, state: 'done' }) },
    ])
    const late = await eventsOf(await server.request(path(task, `/${id}/events`)))
    expect(late.map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4', '5', 'end'])
  })

  it('can be cancelled: work that goes on', async () => {
    const task = await server.task()
    const id = await begun(task, 'STEPS 1 THEN WAIT')
    await expect.poll(async () => (await callOf(task, id)).progress.count).toBe(2)
    const events = server.request(path(task, `/${id}/events`)).then(eventsOf)
    expect(await cancel(task, id)).toMatchObject({
      status: 200,
      body: {
        running: false,
        state: 'failed',
        error: { message: expect.stringMatching(/^Claude Code was cancelled/) },
      },
    })
    expect((await events).at(-1)).toMatchObject({ name: 'error', data: { state: 'failed' } })
    expect(await cancel(task, id)).toMatchObject({ status: 200, body: { running: false, state: 'failed' } })
    expect(await task.read('claude_workspace/steps.txt')).toBe('0\n')
  })

  it('can be cancelled: commands', async () => {
    const task = await server.task()
    const running = task.failure('execute_shell', { command: 'echo half > half.txt; sleep 600' })
    const listed = async () => ((await server.json(path(task))).body as { data: Call[] }).data
    await expect.poll(async () => (await listed())[0]?.state).toBe('running')
    await expect.poll(() => task.call('file_read', { file_path: 'code_run/half.txt' })).toMatchObject({ success: true })
    const { call_id = '' } = (await listed()).find(({ tool }) => tool === 'execute_shell') ?? {}
    expect(await cancel(task, call_id)).toMatchObject({ status: 200, body: { running: false, state: 'failed' } })
    expect(await running).toMatch(/cancelled; what it wrote until then is kept/)
    expect((await task.shell('pgrep -x sleep; cat half.txt')).stdout).toBe('half\n')
  })

  it('that are followed show what they print while they run, once, also to a client that was cut', async () => {
    const task = await server.task()
    const command = 'echo one; echo two >&2; until [ -e go ]; do sleep 0.05; done; echo thr€€; exit 3'
    const body = JSON.stringify({ tool: 'execute_shell', arguments: { command, workdir: '.' } })
    const stream = await server.request(path(task), { method: 'POST', body, headers: { Accept: 'text/event-stream' } })
    const reader = stream.body?.getReader()
    let seen = ''
    while (!(seen.includes('one') && seen.includes('two')))
      seen += new TextDecoder().decode((await reader?.read())?.value)
    await reader?.cancel()
    const before = eventsIn(seen)
    const last = before.at(-1)?.id ?? ''
    const [first] = before
    const { call_id: id } = (first ?? expect.unreachable()).data as Call
    expect(first).toMatchObject({ name: 'call', data: { tool: 'execute_shell', state: 'running' } })

    const again = server.request(path(task, `/${id}/events`), { headers: { 'Last-Event-ID': last } })
    await task.write('go', '')
    await task.shell('true')
    const after = await eventsOf(await again)
    const printed = (stream: string) =>
      [...before, ...after].map(({ name, data }) => (name === stream ? (data as { text: string }).text : '')).join('')
    expect([printed('stdout'), printed('stderr')]).toEqual(['one\nthr€€\n', 'two\n'])
    expect(after.at(-1)).toMatchObject({ name: 'result', id: 'end', data: { call_id: id, data: { exit_code: 3 } } })
    expect((await server.json(path(task, `/${id}`))).body).toMatchObject({
      state: 'done',
      result: { data: { exit_code: 3 } },
    })
  })

  it('that are chains name the files that their steps changed, each once', async () => {
    const task = await server.task()
    const write = (id: string, path: string) => ({ id, tool: 'file_write', input: { file_path: path, content: 'x' } })
    const shell = { id: 'c', tool: 'execute_shell', input: { command: 'echo 1 >> a.md; echo 2 > c.md', workdir: '.' } }
    const chain = { steps: [write('a', 'a.md'), write('b', 'b.md'), shell] }
    const definition = { name: 'c', description: '', input_schema: {}, executor: { kind: 'chain', chain } }
    const id = `chain.${crypto.randomUUID().slice(0, 8)}`
    const at = `/v1/tools/registered/${id}`
    expect((await server.json(at, { method: 'PUT', body: JSON.stringify(definition) })).status).toBe(201)
    const made = await server.json(path(task), { method: 'POST', body: JSON.stringify({ tool: id, arguments: {} }) })
    const created = ['a.md', 'b.md', 'c.md'].map((path) => expect.objectContaining({ path, change: 'created' }))
    expect(made).toMatchObject({ status: 200, body: { state: 'done', files: created } })
    expect(made.body).not.toHaveProperty('files_shared')
  })

  it('that are chains show what their steps print', async () => {
    const task = await server.task()
    const chain = { steps: [{ id: 'a', tool: 'execute_shell', input: { command: 'echo of a step' } }] }
    const definition = { name: 'c', description: '', input_schema: {}, executor: { kind: 'chain', chain } }
    const at = `/v1/tools/registered/chain.${crypto.randomUUID().slice(0, 8)}`
    expect((await server.json(at, { method: 'PUT', body: JSON.stringify(definition) })).status).toBe(201)
    const stream = await server.request(path(task), {
      method: 'POST',
      headers: { Accept: 'text/event-stream' },
      body: JSON.stringify({ tool: at.split('/').at(-1) }),
    })
    expect(await eventsOf(stream)).toMatchObject([
      { name: 'call' },
      { name: 'stdout', data: { text: 'of a step\n' } },
      { name: 'result', data: { state: 'done' } },
    ])
    await server.json(at, { method: 'DELETE' })
  })

  it('that nobody waits for go on, and have their whole result and the files that they made', async () => {
    const task = await server.task()
    const command = 'seq 1 9999; echo made > made.txt'
    const begun = await server.request(path(task), {
      method: 'POST',
      headers: { Prefer: 'respond-async' },
      body: JSON.stringify({ tool: 'execute_shell', arguments: { command, workdir: '.', max_chars: 100_000 } }),
    })
    const { call_id } = (await begun.json()) as Call
    expect([begun.status, begun.headers.get('Location')]).toEqual([202, path(task, `/${call_id}`)])
    await expect
      .poll(() => callOf(task, call_id))
      .toMatchObject({
        state: 'done',
        result: { data: { stdout: expect.stringMatching(/^1\n[\d\n]*\n5000\n[\d\n]*\n9999\n$/) } },
        files: [{ path: 'made.txt', change: 'created', size: 5 }],
      })
  })

  it('that are not there, and keys that may not, are told by problems', async () => {
    const task = await server.task()
    expect(await server.json(path(task, '/c0'))).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: expect.stringContaining('no such call') },
    })
    expect(await server.json(path(task, '/c0/events'))).toMatchObject({ status: 404 })
    expect(await cancel(task, 'c0')).toMatchObject({ status: 404 })
    expect(await server.json('/v1/sessions/nobody/calls')).toMatchObject({
      status: 404,
      body: { code: 'session_not_found', detail: 'there is no session nobody; make it by POST /v1/sessions' },
    })
    expect(await server.json('/v1/sessions/nobody/calls/c0')).toMatchObject({
      status: 404,
      body: { code: 'session_not_found', detail: 'there is no session nobody; make it by POST /v1/sessions' },
    })
    expect(await server.json(`${path(task)}?limit=100000`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_input' },
    })
    expect(await server.json(`${path(task)}?cursor=x`)).toMatchObject({ status: 400 })
  })

  it('of a session with a slash in its name are reached, and those of another tenant are not', async () => {
    const id = `/abs/path ${crypto.randomUUID()}`
    await server.create({ task_id: id, task_name: 'n' })
    await server.execute({ task_id: id, tool_name: 'dir_create', params: { dir_path: 'd' } })
    const own = await server.json(`/v1/sessions/${encodeURIComponent(id)}/calls`)
    expect(own).toMatchObject({ status: 200, body: { data: [{ tool: 'dir_create' }] } })
    const { call_id } = (own.body as { data: [Call] }).data[0]
    const reader = server.as((await newTenant(server.toolyard(), ['read'])).key)
    expect((await reader.json(`/v1/sessions/${encodeURIComponent(id)}/calls`)).status).toBe(404)
    const stop = await reader.json(`/v1/sessions/${encodeURIComponent(id)}/calls/${call_id}/cancel`, { method: 'POST' })
    expect(stop).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })
})
