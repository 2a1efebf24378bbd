import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { createServer, type Server } from '../../src/server.ts'
import { migrateKeys } from '../support/keys-database.ts'

const TOKEN = 'the-owner-s-own-secret-of-40-characters!'
const OLD = 'a plain key for secrets of the tests alone'
const NEW = 'k2:a newer key for secrets of the tests alone'
const { OPEN_TENANT: _, ...closed } = env
const CLOSED = { ...closed, ENVIRONMENT: 'production', ADMIN_TOKEN: TOKEN, SECRETS_KEY: OLD }

beforeAll(() => migrateKeys(env.DB))

type Sent = { readonly method?: string; readonly path: string; readonly body?: unknown; readonly from?: string }

/** Asks a server with a key, from an address, and reads the answer as JSON, if it is. */
async function ask(server: Server, key: string | null, { method = 'GET', path, body, from }: Sent) {
  const behind: Promise<unknown>[] = []
  const answer = await server.fetch(
    new Request(`https://localhost${path}`, {
      method,
      headers: {
        ...(key !== null && { Authorization: `Bearer ${key}` }),
        ...(from !== undefined && { 'CF-Connecting-IP': from }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
    (work) => behind.push(work),
  )
  const text = await answer.text()
  await Promise.all(behind)
  const isJson = /[/+]json\b/.test(answer.headers.get('Content-Type') ?? '')
  return { status: answer.status, text, body: (isJson ? JSON.parse(text) : {}) as Record<string, unknown> }
}

async function newKey(server: Server, input: Record<string, unknown> = {}) {
  const { id: tenant } = (await ask(server, TOKEN, { method: 'POST', path: '/admin/tenants', body: { name: 'T' } }))
    .body
  const path = `/admin/tenants/${tenant}/keys`
  const body = { name: 'n', scopes: ['admin'], ...input }
  const made = (await ask(server, TOKEN, { method: 'POST', path, body })).body
  return { path: `${path}/${made.id}`, id: String(made.id), key: String(made.key) }
}

async function childOf(server: Server, key: string) {
  const path = '/v1/keys/current/children'
  return String((await ask(server, key, { method: 'POST', path, body: {} })).body.key)
}

/** A link to a file of a new session. */
async function linkBy(server: Server, key: string, from?: string): Promise<string> {
  const of = { method: 'POST', ...(from !== undefined && { from }) }
  const files = [{ path: 'a.txt', text: 'hello' }]
  await ask(server, key, { ...of, path: '/v1/sessions?if_exists=return', body: { name: 'mine', files } })
  const body = { path: 'a.txt', method: 'download' }
  return String((await ask(server, key, { ...of, path: '/v1/sessions/mine/links', body })).body.url)
}

const CURRENT = { path: '/v1/keys/current' }

it('a new secret is good at once in every isolate, also where the old one is remembered; child keys and links stay good', async () => {
  const [here, there] = [createServer(CLOSED), createServer(CLOSED)]
  const { id, key } = await newKey(here)
  const child = await childOf(here, key)
  const link = await linkBy(here, child)
  // Both remember the row of the key.
  for (const server of [here, there]) expect((await ask(server, key, CURRENT)).status).toBe(200)

  const body = { overlap_seconds: 0 }
  const rotated = await ask(here, key, { method: 'POST', path: `/v1/keys/${id}/rotate`, body })
  expect(rotated).toMatchObject({ status: 200, body: { id, old_secret_until: null } })
  for (const server of [here, there]) {
    const together = Array.from({ length: 4 }, () => ask(server, String(rotated.body.key), CURRENT))
    expect(await Promise.all(together)).toMatchObject(Array(4).fill({ status: 200, body: { id } }))
    // The row with the new secret is the one that is remembered now.
    expect((await ask(server, key, CURRENT)).status).toBe(401)
    expect((await ask(server, child, CURRENT)).body).toMatchObject({ parents: [id] })
    expect(await ask(server, null, { path: link })).toMatchObject({ status: 200, text: 'hello' })
  }
  const grandchild = await childOf(there, await childOf(there, String(rotated.body.key)))
  expect((await ask(here, grandchild, CURRENT)).status).toBe(200)
})

it('a key without the scope admin, and a child key, rotate and change no key', async () => {
  const server = createServer(CLOSED)
  const worker = await newKey(server, { scopes: ['read', 'execute'] })
  const admin = await newKey(server)
  for (const { id, key } of [worker, { ...admin, key: await childOf(server, admin.key) }]) {
    const path = `/v1/keys/${id}`
    expect((await ask(server, key, { method: 'POST', path: `${path}/rotate` })).status).toBe(403)
    expect((await ask(server, key, { method: 'PATCH', path, body: { name: 'x' } })).status).toBe(403)
  }
})

it('the list says when a key or a child of it was last used, to the minute, and a request of the same minutes writes no row', async () => {
  const server = createServer(CLOSED)
  const { path, id, key } = await newKey(server)
  const facts = async () => (await ask(server, key, { path: `/v1/keys/${id}` })).body
  const [unused] = (await ask(server, TOKEN, { path: path.replace(`/${id}`, '') })).body.data as {
    last_used_at: null
  }[]
  expect(unused?.last_used_at).toBeNull()
  const before = Date.now()
  await ask(server, await childOf(server, key), CURRENT)
  const { last_used_at } = await facts()
  const at = Date.parse(String(last_used_at))
  expect(at % 60_000).toBe(0)
  expect(before - at).toBeLessThan(60_000)

  // Another isolate's use of the same minutes does not write either.
  await env.DB.prepare('UPDATE keys SET used_at = used_at - 60000 WHERE id = ?').bind(id).run()
  await ask(createServer(CLOSED), key, CURRENT)
  expect(Date.parse(String((await facts()).last_used_at))).toBe(at - 60_000)
  // One that is due does.
  await env.DB.prepare('UPDATE keys SET used_at = used_at - 3600000 WHERE id = ?').bind(id).run()
  await ask(createServer(CLOSED), key, CURRENT)
  expect(Date.parse(String((await facts()).last_used_at))).toBeGreaterThanOrEqual(at)
})

it('a key for some addresses is refused from others in each dialect’s own words, with its child keys and links', async () => {
  const server = createServer(CLOSED)
  const { key } = await newKey(server, { allowed_addresses: ['192.0.2.0/24', '2001:db8::/48'] })
  for (const from of ['192.0.2.7', '2001:db8:0:1::1', '::ffff:192.0.2.9']) {
    expect((await ask(server, key, { ...CURRENT, from })).status, from).toBe(200)
  }
  const link = await linkBy(server, key, '192.0.2.7')
  const child = String(
    (await ask(server, key, { method: 'POST', path: '/v1/keys/current/children', body: {}, from: '192.0.2.7' })).body
      .key,
  )
  expect((await ask(server, null, { path: link, from: '192.0.2.7' })).status).toBe(200)
  expect((await ask(server, child, { ...CURRENT, from: '192.0.2.7' })).status).toBe(200)

  for (const from of ['192.0.3.7', '2001:db8:1::1', '198.51.100.1, 192.0.2.7x', 'x'.repeat(100), undefined]) {
    const elsewhere = from === undefined ? {} : { from }
    for (const sent of [key, child]) {
      const refused = await ask(server, sent, { ...CURRENT, ...elsewhere })
      expect(refused, from).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      expect(refused.text).toContain('allowed_addresses')
    }
    expect((await ask(server, null, { path: link, ...elsewhere })).status, from).toBe(403)
  }
  // A wrong secret learns nothing of it.
  const wrong = (await newKey(server)).key
  expect((await ask(server, wrong.slice(0, -1), { ...CURRENT, from: '192.0.3.7' })).status).toBe(401)

  const from = '192.0.3.7'
  const paths = [
    { method: 'POST', path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
    { method: 'POST', path: '/api/task/create', body: { task_id: 't' } },
    { method: 'POST', path: '/api/tool/execute', body: { task_id: 't', tool_name: 'file_read', params: {} } },
    { method: 'POST', path: '/get_available_tools' },
    { method: 'GET', path: '/internal/tools' },
    { method: 'GET', path: '/lagent/tools' },
    { method: 'GET', path: '/v1/sessions' },
  ]
  const answers = await Promise.all(paths.map((sent) => ask(server, key, { ...sent, from })))
  expect(answers.map(({ status, text }) => [status, text.includes('allowed_addresses')])).toEqual(
    paths.map(() => [403, true]),
  )
})

it('keys and links that an older key of SECRETS_KEY signed are good while it is in the list, and not after', async () => {
  const before = createServer(CLOSED)
  const { key } = await newKey(before)
  const made = { child: await childOf(before, key), link: await linkBy(before, key) }
  const statuses = async (SECRETS_KEY: string) => {
    const server = createServer({ ...CLOSED, SECRETS_KEY })
    const child = await ask(server, made.child, CURRENT)
    return [child.status, (await ask(server, null, { path: made.link })).status]
  }
  expect(await statuses(`${NEW},k1:${OLD}`)).toEqual([200, 200])
  expect(await statuses(NEW)).toEqual([401, 404])
})
