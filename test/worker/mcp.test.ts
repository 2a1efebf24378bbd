import { evictDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { d1KeyStore } from '../../src/adapters/keys-d1.ts'
import { hashKey, newKey, randomDigits } from '../../src/auth/key.ts'
import { tenantId } from '../../src/core/ids.ts'
import type { Scope } from '../../src/ports/keys.ts'
import { migrateKeys } from '../support/keys-database.ts'

beforeAll(() => migrateKeys(env.DB))

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

const send = (body: unknown, headers: Record<string, string> = {}, path = '/mcp', method = 'POST') =>
  exports.default.fetch(`http://localhost${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })

const modern = (method: string, headers: Record<string, string> = {}) =>
  send(
    { jsonrpc: '2.0', id: 1, method, params: { _meta: { [VERSION]: '2026-07-28', [CAPABILITIES]: {} } } },
    { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...headers },
  )

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

async function newTenant() {
  const id = tenantId(randomDigits(12, 'abcdefghijklmnopqrstuvwxyz'))
  await d1KeyStore(env.DB).addTenant({ id, name: 'T', createdAt: 0 })
  return id
}

/** Header with a new key of a tenant. */
async function keyOf(tenant: ReturnType<typeof tenantId>, scopes: Scope[] = ['read', 'execute']) {
  const key = newKey()
  const row = { id: key.id, tenant, name: 'n', scopes, createdAt: 0, expiresAt: null, hash: await hashKey(key) }
  await d1KeyStore(env.DB).addKey(row, 1_000)
  return { Authorization: `Bearer ${key.text}` }
}

async function begin(path = '/mcp') {
  const answer = await send(INITIALIZE, {}, path)
  const text = await answer.text()
  const id = answer.headers.get('Mcp-Session-Id') ?? ''
  await send({ jsonrpc: '2.0', method: 'notifications/initialized' }, { 'Mcp-Session-Id': id }, path)
  return { status: answer.status, text, id }
}

describe('2026-07-28', () => {
  it('discovers the server and lists its tools without a session', async () => {
    const discovered = await modern('server/discover')
    expect(discovered.status).toBe(200)
    expect(await discovered.json()).toMatchObject({ id: 1, result: { supportedVersions: ['2026-07-28'] } })
    const listed = await modern('tools/list')
    expect(await listed.json()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } })
  })

  it('refuses a bad key with what to do, and a page or a host of elsewhere', async () => {
    const refused = await modern('tools/list', { Authorization: `Bearer ${newKey().text}` })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('WWW-Authenticate')).toMatch(/^Bearer /)
    expect(await refused.json()).toMatchObject({
      jsonrpc: '2.0',
      error: { message: expect.stringContaining('/k/<key>/mcp') },
      id: null,
    })
    const foreign = await modern('tools/list', { Origin: 'http://evil.example' })
    expect(foreign.status).toBe(403)
    expect(await foreign.json()).toMatchObject({
      error: { code: -32000, message: 'Invalid Origin: http://evil.example' },
    })
  })

  it('says which methods, types and bodies it takes', async () => {
    expect((await send(null, {}, '/mcp', 'GET')).status).toBe(405)
    expect((await send('{}', { 'Content-Type': 'text/plain' })).status).toBe(415)
    const broken = await send('{"jsonrpc"')
    expect([broken.status, await broken.json()]).toEqual([400, expect.objectContaining({ id: null })])
    expect((await send('{}', {}, '/mcp/nothing')).status).toBe(404)
  })
})

describe('2025-11-25', () => {
  it('takes no batch of very many calls', async () => {
    const { id } = await begin()
    const calls = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ jsonrpc: '2.0', id: at, method: 'ping' }))
    const refused = await send(calls(33), { 'Mcp-Session-Id': id })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('MAX_MCP_BATCH') } })
    const taken = await send(calls(32), { 'Mcp-Session-Id': id })
    expect([taken.status, (await taken.text()).split('"result"').length - 1]).toEqual([200, 32])
  })

  it('keeps a connection until its client ends it', async () => {
    const { status, text, id } = await begin()
    expect(status).toBe(200)
    expect(text).toContain('"protocolVersion":"2025-11-25"')
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    const listed = await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'Mcp-Session-Id': id })
    expect(await listed.text()).toContain('"tools":[')
    expect((await send(null, { 'Mcp-Session-Id': id }, '/mcp', 'DELETE')).status).toBe(200)
    expect((await send({ jsonrpc: '2.0', id: 2, method: 'ping' }, { 'Mcp-Session-Id': id })).status).toBe(404)
  })

  it('goes on after its object was evicted', async () => {
    const { id } = await begin()
    await evictDurableObject(env.CONNECTIONS.getByName(`dev/${id}`))
    const listed = await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'Mcp-Session-Id': id })
    expect([listed.status, await listed.text()]).toEqual([200, expect.stringContaining('"tools":[')])
  })

  it('does not know a connection that was never made', async () => {
    const unknown = await send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'Mcp-Session-Id': 'a'.repeat(32) })
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      expect.objectContaining({ error: { code: -32001, message: expect.stringContaining('initialize') } }),
    ])
    const none = await send({ jsonrpc: '2.0', id: 1, method: 'ping' })
    expect(none.status).toBe(400)
  })

  it('is led to by the key alone that began it', async () => {
    const tenant = await newTenant()
    const key = await keyOf(tenant)
    const answer = await send(INITIALIZE, key)
    await answer.text()
    const id = { 'Mcp-Session-Id': answer.headers.get('Mcp-Session-Id') ?? '' }
    const ping = async (shown: Record<string, string>) => {
      const pinged = await send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { ...id, ...shown })
      await pinged.text()
      return pinged.status
    }
    expect(await ping(key)).toBe(200)
    expect([await ping(await keyOf(tenant)), await ping(await keyOf(await newTenant())), await ping({})]).toEqual([
      404, 404, 404,
    ])
    // What the front hands over to a connection cannot be sent by a client.
    const principal = { tenant, scopes: ['admin'], keyId: null }
    const forged = encodeURIComponent(
      JSON.stringify({ principal, endpoint: { session: null, tools: { kind: 'core' } } }),
    )
    expect(await ping({ ...(await keyOf(await newTenant())), 'X-Toolyard-Connection': forged })).toBe(404)
  })
})

it('a registered tool whose schema wants an argument repeated in a header is called with that header alone', async () => {
  const key = await keyOf(await newTenant(), ['read', 'execute', 'admin'])
  const region = { type: 'string', 'x-mcp-header': 'Region' }
  const definition = {
    ...{ name: 'Look', description: 'Looks.', toolkit: 'looks' },
    input_schema: { type: 'object', properties: { region } },
    executor: { kind: 'chain', chain: { steps: [{ id: 'a', tool: 'file_info', input: { file_path: '.' } }] } },
  }
  const put = await exports.default.fetch('http://localhost/v1/tools/registered/look', {
    method: 'PUT',
    headers: { ...key, 'Content-Type': 'application/json' },
    body: JSON.stringify(definition),
  })
  expect([put.status, await put.text()]).toEqual([201, expect.any(String)])
  const call = async (headers: Record<string, string>) => {
    const _meta = { [VERSION]: '2026-07-28', [CAPABILITIES]: {} }
    const params = { name: 'look', arguments: { region: 'eu' }, _meta }
    const sent = { ...key, Accept: 'application/json', 'MCP-Protocol-Version': '2026-07-28', ...headers }
    const named = { ...sent, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'look' }
    const answer = await send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, named)
    return { status: answer.status, body: await answer.json() }
  }
  expect(await call({ 'Mcp-Param-Region': 'eu' })).toMatchObject({ status: 200, body: { result: { content: [{}] } } })
  for (const headers of [{}, { 'Mcp-Param-Region': 'us' }]) {
    expect(await call(headers)).toMatchObject({ status: 400, body: { id: 1, error: { code: -32020 } } })
  }
})

it('a key that may only read lists tools, and calls none', async () => {
  const key = await keyOf(await newTenant(), ['read'])
  expect((await modern('tools/list', key)).status).toBe(200)
  const call = await modern('tools/call', { ...key, 'Mcp-Name': 'execute_shell' })
  expect([call.status, await call.text()]).toEqual([403, expect.stringContaining('execute')])
})
