import { env, exports } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { newKey } from '../../src/auth/key.ts'
import { createServer, type Server } from '../../src/server.ts'
import { migrateKeys } from '../support/keys-database.ts'

const TOKEN = 'x'.repeat(40)
const { OPEN_TENANT: _, ...closed } = env
const PRODUCTION = { ...closed, ENVIRONMENT: 'production', ADMIN_TOKEN: TOKEN }

beforeAll(() => migrateKeys(env.DB))
afterEach(() => {
  vi.restoreAllMocks()
})

describe('the server', () => {
  it('answers an unknown path as FastAPI does, with a name for the request', async () => {
    const response = await exports.default.fetch('http://test/nothing/here')
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ detail: 'Not Found' })
    expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })

  it('answers a preflight without a key', async () => {
    const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' }
    const response = await exports.default.fetch('http://test/admin/tenants', { method: 'OPTIONS', headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example')
  })

  it('has no admin API until a token is set', async () => {
    const response = await exports.default.fetch('http://test/admin/tenants')
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ detail: 'admin API is off; set ADMIN_TOKEN' })
  })

  it('serves many requests with one key at the same time, each a request of its own', async () => {
    const key = newKey().text
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        exports.default.fetch('http://test/admin/tenants', { headers: { Authorization: `Bearer ${key}` } }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(404))
  })
})

describe('the Tool Server dialect', () => {
  it('answers a local request without a key as the open tenant, and refuses a bad key all the same', async () => {
    const open = await exports.default.fetch('http://localhost/api/tools')
    expect(open.status).toBe(200)
    for (const request of [
      new Request('http://localhost/api/tools', { headers: { 'X-API-Key': newKey().text } }),
      new Request('http://localhost/k/wrong/api/tools'),
    ]) {
      const refused = await exports.default.fetch(request)
      expect(refused.status).toBe(401)
      expect(await refused.json()).toEqual({ detail: expect.stringContaining('this key is not valid') })
    }
  })

  it('tells who calls code on a server without sandboxes, on a laptop, both ways to get them', async () => {
    const ask = async (path: string, body?: object) => {
      const init = { method: 'POST', ...(body && { body: JSON.stringify(body) }) }
      return (await exports.default.fetch(`http://localhost${path}`, init)).json()
    }
    await ask('/api/task/create?task_id=bare&task_name=n')
    const params = { command: 'true' }
    expect(await ask('/api/tool/execute', { task_id: 'bare', tool_name: 'execute_shell', params })).toMatchObject({
      success: false,
      error: expect.stringMatching(/"npm run sandboxd" beside it, or E2B_API_KEY in \.dev\.vars/),
    })
  })

  it('answers 401 without a key in production, and /health to anyone', async () => {
    const server = createServer(PRODUCTION)
    const refused = await server.fetch(new Request('https://test/api/tools'))
    expect(refused.status).toBe(401)
    expect(await refused.json()).toEqual({ detail: expect.stringContaining('has no API key') })
    expect((await server.fetch(new Request('https://test/health'))).status).toBe(200)
  })

  it('gives two tenants with one task id two tasks', async () => {
    const server = createServer(PRODUCTION)
    const [one, two] = [await keyOfNewTenant(server, 'one'), await keyOfNewTenant(server, 'two')]
    const as = (key: string, path: string, init?: RequestInit) =>
      server.fetch(new Request(`https://test/k/${key}${path}`, init))
    const content = 'only for one'
    const write = { task_id: 'same', tool_name: 'file_write', params: { file_path: 'a.txt', content } }

    expect((await as(one, '/api/task/create?task_id=same&task_name=n', { method: 'POST' })).status).toBe(200)
    expect((await as(two, '/api/task/same/status')).status).toBe(404)
    expect((await as(two, '/api/task/create?task_id=same&task_name=n', { method: 'POST' })).status).toBe(200)
    const written = await as(one, '/api/tool/execute', { method: 'POST', body: JSON.stringify(write) })
    expect(await written.json()).toMatchObject({ success: true })
    expect(new TextDecoder().decode(await (await as(one, '/api/download/same/a.txt')).arrayBuffer())).toBe(content)
    expect((await as(two, '/api/download/same/a.txt')).status).toBe(404)
    expect((await as(two, '/api/task/same', { method: 'DELETE' })).status).toBe(200)
    expect(new TextDecoder().decode(await (await as(one, '/api/download/same/a.txt')).arrayBuffer())).toBe(content)
  })
})

describe('in production', () => {
  it('a tenant is made, gets a key and manages its keys with it, in the header or in the path', async () => {
    const server = createServer(PRODUCTION)
    const key = await keyOfNewTenant(server, 'acme', ['admin'])
    const list = new Request('https://test/admin/tenants/acme/keys', { headers: { 'X-API-Key': key } })
    expect((await server.fetch(list)).status).toBe(200)
    expect((await server.fetch(new Request(`https://test/k/${key}/admin/tenants/acme/keys`))).status).toBe(200)
    expect((await server.fetch(new Request('https://test/admin/tenants/acme/keys'))).status).toBe(401)
  })

  it('nothing is served while an open tenant is set, and the log says why', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const server = createServer({ ...PRODUCTION, OPEN_TENANT: 'dev' })
    for (const path of ['/', '/health', '/admin/tenants']) {
      const response = await server.fetch(
        new Request(`https://test${path}`, { headers: { 'X-API-Key': newKey().text } }),
      )
      expect(response.status).toBe(500)
      expect(response.headers.get('Content-Type')).toBe('application/problem+json')
      const text = await response.text()
      expect(JSON.parse(text)).toMatchObject({ code: 'internal', retryable: false })
      expect(text).not.toContain('OPEN_TENANT')
    }
    expect(log).toHaveBeenCalledTimes(3)
    expect(JSON.stringify(log.mock.calls)).toContain('OPEN_TENANT: must not be set in production')
  })

  it('nothing is served without a database, and the log names the binding', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const response = await createServer({ ...PRODUCTION, DB: undefined }).fetch(new Request('https://test/'))
    expect(response.status).toBe(500)
    expect(JSON.stringify(log.mock.calls)).toContain('DB: the binding is missing')
  })
})

async function keyOfNewTenant(server: Server, id: string, scopes = ['read', 'execute']): Promise<string> {
  const post = (path: string, body: unknown) =>
    server.fetch(
      new Request(`https://test${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${TOKEN}` },
        body: JSON.stringify(body),
      }),
    )
  expect((await post('/admin/tenants', { id, name: id })).status).toBe(201)
  const { key } = (await (await post(`/admin/tenants/${id}/keys`, { name: 'k', scopes })).json()) as { key: string }
  return key
}
