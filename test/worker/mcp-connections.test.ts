import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { CONNECTION_IDLE_MS, CONNECTION_TOUCH_MS } from '../../src/core/limits/connections.ts'
import { migrateKeys } from '../support/keys-database.ts'
import { newKeyOf, newTenant } from '../support/mcp-keys.ts'
import { begin, opened, send } from '../support/mcp-wire.ts'

beforeAll(() => migrateKeys(env.DB))

/** Waits for what comes by itself, on a machine that has other things to do. */
const soon = <T>(work: () => T | Promise<T>) => vi.waitFor(work, { timeout: 60_000 })

const textOf = (
  event: { readonly message: { readonly result: { readonly content: { text?: string }[] } } } | undefined,
) => event?.message.result.content.map(({ text }) => text ?? '').join('\n')

const objectOf = (id: string) => env.CONNECTIONS.getByName(`dev/${id}`)

describe.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('revision %s', (revision) => {
  it('begins, lists tools, calls one, and ends', async () => {
    const { result, ask, end } = await begin(revision)
    expect(result).toMatchObject({ protocolVersion: revision, serverInfo: { name: 'toolyard' } })
    const [listed] = await ask('tools/list')
    expect(listed?.message.result.tools.map(({ name }: { name: string }) => name)).toContain('file_write')
    const args = { file_path: 'a.md', content: 'hello' }
    const written = await ask('tools/call', { name: 'file_write', arguments: args })
    expect(written.at(-1)?.message.result.isError).toBeFalsy()
    const read = await ask('tools/call', { name: 'file_read', arguments: { file_path: 'a.md' } })
    expect(textOf(read.at(-1))).toContain('hello')
    const [pinged] = await ask('ping')
    expect(pinged?.message.result).toEqual({})
    expect((await end()).status).toBe(200)
    await expect(ask('ping')).rejects.toThrow('404')
  })
})

describe('a connection', () => {
  it('ends after eight hours without a request or a stream, and not before', async () => {
    const { id, ask, get } = await begin()
    await ask('ping')
    const object = objectOf(id)
    const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    pass(CONNECTION_IDLE_MS - 60_000)
    expect(await runDurableObjectAlarm(object)).toBe(true)
    await ask('ping')
    const stream = opened(await get())
    pass(CONNECTION_IDLE_MS + 60_000)
    expect(await runDurableObjectAlarm(object)).toBe(true)
    await stream.leave()
    await soon(async () => opened(await ok(get())).leave())
    await evictDurableObject(object)
    pass(CONNECTION_IDLE_MS + CONNECTION_TOUCH_MS)
    expect(await runDurableObjectAlarm(object)).toBe(true)
    await expect(ask('ping')).rejects.toThrow('404')
    expect(await runInDurableObject(object, async (_, { storage }) => (await storage.list()).size)).toBe(0)
  })

  it('takes several requests at once after its object was evicted, while another tenant has some too', async () => {
    const { id, ask } = await begin()
    await begin('2025-11-25', { headers: await newKeyOf(env.DB, await newTenant(env.DB), ['read']) })
    await evictDurableObject(objectOf(id))
    const answers = await Promise.all([ask('ping'), ask('tools/list'), ask('prompts/list'), ask('resources/list')])
    for (const [answer] of answers) expect(answer?.message).toHaveProperty('result')
  })

  it('gives a client that lost the stream of a call the rest of it', async () => {
    const path = '/mcp/s/resumed'
    const { post, get, ask } = await begin('2025-11-25', { path })
    const args = { human_task: 'Which colour?' }
    const call = { id: 100, method: 'tools/call', params: { name: 'human_in_loop', arguments: args } }
    const first = opened(await post(call))
    const lastId = await first.firstId()
    expect(lastId).not.toBe('')
    await first.leave()
    const resumed = opened(await soon(() => ok(get({ 'Last-Event-ID': lastId }))))
    await answerQuestion('resumed', 'red')
    const answer = await resumed.next()
    expect(answer?.message).toMatchObject({ id: 100, result: { content: [{ text: 'the person answered: red' }] } })
    expect(await resumed.next()).toBeNull()
    // It can be had again, as long as it is kept.
    expect((await opened(await get({ 'Last-Event-ID': lastId })).next())?.message).toMatchObject({ id: 100 })
    for (const wrong of ['x', 'a_1_2_3_x', `${'a'.repeat(65)}_1`]) {
      expect((await get({ 'Last-Event-ID': wrong })).status, wrong).toBe(400)
    }
    expect((await ask('ping'))[0]?.message.result).toEqual({})
  })

  it('has one stream of its own', async () => {
    const { get } = await begin()
    const stream = opened(await get())
    expect((await get()).status).toBe(409)
    await stream.leave()
    opened(await soon(() => ok(get())))
  })
})

it('a client of 2026-07-28 hears of files that it listens to', async () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const path = '/mcp/s/listened'
  const ask = (method: string, params: object, headers: Record<string, string> = {}) =>
    send(
      { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta } },
      { path, headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...headers } },
    )
  const write = async () => {
    const args = { file_path: 'a.md', content: crypto.randomUUID() }
    const answer = await ask('tools/call', { name: 'file_write', arguments: args }, { 'Mcp-Name': 'file_write' })
    await answer.text()
  }
  await write()
  const uri = 'toolyard://listened/a.md'
  const notifications = { resourceSubscriptions: [uri, 'toolyard://other/a.md'] }
  const stream = opened(await ask('subscriptions/listen', { notifications }))
  expect((await stream.next())?.message).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { resourceSubscriptions: [uri] } },
  })
  await write()
  expect((await stream.next())?.message).toMatchObject({
    method: 'notifications/resources/updated',
    params: { uri, _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } },
  })
})

async function ok(answer: Promise<Response>): Promise<Response> {
  const given = await answer
  if (given.ok) return given
  throw new Error(`${given.status} ${await given.text()}`)
}

/** Answers the one question of a session at the page of people. */
async function answerQuestion(session: string, result: string) {
  const address = `http://localhost/api/human-tasks/${session}`
  const question = await soon(async () => {
    const { data } = (await (await exports.default.fetch(address)).json()) as {
      data: { human_tasks: { human_task_id: string }[] }
    }
    const [first] = data.human_tasks
    if (!first) throw new Error('nobody is asked yet')
    return first.human_task_id
  })
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ completed: true, result })
  const answered = await exports.default.fetch(`${address}/${question}`, { method: 'PUT', headers, body })
  expect(answered.status).toBe(200)
}
