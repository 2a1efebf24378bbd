import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { newKey } from '../../src/auth/key.ts'
import { MAX_INLINE_BLOB_BYTES } from '../../src/core/limits/workspace.ts'
import { tenantOwnerClient } from '../../src/objects.ts'
import { createServer } from '../../src/server.ts'
import { SessionObject } from '../../src/session/session-object.ts'
import { migrateAll } from '../support/all-databases.ts'
import { migratePapers, PAPERS } from '../support/papers-database.ts'

const TOKEN = 'the-owner-s-own-secret-of-40-characters!'
const { OPEN_TENANT: _, ...closed } = env
const SETTINGS = {
  ...closed,
  ENVIRONMENT: 'production',
  ADMIN_TOKEN: TOKEN,
  SECRETS_KEY: 'a key for secrets, of the tests alone',
}
const server = createServer(SETTINGS)
/** Settings of a server whose papers have no database of their own. */
const earlier = createServer({ ...SETTINGS, PAPERS: undefined })

beforeAll(async () => {
  await migrateAll(env.DB)
  await migratePapers(PAPERS)
})

async function ask(key: string | null, method: string, path: string, body?: unknown, on = server) {
  const answer = await on.fetch(
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

/** A request that must be carried out. */
async function done(key: string | null, method: string, path: string, body?: unknown) {
  const answer = await ask(key, method, path, body)
  expect(answer, `${method} ${path}`).toMatchObject({ status: expect.toSatisfy((status) => status < 300) })
  return answer.body
}

const TOOL = {
  name: 'Some tool',
  description: 'Does something.',
  input_schema: { type: 'object' },
  executor: { kind: 'http', target: 'https://service.example/do' },
}
const SESSIONS = ['one', 'two', 'three']

/** Text of a session's file, which goes to the store of objects at once: small ones wait in SQLite. */
const textOf = (name: string, tenant: string) => `hello ${name} of ${tenant}`.padEnd(MAX_INLINE_BLOB_BYTES + 1)

/** A tenant with something in every place that tenants have things in. */
async function aTenant() {
  const id = String((await done(TOKEN, 'POST', '/admin/tenants', { name: 'To be deleted' })).id)
  const made = await done(TOKEN, 'POST', `/admin/tenants/${id}/keys`, { name: 'n', scopes: ['admin'] })
  const key = String(made.key)
  const { key: child, id: childId } = await done(key, 'POST', '/v1/keys/current/children', {})
  const { id: revoked } = await done(key, 'POST', '/v1/keys/current/children', {})
  await done(key, 'DELETE', `/v1/keys/${revoked}`)
  for (const name of SESSIONS) {
    await done(key, 'POST', '/v1/sessions', { name, files: [{ path: 'a.txt', text: textOf(name, id) }] })
  }
  const link = String((await done(key, 'POST', '/v1/sessions/one/links', { path: 'a.txt', method: 'download' })).url)
  await done(key, 'PUT', '/v1/tools/registered/mine', TOOL)
  await done(key, 'POST', '/v1/marketplace/tools', { id: 'mine', publisher: `of-${id}`, tool: 'mine' })
  await done(key, 'POST', '/v1/papers', { id: `paper-${id}`, title: 'On otters', abstract: 'Otters swim.' })
  expect(
    await ask(key, 'POST', '/v1/papers', { id: `older-${id}`, title: 'On seals', abstract: 'They do, too.' }, earlier),
  ).toMatchObject({ status: 201 })
  return { id, key, child: String(child), childId: String(childId), link, connection: await connectionOf(key) }
}

/** Id of a connection of an MCP client of an older revision. */
async function connectionOf(key: string): Promise<string> {
  const capabilities = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'n', version: '1' } }
  const answer = await server.fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        ...{ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: capabilities }),
    }),
  )
  await answer.text()
  expect(answer.status).toBe(200)
  return answer.headers.get('Mcp-Session-Id') ?? ''
}

type Tenant = Awaited<ReturnType<typeof aTenant>>

const objectsOf = async ({ id }: Tenant) => (await env.BLOBS.list({ prefix: `t/${id}/` })).objects.map(({ key }) => key)

/** Rows of a tenant in all tables of the shared databases that name tenants. */
async function rowsOf({ id }: Tenant) {
  const count = async (query: string, of: readonly D1Database[] = [env.DB]) => {
    const counts = await Promise.all(of.map((db) => db.prepare(query).bind(id).first<number>('n')))
    return counts.reduce((sum: number, n) => sum + (n ?? 0), 0)
  }
  const both = [env.DB, PAPERS]
  const owned = 'SELECT no FROM paper_corpora WHERE owner = ?'
  const published = 'SELECT no FROM market_packages JOIN market_publishers ON name = publisher WHERE tenant = ?'
  return {
    keys: await count('SELECT count(*) AS n FROM keys WHERE tenant = ?'),
    corpora: await count('SELECT count(*) AS n FROM paper_corpora WHERE owner = ?', both),
    papers: await count(`SELECT count(*) AS n FROM papers WHERE corpus IN (${owned})`, both),
    terms: await count(`SELECT count(*) AS n FROM paper_terms WHERE corpus IN (${owned})`, both),
    packages: await count(`SELECT count(*) AS n FROM (${published})`),
    versions: await count(`SELECT count(*) AS n FROM market_versions WHERE package IN (${published})`),
  }
}
const NO_ROWS = { keys: 0, corpora: 0, papers: 0, terms: 0, packages: 0, versions: 0 }

const tablesOf = (stub: DurableObjectStub) =>
  runInDurableObject(stub, (_, { storage }) =>
    storage.sql
      .exec(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'",
      )
      .toArray()
      .map(({ name }) => String(name))
      .sort(),
  )

/** Number of values that an object of MCP connections keeps. */
const keptBy = ({ id }: Tenant, name: string) =>
  runInDurableObject(env.CONNECTIONS.getByName(`${id}/${name}`), async (_, { storage }) => (await storage.list()).size)
const sessionOf = ({ id }: Tenant, name: string) => env.SESSIONS.getByName(`${id}/${name}`)
const deletionOf = async ({ id }: Tenant) => (await ask(TOKEN, 'GET', `/admin/tenants/${id}/deletion`)).body
/** For what comes by itself. */
const PATIENT = { timeout: 60_000 }
const isDeleted = (tenant: Tenant) =>
  expect.poll(() => deletionOf(tenant), PATIENT).toMatchObject({ status: 'deleted', step: null })

async function nothingIsLeftOf(tenant: Tenant) {
  expect(await objectsOf(tenant)).toEqual([])
  expect(await rowsOf(tenant)).toEqual(NO_ROWS)
  for (const name of SESSIONS) expect(await tablesOf(sessionOf(tenant, name))).toEqual([])
  for (const name of [tenant.connection, 'list']) expect(await keptBy(tenant, name)).toBe(0)
  expect(await tablesOf(env.TENANTS.getByName(tenant.id))).toEqual(['migrations', 'owner_work', 'tenant'])
  const chains = await env.DB.prepare('SELECT count(*) AS n FROM revoked_children WHERE chain > ?1 AND chain < ?2')
    .bind(`${rootOf(tenant)}.`, `${rootOf(tenant)}/`)
    .first<{ n: number }>()
  expect(chains?.n).toBe(0)
}

/** Public part of a tenant's key. */
const rootOf = ({ childId }: Tenant) => childId.split('.')[0] ?? ''

async function isWhole(tenant: Tenant) {
  for (const name of SESSIONS) {
    const read = await ask(tenant.child, 'GET', `/v1/sessions/${name}/files/a.txt`)
    expect(read).toMatchObject({ status: 200, text: textOf(name, tenant.id) })
  }
  expect(await ask(null, 'GET', tenant.link)).toMatchObject({ status: 200 })
  expect(await objectsOf(tenant)).toHaveLength(SESSIONS.length)
  expect(await rowsOf(tenant)).toMatchObject({ keys: 1, corpora: 2, papers: 2, packages: 1, versions: 1 })
  expect((await ask(tenant.key, 'GET', `/v1/papers/paper-${tenant.id}`)).status).toBe(200)
}

it('a deleted tenant is refused at once, and then nothing of it is left; another one has all it had', async () => {
  const [gone, other] = [await aTenant(), await aTenant()]
  // The isolate has their keys in its caches.
  for (const tenant of [gone, other]) await isWhole(tenant)
  const begun = await ask(TOKEN, 'DELETE', `/admin/tenants/${gone.id}`)
  expect(begun).toMatchObject({ status: 202, body: { tenant: gone.id, status: 'deleting', ended_at: null } })
  // Files are read in sessions, without a question to the tenant.
  for (const key of [gone.key, gone.child])
    expect((await ask(key, 'GET', '/v1/sessions/one/files/a.txt')).status).toBe(401)
  expect((await ask(null, 'GET', gone.link)).status).toBe(410)
  await isDeleted(gone)
  expect(await deletionOf(gone)).toEqual({
    tenant: gone.id,
    status: 'deleted',
    step: null,
    requested_at: begun.body.requested_at,
    ended_at: expect.any(String),
    sessions: { total: 3, removed: 3 },
    objects: { removed: 3, bytes: expect.any(Number) },
    rows: { keys: 1, tools: 1, papers: 2, packages: 1 },
    problem: null,
  })
  await nothingIsLeftOf(gone)
  await isWhole(other)
  const defaults = `/admin/tenants/${gone.id}/session-defaults`
  const none = { lifetime_seconds: null, idle_lifetime_seconds: null }
  expect((await ask(TOKEN, 'GET', defaults)).status).toBe(409)
  expect((await ask(TOKEN, 'PUT', defaults, none)).status).toBe(409)
  await nothingIsLeftOf(gone)
})

it('a tenant is closed when its sessions have dropped what they had of its tools and secrets', async () => {
  const tenant = await aTenant()
  const informed = vi.spyOn(SessionObject.prototype, 'toolsChanged')
  onTestFinished(() => informed.mockRestore())
  // As if all had reported a call just now, however long it took to make them.
  await runInDurableObject(env.TENANTS.getByName(tenant.id), (_, { storage }) =>
    storage.sql.exec('UPDATE told_ends SET at = ?', Date.now() + 3_600_000).toArray(),
  )
  await done(TOKEN, 'DELETE', `/admin/tenants/${tenant.id}`)
  expect(informed.mock.contexts.length).toBe(SESSIONS.length)
  await isDeleted(tenant)
  await nothingIsLeftOf(tenant)
})

it('a deleted tenant stays in no list, comes back by no request, and its id is never given again', async () => {
  const tenant = await aTenant()
  await done(TOKEN, 'DELETE', `/admin/tenants/${tenant.id}`)
  await isDeleted(tenant)
  const receipt = await deletionOf(tenant)
  expect(await ask(TOKEN, 'DELETE', `/admin/tenants/${tenant.id}`)).toMatchObject({ status: 200, body: receipt })
  expect(await ask(TOKEN, 'POST', '/admin/tenants', { id: tenant.id, name: 'Next' })).toMatchObject({
    status: 409,
    body: { detail: `the tenant "${tenant.id}" was deleted, and an id is never given again; choose another id` },
  })
  for (const change of [{ disabled: false }, { name: 'Back' }]) {
    expect((await ask(TOKEN, 'PATCH', `/admin/tenants/${tenant.id}`, change)).status).toBe(409)
  }
  expect((await ask(TOKEN, 'POST', `/admin/tenants/${tenant.id}/keys`, { name: 'k' })).status).toBe(404)
  expect(await ask(TOKEN, 'GET', `/admin/tenants/${tenant.id}`)).toMatchObject({
    status: 200,
    body: { name: '', disabled: true, deleted_at: receipt.requested_at, purged_at: receipt.ended_at },
  })
  const listed = (await ask(TOKEN, 'GET', '/admin/tenants?limit=200')).body.data as { id: string }[]
  expect(listed.map(({ id }) => id)).not.toContain(tenant.id)
})

it('an isolate that has the keys in its cache can do nothing with them, and makes no session that nobody would remove', async () => {
  const tenant = await aTenant()
  const stale = createServer(SETTINGS)
  expect((await ask(tenant.key, 'GET', '/v1/sessions', undefined, stale)).status).toBe(200)
  await tenantOwnerClient(() => env.TENANTS.getByName(tenant.id)).beginDeletion()
  const refused = { status: 401, body: { detail: expect.stringContaining('was deleted') } }
  expect(await ask(tenant.key, 'GET', '/v1/sessions', undefined, stale)).toMatchObject(refused)
  expect(await ask(tenant.key, 'POST', '/v1/sessions', { name: 'late' }, stale)).toMatchObject(refused)
  expect(await tablesOf(sessionOf(tenant, 'late'))).toEqual([])
  // The deletion closes the tenant in the database, whoever began it.
  const isDisabled = async () => (await ask(TOKEN, 'GET', `/admin/tenants/${tenant.id}`)).body.disabled
  await expect.poll(isDisabled, PATIENT).toBe(true)
  await isDeleted(tenant)
})

it('a session that the list of its tenant does not have is removed by its own alarm', async () => {
  const tenant = await aTenant()
  await runInDurableObject(env.TENANTS.getByName(tenant.id), (_, { storage }) => {
    storage.sql.exec("DELETE FROM sessions WHERE name = 'one'")
  })
  await runInDurableObject(sessionOf(tenant, 'one'), (_, { storage }) => {
    const [row] = storage.sql.exec('SELECT record FROM session').toArray()
    const record = JSON.stringify({ ...JSON.parse(String(row?.record)), state: 'new' })
    storage.sql.exec('UPDATE session SET record = ?', record)
  })
  await evictDurableObject(sessionOf(tenant, 'one'))
  await done(TOKEN, 'DELETE', `/admin/tenants/${tenant.id}`)
  await isDeleted(tenant)
  // It set its alarm when it was made; that may have come by now.
  await runDurableObjectAlarm(sessionOf(tenant, 'one'))
  await expect.poll(() => tablesOf(sessionOf(tenant, 'one')), PATIENT).toEqual([])
})

it('a deletion whose object is restarted in the middle goes on by its alarm', async () => {
  const tenant = await aTenant()
  await done(TOKEN, 'DELETE', `/admin/tenants/${tenant.id}`)
  // The first restart meets its first steps, and the others what it has come to by then.
  for (let times = 0; times < 5; times++) {
    await restart(env.TENANTS.getByName(tenant.id))
    await deletionOf(tenant)
  }
  await expect
    .poll(async () => {
      await runDurableObjectAlarm(env.TENANTS.getByName(tenant.id))
      return deletionOf(tenant)
    }, PATIENT)
    .toMatchObject({ status: 'deleted', sessions: { total: 3, removed: 3 }, objects: { removed: 3 } })
  await nothingIsLeftOf(tenant)
})

it('a tenant that the server itself needs, or that is none, is not deleted', async () => {
  const tenant = await aTenant()
  const open = createServer({ ...env, ADMIN_TOKEN: TOKEN, OPEN_TENANT: tenant.id })
  expect(await ask(TOKEN, 'DELETE', `/admin/tenants/${tenant.id}`, undefined, open)).toMatchObject({ status: 409 })
  expect((await ask(TOKEN, 'DELETE', '/admin/tenants/nobody-at-all')).status).toBe(404)
  expect((await ask(TOKEN, 'GET', '/admin/tenants/nobody-at-all/deletion')).status).toBe(404)
  expect((await ask(TOKEN, 'GET', `/admin/tenants/${tenant.id}/deletion`)).status).toBe(404)
  expect((await ask(tenant.key, 'DELETE', `/admin/tenants/${tenant.id}`)).status).toBe(403)
  expect((await ask(newKey().text, 'DELETE', `/admin/tenants/${tenant.id}`)).status).toBe(401)
  await isWhole(tenant)
})

/** Restarts an object, as a deploy does. */
const restart = (stub: DurableObjectStub) =>
  runInDurableObject(stub, (_, context) => context.abort('restarted by the test')).catch(() => undefined)
