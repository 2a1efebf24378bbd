import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { endServers, type StartedServer, startServer } from '../support/npm-start.ts'

let state: string
let server: StartedServer

beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'toolyard-full-disk-'))
  // No sandbox is started: nothing runs on a full disk.
  server = await startServer('node on a small disk', { TOOLYARD_STATE: state, ISOLATION: 'none' })
})

afterAll(async () => {
  await endServers()
  await rm(state, { recursive: true })
})

const post = async (path: string, body?: object) => {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const call = async (tool_name: string, params: object) =>
  (await post('/api/tool/execute', { task_id: 'full', tool_name, params })).body
const write = (file_path: string, content: string) => call('file_write', { file_path, content })
const read = async (file_path: string) => (await call('file_read', { file_path, max_chars: 1_000_000 })).data

afterEach(() => rm(filler(), { force: true }))

it('on a full disk files are read, writes say so and 507, and room heals it without a restart', async () => {
  await post('/api/task/create?task_id=full&task_name=full')
  const large = 'in the file store '.repeat(10_000)
  await write('small.txt', 'kept')
  await write('large.txt', large)

  await fill()

  expect(await read('small.txt')).toMatchObject({ content: 'kept' })
  expect(await read('large.txt')).toMatchObject({ content: large })
  const refused = {
    success: false,
    error: expect.stringMatching(/^insufficient storage: .*ask whoever runs the server/),
  }
  expect(await write('small.txt', 'lost')).toMatchObject(refused)
  expect(await write('new.txt', large)).toMatchObject(refused)
  expect(await call('execute_shell', { command: 'true' })).toMatchObject(refused)
  expect(await read('small.txt')).toMatchObject({ content: 'kept' })
  const request = { tool: 'file_write', args: { file_path: 'a.txt', content: 'a' } }
  expect(await post('/v1/sessions/full/calls', request)).toMatchObject({
    status: 507,
    body: { code: 'insufficient_storage', retryable: true },
  })

  await rm(filler())
  expect(await write('small.txt', 'changed')).toMatchObject({ success: true })
  expect(await read('small.txt')).toMatchObject({ content: 'changed' })
  const { data } = (await (await fetch(`${server.url}/v1/sessions/full/calls`)).json()) as {
    data: { tool: string }[]
  }
  // The newest is first: two reads around the last write, and the three of the time without room.
  expect(data.filter(({ tool }) => tool === 'file_read')).toHaveLength(4)
})

it('the call that finds the disk full says that it may have been carried out, with 507 in /v1', async () => {
  await post('/api/task/create?task_id=finds&task_name=finds')
  await fill()
  const request = { tool: 'file_write', args: { file_path: 'a.txt', content: 'a' } }
  expect(await post('/v1/sessions/finds/calls', request)).toMatchObject({
    status: 507,
    body: { code: 'insufficient_storage', detail: expect.stringMatching(/may have been carried out.*look before/) },
  })
})

it('a task is deleted on a full disk, and what it took heals it', async () => {
  const create = (task: string) => post(`/api/task/create?task_id=${task}&task_name=x`)
  const upload = (task_id: string) =>
    post('/api/tool/execute', {
      task_id,
      tool_name: 'file_write',
      params: { file_path: 'a', content: 'a'.repeat(4e6) },
    })
  await create('stays')
  await create('goes')
  // Contents stay for a day, so it is the history of small files in the database that is given back.
  for (let n = 0; n < 80; n++) {
    const params = { file_path: `${n}.txt`, content: `${n}`.padEnd(60_000, 'x') }
    await post('/api/tool/execute', { task_id: 'goes', tool_name: 'file_write', params })
  }
  await fill()
  expect((await upload('stays')).body).toMatchObject({ success: false })
  const deleted = await fetch(`${server.url}/api/task/goes`, { method: 'DELETE' })
  expect([deleted.status, await deleted.json()]).toMatchObject([200, { success: true }])
  const params = { file_path: 'b.txt', content: 'b' }
  const written = await post('/api/tool/execute', { task_id: 'stays', tool_name: 'file_write', params })
  expect(written.body).toMatchObject({ success: true })
})

const filler = () => join(`/proc/${server.pid}/root`, state, 'filler')

/** Writes until there is no room for a single byte. */
async function fill(): Promise<void> {
  for (let bytes = 1024 * 1024; bytes > 0; ) {
    try {
      await appendFile(filler(), new Uint8Array(bytes))
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: 'ENOSPC' })
      bytes = Math.floor(bytes / 4)
    }
  }
}
