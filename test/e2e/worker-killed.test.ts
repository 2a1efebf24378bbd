import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Answer, Client } from '../dialects/xagent/support.ts'
import { claudeCodeForSandboxes } from '../support/claude-code.ts'
import { type KillableWorker, startKillableWorker } from '../support/killable-worker.ts'
import { startMessagesApi, type Turn } from '../support/messages-api.ts'
import { type Sandboxd, scratchDirectory, startSandboxd } from '../support/sandboxd.ts'
import type { StandIn } from '../support/stand-in.ts'

const CELL = 'PythonNotebook_execute_cell'
const RUN = 'shell_command_executor'
const KEY = 'sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz'

let api: StandIn
let sandboxd: Sandboxd
let state: string
const workers: KillableWorker[] = []

beforeAll(async () => {
  const turns: readonly Turn[] = [
    {
      tool: 'Bash',
      input: { command: 'echo early > early.txt; until [ -e go ]; do sleep 0.1; done', description: 'wait' },
    },
    { tool: 'Bash', input: { command: 'echo late > late.txt', description: 'go on' } },
  ]
  api = await startMessagesApi(({ turn }) => turns[turn] ?? { text: `done; the key is ${KEY}` })
  sandboxd = await startSandboxd({ allow: [api.host], env: claudeCodeForSandboxes() })
  state = await scratchDirectory()
})
afterAll(async () => {
  for (const worker of workers) await worker.kill()
  await sandboxd?.stop()
  await api?.stop()
  if (state) await rm(state, { recursive: true, force: true })
})

it('work and commands in the background go on when the Worker is killed, and are joined by the next one; the key is nowhere on disk', async () => {
  const first = await startWorker()
  await first.post('/api/task/create?task_id=t&task_name=t', {})
  const begun = await first.code({ prompt: 'wait for it', api_key: KEY, wait_seconds: 0 })
  expect(begun).toMatchObject({ success: true, data: { status: 'pending' } })
  const call_id = String(begun.data?.call_id)
  await expect
    .poll(() => first.tool('file_read', { file_path: 'claude_workspace/early.txt' }))
    .toMatchObject({ success: true })
  const untilGo = 'until [ -e claude_workspace/go ]; do sleep 0.1; done'
  const command = `echo run >> runs.txt; echo up; ${untilGo}; echo on`
  const job = await first.tool('execute_shell', { command, workdir: '.', background: true })
  const { job_id } = job.data ?? {}
  const waiting = first.code({ call_id }).catch(() => 'cut off')
  await first.kill()
  expect(await waiting).toBe('cut off')

  const second = await startWorker()
  expect(await second.code({ call_id, wait_seconds: 0 })).toMatchObject({ success: true, data: { status: 'pending' } })
  const { data } = await second.tool('job_list', {})
  expect(data?.jobs).toEqual(expect.arrayContaining([expect.objectContaining({ job_id, running: true })]))
  await second.tool('file_write', { file_path: 'claude_workspace/go', content: '' })
  await second.tool('execute_shell', { command: 'true' })
  expect(await second.code({ call_id })).toMatchObject({
    success: true,
    data: { result: 'done; the key is ***', files_created: ['early.txt', 'go', 'late.txt'] },
  })
  const ended = await second.tool('job_output', { job_id, from_byte: 3, wait_seconds: 30 })
  const rest = await second.tool('job_output', { job_id, from_byte: 3, wait_seconds: 30 })
  expect([ended.data?.output, rest.data]).toEqual(['on\n', expect.objectContaining({ running: false, exit_code: 0 })])
  expect(await second.tool('file_read', { file_path: 'runs.txt' })).toMatchObject({ data: { content: 'run\n' } })
  await second.kill()
  const kept = filesBelow(state) + filesBelow(sandboxd.state)
  expect(kept).toContain('early')
  expect(kept).not.toContain(KEY)
})

it('a call of /v1 that runs by itself is lost when the Worker is killed, and says so, also to a client that followed it', async () => {
  const first = await startWorker()
  await first.post('/api/task/create?task_id=alone&task_name=alone', {})
  const request = { tool: 'execute_shell', arguments: { command: 'echo begun; sleep 600' } }
  const calls = '/v1/sessions/alone/calls'
  const answer = await fetch(first.url + calls, {
    method: 'POST',
    headers: { Prefer: 'respond-async' },
    body: JSON.stringify(request),
  })
  const { call_id } = (await answer.json()) as { call_id: string }
  const stream = await fetch(`${first.url}${calls}/${call_id}/events`)
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ''
  while (!seen.includes('begun')) seen += (await reader?.read())?.value ?? ''
  await first.kill()

  const second = await startWorker()
  const lost =
    'the server was restarted while this ran, so it may have been done, in part or as a whole; look at the files, and at what else it was to change; if it was not done, call again'
  expect(await (await fetch(`${second.url}${calls}/${call_id}`)).json()).toMatchObject({
    state: 'lost',
    running: false,
    error: { code: 'unavailable', message: lost },
  })
  const last = /^id: (.*)$/m.exec(seen)?.[1] ?? ''
  const again = await fetch(`${second.url}${calls}/${call_id}/events`, { headers: { 'Last-Event-ID': last } })
  expect(await again.text()).toMatch(/^event: call\n.*\n.*\n\nevent: error\nid: end\ndata: .*"state":"lost".*\n\n$/)
})

it('a command that may last more than four minutes goes on when the Worker is killed, and ends with its answer for whoever sends its key again', async () => {
  const first = await startWorker()
  await first.post('/api/task/create?task_id=t&task_name=t', {})
  const calls = '/v1/sessions/t/calls'
  const command =
    'echo "$TOKEN"; echo up > up.txt; until [ -e on ]; do sleep 0.1; done; echo bad >&2; echo late > late2.txt; exit 3'
  const request = {
    method: 'POST',
    headers: { 'Idempotency-Key': 'long-1' },
    body: JSON.stringify({
      tool: 'execute_shell',
      arguments: { command, workdir: '.', timeout: 600, env: { TOKEN: KEY } },
    }),
  }
  const waiting = fetch(first.url + calls, request).catch(() => 'cut off')
  await expect.poll(() => first.tool('file_read', { file_path: 'up.txt' })).toMatchObject({ success: true })
  await first.kill()
  expect(await waiting).toBe('cut off')

  const second = await startWorker()
  const send = async () => {
    const answer = await fetch(second.url + calls, request)
    return { status: answer.status, body: await answer.json() }
  }
  expect(await send()).toMatchObject({ status: 409, body: { code: 'key_in_use' } })
  await second.tool('file_write', { file_path: 'on', content: '' })
  expect(await second.tool('execute_shell', { command: 'true' })).toMatchObject({
    data: { notes: expect.arrayContaining([expect.stringMatching(/^a restart of the server cut call_/)]) },
  })
  await expect.poll(send).toMatchObject({
    status: 200,
    body: { data: { exit_code: 3, stdout: '***\n', stderr: 'bad\n' } },
  })
  const late = await second.tool('file_read', { file_path: 'late2.txt' })
  expect(late, JSON.stringify(late)).toMatchObject({ data: { content: 'late\n' } })
  await second.kill()
  expect(filesBelow(state)).not.toContain(KEY)
})

interface Retry {
  readonly detail: { readonly type: string; readonly next_calling: string; readonly arguments: object }
}

it('cells and commands go on when the Worker is killed, and what a 450 says to call next finds their results', async () => {
  const first = await startWorker()
  const node = await Client.connect(first.url)
  expect(await node.value(CELL, { code: 'import os, time\nx = 41' })).toBe('cell_index: 0')
  const untilGo = 'while not os.path.exists("go"): time.sleep(0.05)\n'
  const begun = [
    await node.execute(CELL, { code: `${untilGo}print(x + 1)`, wait_ms: 100 }),
    await node.execute(RUN, { command: 'until [ -e go ]; do sleep 0.05; done; echo done; exit 2', wait_ms: 100 }),
  ]
  const waiting = node.execute(CELL, { code: 'x + 2' }).catch(() => 'cut off')
  await expect.poll(() => node.value('PythonNotebook_print_notebook')).toContain('= Cell 2 =')
  await first.kill()
  expect(await waiting).toBe('cut off')

  const second = await startWorker()
  const again = new Client(second.url, node.nodeId)
  const next = await Promise.all(begun.map((answer) => follow(again, answer)))
  expect(next.map(({ status }) => status)).toEqual([450, 450])
  await again.write('go', 'x')
  expect(await Promise.all(next.map((answer) => followToEnd(again, answer)))).toEqual([
    { status: 200, body: { type: 'composite', data: ['cell_index: 1', '42\n'] } },
    { status: 500, body: { detail: { ReturnCode: 2, display: '\nstdout:\ndone\n' } } },
  ])
  const notebook = () => again.value('PythonNotebook_print_notebook')
  await expect.poll(notebook).toContain('= Cell 2 =\nx + 2\n= Output 2 =\n43\n')
  expect(await again.value(CELL, { code: 'x' })).toEqual({ type: 'composite', data: ['cell_index: 3', '41'] })
})

/** Does what a 450 says. */
async function follow(node: Client, { status, body }: Answer): Promise<Answer> {
  expect([status, body]).toMatchObject([450, { detail: { type: 'retry' } }])
  const { detail } = body as Retry
  return node.execute(detail.next_calling, detail.arguments)
}

async function followToEnd(node: Client, answer: Answer): Promise<Answer> {
  let last = answer
  while (last.status === 450) last = await follow(node, last)
  return last
}

interface Envelope {
  readonly success: boolean
  readonly data: Readonly<Record<string, unknown>> | null
}

async function startWorker() {
  const worker = await startKillableWorker(state, {
    ...sandboxd.vars,
    ANTHROPIC_BASE_URL: `http://host.sandbox.internal:${new URL(api.url).port}`,
  })
  workers.push(worker)
  const post = async (path: string, body: object) =>
    (await (await fetch(`${worker.url}${path}`, { method: 'POST', body: JSON.stringify(body) })).json()) as Envelope
  const tool = (tool_name: string, params: object) => post('/api/tool/execute', { task_id: 't', tool_name, params })
  return { url: worker.url, post, tool, code: (params: object) => tool('code_task_execute', params), kill: worker.kill }
}

/** The content of every file, as text. */
function filesBelow(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}
