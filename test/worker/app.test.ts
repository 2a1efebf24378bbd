import { env, exports } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { newKey } from '../../src/auth/key.ts'
import { createServer } from '../../src/server.ts'
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
    expect(response.headers.get('X-Request-Id')).toBeTruthy()
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

describe('in production', () => {
  it('a tenant is made, gets a key and manages its keys with it, in the header or in the path', async () => {
    const server = createServer(PRODUCTION)
    const owner = { Authorization: `Bearer ${TOKEN}` }
    const post = (path: string, body: unknown) =>
      server.fetch(new Request(`https://test${path}`, { method: 'POST', headers: owner, body: JSON.stringify(body) }))
    expect((await post('/admin/tenants', { id: 'acme', name: 'Acme' })).status).toBe(201)
    const made = await post('/admin/tenants/acme/keys', { name: 'k', scopes: ['admin'] })
    const { key } = (await made.json()) as { key: string }

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
