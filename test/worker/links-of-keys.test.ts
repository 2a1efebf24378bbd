import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { createServer, type Server } from '../../src/server.ts'
import { migrateKeys } from '../support/keys-database.ts'

const TOKEN = 'the-owner-s-own-secret-of-40-characters!'
const SECRETS_KEY = 'a key for secrets, of the tests alone'
const { OPEN_TENANT: _, ...closed } = env
const CLOSED = { ...closed, ENVIRONMENT: 'production', ADMIN_TOKEN: TOKEN, SECRETS_KEY }
const OPEN = { ...env, SECRETS_KEY }

beforeAll(() => migrateKeys(env.DB))

/** Asks a server with a key, and reads the answer as JSON, if it is. */
async function ask(server: Server, key: string | null, method: string, path: string, body?: unknown) {
  const answer = await server.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: key === null ? {} : { Authorization: `Bearer ${key}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  const text = await answer.text()
  const isJson = /[/+]json\b/.test(answer.headers.get('Content-Type') ?? '')
  return { status: answer.status, text, body: (isJson ? JSON.parse(text) : {}) as Record<string, unknown> }
}

/** A session with a file, and a link to it that the key makes. */
async function linkBy(server: Server, key: string | null, session: string) {
  await ask(server, key, 'POST', '/v1/sessions?if_exists=return', {
    name: session,
    files: [{ path: 'a.txt', text: 'hello' }],
  })
  const made = await ask(server, key, 'POST', `/v1/sessions/${session}/links`, { path: 'a.txt', method: 'download' })
  expect(made).toMatchObject({ status: 201 })
  return { id: String(made.body.id), url: String(made.body.url) }
}

async function aTenant(server: Server): Promise<string> {
  const tenant = (await ask(server, TOKEN, 'POST', '/admin/tenants', { name: 'T' })).body.id
  const made = await ask(server, TOKEN, 'POST', `/admin/tenants/${tenant}/keys`, { name: 'n', scopes: ['admin'] })
  return String(made.body.key)
}

const childOf = async (server: Server, key: string | null) =>
  (await ask(server, key, 'POST', '/v1/keys/current/children', {})).body as { id: string; key: string }

it('a link of a child key of a server without keys opens, and ends with that key', async () => {
  const server = createServer(OPEN)
  const session = `links-${crypto.randomUUID()}`
  const child = await childOf(server, null)
  const { url } = await linkBy(server, child.key, session)
  expect(await ask(server, null, 'GET', url)).toMatchObject({ status: 200, text: 'hello' })
  expect(await ask(server, null, 'DELETE', `/v1/keys/${child.id}`)).toMatchObject({ status: 204 })
  expect(await ask(createServer(OPEN), null, 'GET', url)).toMatchObject({ status: 410 })
  await ask(server, null, 'DELETE', `/v1/sessions/${session}`)
})

it('a link of a child key of a tenant opens, and ends when any key of its chain is revoked', async () => {
  const server = createServer(CLOSED)
  const root = await aTenant(server)
  const above = await childOf(server, root)
  const child = await childOf(server, above.key)
  const { url } = await linkBy(server, child.key, 'mine')
  expect(await ask(server, null, 'GET', url)).toMatchObject({ status: 200, text: 'hello' })
  await ask(server, root, 'DELETE', `/v1/keys/${above.id}`)
  expect(await ask(createServer(CLOSED), null, 'GET', url)).toMatchObject({ status: 410 })
})

it('a link does not lead into a session that was made anew under its name', async () => {
  const server = createServer(CLOSED)
  const root = await aTenant(server)
  const { url } = await linkBy(server, root, 'mine')
  await ask(server, root, 'DELETE', '/v1/sessions/mine')
  expect(await ask(server, null, 'GET', url)).toMatchObject({ status: 410 })
  const { url: second } = await linkBy(server, root, 'mine')
  expect(await ask(server, null, 'GET', url)).toMatchObject({ status: 410 })
  expect(await ask(server, null, 'GET', second)).toMatchObject({ status: 200 })
})

it('a link is in the audit log with who made it and what it allows, and so is its end, without what opens it', async () => {
  const server = createServer(CLOSED)
  const root = await aTenant(server)
  const child = await childOf(server, root)
  const { id, url } = await linkBy(server, child.key, 'mine')
  await ask(server, root, 'DELETE', `/v1/sessions/mine/links/${id}`)
  await ask(server, root, 'DELETE', '/v1/sessions/mine/links')
  const { text } = await ask(server, root, 'GET', '/v1/audit/export')
  const entries = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ action }) => action.startsWith('link.'))
  expect(entries).toEqual([
    expect.objectContaining({
      ...{ action: 'link.create', key: child.id, session: 'mine', subject: id, decision: 'done' },
      detail: { path: 'a.txt', method: 'download', expires_at: expect.any(String) },
    }),
    expect.objectContaining({ action: 'link.revoke', key: root.split('_')[1], session: 'mine', subject: id }),
  ])
  expect(text).not.toContain(url.split('/').at(-1))
})
