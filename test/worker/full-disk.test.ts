import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { disk } from '../../src/adapters/disk.ts'
import { LAZY_TABLES } from '../../src/migrations/session/lazy-tables.ts'
import { sessionClient, tenantClient } from '../../src/objects.ts'
import { ToolDefinition } from '../../src/registry/definition.ts'
import { failureOf } from '../support/failure-of.ts'
import { tenantOf } from '../support/tenant-of.ts'

const WRITE = { tool: 'file_write', args: { file_path: 'a.txt', content: 'of before' } }
const READ = { tool: 'file_read', args: { file_path: 'a.txt' } }
const FULL = { code: 'insufficient_storage', message: expect.stringMatching(/disk of the server is full.*free space/) }

/** A session with a file, and its tenant. */
async function aSession() {
  const tenant = `t-${crypto.randomUUID()}`
  const session = env.SESSIONS.getByName(`${tenant}/s`)
  await session.create({ title: '', requirements: [], directories: [], files: [] })
  await session.call(WRITE)
  const tools = async () =>
    (await sessionClient(() => session).calls.page({ limit: 100 })).calls.map(({ tool, state }) => `${tool} ${state}`)
  const counted = async () => {
    const query = { from: 0, to: 1e9, groupBy: null, where: {}, limit: 1 } as const
    return (await tenantOf(tenant).usage.read(query)).total.calls
  }
  return { session, tools, counted }
}

/** Fills the disk: no write finds room until `free`. */
function fillDisk() {
  const put = env.BLOBS.put
  const free = () => {
    env.BLOBS.put = put
  }
  onTestFinished(free)
  env.BLOBS.put = () => Promise.reject(new Error('No space left on device'))
  disk.noteFull()
  return { free }
}

beforeEach(() => disk.look({ blobs: env.BLOBS, reserve: null }))

it('on a full disk files are read and listed, and writes are refused and say what to do', async () => {
  const { session } = await aSession()
  fillDisk()
  expect(await session.call(READ)).toMatchObject({ kind: 'done', result: { data: { content: 'of before' } } })
  expect(await session.call(WRITE)).toMatchObject({ kind: 'refused', failure: FULL })
  expect(await session.call({ tool: 'execute_shell', args: { command: 'rm *' } })).toMatchObject({ failure: FULL })
  const upload = sessionClient(() => session).files.upload('b.txt', new Uint8Array(1))
  expect(await failureOf(upload)).toMatchObject(FULL)
  const spec = { title: '', requirements: [], directories: [], files: [] }
  expect(await env.SESSIONS.getByName(`t-${crypto.randomUUID()}/s`).create(spec)).toMatchObject({ failure: FULL })
})

it('on a full disk a tenant forgets a session and takes no tool, and takes one again once there is room', async () => {
  const tenant = env.TENANTS.getByName(`t-${crypto.randomUUID()}`)
  const api = tenantClient(
    () => tenant,
    (thrown) => disk.isToBlame(thrown, { blobs: env.BLOBS, reserve: null }),
  )
  const definition = ToolDefinition.parse({
    ...{ id: 't', name: 't', description: '', input_schema: {} },
    executor: { kind: 'http', target: 'http://10.0.0.1/' },
  })
  const put = () => api.tools.change([{ op: 'put', definition }], { key: null, agent: null })
  await api.sessions.add({ name: 's', nodeId: 'n', title: '', createdAt: 1 })
  const { free } = fillDisk()
  expect(await failureOf(put())).toMatchObject(FULL)
  await api.sessions.remove('s')
  expect(await api.sessions.list({ limit: 9 })).toEqual({ sessions: [] })
  free()
  // The first to be refused since has the disk looked at.
  expect(await failureOf(put())).toMatchObject(FULL)
  expect(await put()).toMatchObject([{ id: 't', outcome: 'created' }])
})

it('a session that ends on a full disk gives up the spare sandbox that it was about to have', async () => {
  const leases = env.LEASES.getByName(crypto.randomUUID())
  await leases.takeSpare('taking:of-another', '')
  fillDisk()
  await leases.dropSpare('taking:of-a-session')
  await leases.keepSpare('taking:of-a-session')
  expect(await leases.takeSpare('taking:of-a-session', '')).toBeNull()
})

it('calls on a full disk are in the history and counted once there is room, without a restart', async () => {
  const { session, tools, counted } = await aSession()
  await runDurableObjectAlarm(session)
  expect(await counted()).toBe(1)
  const { free } = fillDisk()
  for (let n = 0; n < 3; n++) await session.call(READ)
  expect(await tools()).toEqual(['file_write done'])
  free()
  expect(await session.call(WRITE)).toMatchObject({ kind: 'done' })
  expect(await tools()).toEqual([
    'file_write done',
    'file_read done',
    'file_read done',
    'file_read done',
    'file_write done',
  ])
  await runDurableObjectAlarm(session)
  expect(await counted()).toBe(5)
})

it('a session that a restart cut off is read on a full disk, and its call is lost once there is room', async () => {
  const { session, tools } = await aSession()
  await runInDurableObject(session, (_, { storage }) => {
    storage.sql.exec(
      `INSERT INTO calls (call_id, tool, args, state, answer, started_at) VALUES ('cut', 'execute_shell', '{}', 'running', '', 1)`,
    )
    for (const statement of LAZY_TABLES.registered_running) storage.sql.exec(statement)
    storage.sql.exec(
      `INSERT INTO registered_running (call_id, call) VALUES ('cut', '{"callId":"cut","tool":"execute_shell","startedAt":1,"ms":0,"failure":"lost","bytesIn":0,"bytesOut":0,"sandboxMs":0,"key":null,"agent":null,"session":"s"}')`,
    )
  })
  await evictDurableObject(session)
  const { free } = fillDisk()
  expect(await session.call(READ)).toMatchObject({ kind: 'done' })
  free()
  await session.call(READ)
  expect(await tools()).toEqual(['file_read done', 'file_read done', 'execute_shell lost', 'file_write done'])
})
