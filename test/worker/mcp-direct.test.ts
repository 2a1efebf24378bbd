import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  CONNECTION_KNOWN_MS,
  CONNECTION_REST_MS,
  MAX_CONNECTION_LOOKS,
  MAX_MCP_CONNECTIONS,
} from '../../src/core/limits/connections.ts'
import { migrateKeys } from '../support/keys-database.ts'
import { newKeyOf, newTenant } from '../support/mcp-keys.ts'
import { begin, send } from '../support/mcp-wire.ts'

beforeAll(() => migrateKeys(env.DB))

const JSON_TYPE = expect.stringContaining('application/json')
const STREAM_TYPE = expect.stringContaining('text/event-stream')

const listTools = { id: 1, method: 'tools/list' }
const call = (name: string, args: object = {}) => ({ id: 1, method: 'tools/call', params: { name, arguments: args } })

/** Lets time pass until the end of the test. */
function pass(ms: number) {
  if (!vi.isFakeTimers()) {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
  }
  vi.setSystemTime(Date.now() + ms)
}

describe('a request of 2025-11-25', () => {
  it('is answered by plain JSON where nothing can come before its result, and by a stream where something can', async () => {
    const { id, post } = await begin('2025-11-25', { path: '/mcp/s/direct' })
    const typeOf = async (message: object, headers = {}) => {
      const answer = await post(message, headers)
      await answer.text()
      expect(answer.headers.get('Mcp-Session-Id')).toBe(id)
      return answer.headers.get('Content-Type')
    }
    expect(await typeOf(listTools)).toEqual(JSON_TYPE)
    expect(await typeOf(call('file_write', { file_path: 'a.md', content: 'x' }))).toEqual(JSON_TYPE)
    expect(await typeOf({ id: 1, method: 'resources/read', params: { uri: 'toolyard://direct/a.md' } })).toEqual(
      JSON_TYPE,
    )
    expect(await typeOf(call('human_in_loop', { human_task: 'Well?', wait_seconds: 0 }))).toEqual(STREAM_TYPE)
  })

  it('has the errors of the protocol', async () => {
    const { post } = await begin()
    const statusOf = async (message: object, headers: Record<string, string>) => {
      const answer = await post(message, headers)
      await answer.text()
      return answer.status
    }
    expect(await statusOf(listTools, { Accept: 'application/json' })).toBe(406)
    expect(await statusOf(listTools, { 'MCP-Protocol-Version': '2030-01-01' })).toBe(400)
    expect(await statusOf({ id: { no: 'id' }, method: 'tools/list' }, {})).toBe(400)
    const unknown = await post(call('file_raed'))
    expect(await unknown.text()).toContain('did you mean file_read?')
  })

  it('works in the session of its connection, whichever way it is answered', async () => {
    const { id, ask } = await begin()
    await ask('tools/call', { name: 'file_write', arguments: { file_path: 'own.md', content: 'own' } })
    const session = `mcp_${id.slice(0, 12)}`
    const [read] = await ask('resources/read', { uri: `toolyard://${session}/own.md` })
    expect(read?.message.result.contents).toMatchObject([{ text: 'own' }])
    const waited = await ask('tools/call', {
      name: 'human_in_loop',
      arguments: { human_task: 'Well?', wait_seconds: 0 },
    })
    expect(JSON.stringify(waited.at(-1)?.message)).not.toContain(`"session"`)
  })

  it('is refused to another key, at another address, and after the end, however lately the connection was there', async () => {
    const tenant = await newTenant(env.DB)
    const headers = await newKeyOf(env.DB, tenant)
    const { id, post, end } = await begin('2025-11-25', { headers })
    const statusOf = async (answer: Promise<Response>) => {
      const { status, body } = await answer
      await body?.cancel()
      return status
    }
    expect(await statusOf(post(listTools))).toBe(200)
    expect(await statusOf(post(listTools, await newKeyOf(env.DB, tenant)))).toBe(404)
    const elsewhere = { path: '/mcp?tools=all', headers: { ...headers, 'Mcp-Session-Id': id } }
    expect(await statusOf(send({ jsonrpc: '2.0', ...listTools }, elsewhere))).toBe(400)
    expect(await statusOf(post(listTools))).toBe(200)
    await end()
    expect(await statusOf(post(listTools))).toBe(404)
  })

  it('keeps its connection in use', async () => {
    const { id, ask } = await begin()
    const object = env.CONNECTIONS.getByName(`dev/${id}`)
    for (let at = 0; at < 3; at++) {
      pass(CONNECTION_REST_MS - CONNECTION_KNOWN_MS + 1)
      await ask('tools/list')
    }
    expect(await object.endResting()).toEqual(expect.any(Number))
  })
})

describe('a tenant with as many connections as it may have', () => {
  async function opened() {
    const tenant = await newTenant(env.DB)
    const headers = await newKeyOf(env.DB, tenant)
    /** Fills the list with connections that were used after those that there are. */
    const fill = async () => {
      const list = env.CONNECTIONS.getByName(`${tenant}/list`)
      await runInDurableObject(list, async (_, { storage }) => {
        const { size } = await storage.list({ prefix: 'listed/' })
        for (let at = size; at < MAX_MCP_CONNECTIONS; at++) {
          storage.kv.put(`listed/${tenant}/${at}`, Date.now() + 3_600_000)
        }
      })
      await evictDurableObject(list)
    }
    return { headers, fill, begin: () => begin('2025-11-25', { headers }) }
  }

  it('has the one ended that was not used for longest, whose client begins again', async () => {
    const { begin, fill } = await opened()
    const oldest = await begin()
    pass(1)
    const other = await begin()
    await fill()
    pass(CONNECTION_REST_MS + 1)
    await other.ask('ping')
    const fresh = await begin()
    expect((await fresh.ask('ping'))[0]?.message.result).toEqual({})
    expect((await other.ask('ping'))[0]?.message.result).toEqual({})
    for (const message of [listTools, { id: 1, method: 'ping' }]) {
      const answer = await oldest.post(message)
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('send initialize again')])
    }
  })

  it('is told what to do where all are in use, and has room again when one ends', async () => {
    pass(0)
    const { begin, fill, headers } = await opened()
    const all = []
    for (let at = 0; at < MAX_CONNECTION_LOOKS; at++) all.push(await begin())
    await fill()
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'one more', version: '1' } }
    const refused = await send({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, { headers })
    expect([refused.status, refused.headers.get('Retry-After'), await refused.json()]).toEqual([
      429,
      '60',
      expect.objectContaining({
        error: { code: -32000, message: expect.stringMatching(/MAX_MCP_CONNECTIONS.*DELETE/) },
      }),
    ])
    await all[3]?.end()
    expect((await begin()).id).toMatch(/^[0-9a-f]{32}$/)
  })
})
