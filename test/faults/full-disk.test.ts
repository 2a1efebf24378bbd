import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
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
const read = async (file_path: string) => (await call('file_read', { file_path })).data

it('on a full disk files are read, writes say so and 507, and room heals it without a restart', async () => {
  await post('/api/task/create?task_id=full&task_name=full')
  const large = 'in the file store '.repeat(10_000)
  await write('small.txt', 'kept')
  await write('large.txt', large)

  const filler = join(`/proc/${server.pid}/root`, state, 'filler')
  await expect(fill(filler)).rejects.toThrow('ENOSPC')

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
  const session = { name: 'another' }
  expect(await post('/v1/sessions', session)).toMatchObject({
    status: 507,
    body: { code: 'insufficient_storage', retryable: true },
  })

  await rm(filler)
  expect(await write('small.txt', 'changed')).toMatchObject({ success: true })
  expect(await read('small.txt')).toMatchObject({ content: 'changed' })
  const { calls } = (await (await fetch(`${server.url}/v1/sessions/full/calls`)).json()) as {
    calls: { tool: string }[]
  }
  // The newest is first: two reads around the last write, and the three of the time without room.
  expect(calls.filter(({ tool }) => tool === 'file_read')).toHaveLength(4)
})

/** Writes until there is no room for a single byte. */
async function fill(path: string): Promise<never> {
  for (let bytes = 1024 * 1024; ; ) {
    try {
      await appendFile(path, new Uint8Array(bytes))
    } catch (thrown) {
      if (bytes === 1) throw thrown
      bytes = Math.max(1, bytes / 4)
    }
  }
}
