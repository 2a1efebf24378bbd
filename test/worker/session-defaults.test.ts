import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { BLOB_GRACE_MS, MAX_INLINE_BLOB_BYTES } from '../../src/core/limits/workspace.ts'
import { createServer } from '../../src/server.ts'
import type { SessionRecord } from '../../src/session/record.ts'
import { migrateAll } from '../support/all-databases.ts'

const TOKEN = 'the-owner-s-own-secret-of-40-characters!'
const { OPEN_TENANT: _, ...closed } = env
const server = createServer({ ...closed, ENVIRONMENT: 'production', ADMIN_TOKEN: TOKEN })
const DAY = 86_400
/** For what comes by itself. */
const PATIENT = { timeout: 60_000 }

beforeAll(() => migrateAll(env.DB))

async function send(key: string, method: string, path: string, body?: unknown) {
  const answer = await server.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}` },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
  const text = new TextDecoder().decode(await answer.arrayBuffer())
  const isJson = /[/+]json\b/.test(answer.headers.get('Content-Type') ?? '')
  return { status: answer.status, text, body: isJson ? JSON.parse(text) : null }
}

/** A tenant with a key, and default lifetimes where some are given. */
async function aTenant(defaults?: object) {
  const { id } = (await send(TOKEN, 'POST', '/admin/tenants', { name: 'Acme' })).body
  const path = `/admin/tenants/${id}/session-defaults`
  const put = (body: object) => send(TOKEN, 'PUT', path, body)
  if (defaults) expect(await put(defaults)).toMatchObject({ status: 200, body: defaults })
  const made = await send(TOKEN, 'POST', `/admin/tenants/${id}/keys`, { name: 'k', scopes: ['admin'] })
  const key: string = made.body.key
  const stub = (name: string) => env.SESSIONS.getByName(`${id}/${name}`)
  return {
    id,
    key,
    path,
    put,
    stub,
    ask: (method: string, of: string, body?: unknown) => send(key, method, `/v1/sessions${of}`, body),
    task: (name: string) => send(key, 'POST', `/api/task/create?task_id=${name}&task_name=${name}`),
    /** Lets that much time pass for a session, by moving all that it notes into the past, and starts its object anew. */
    later: async (name: string, seconds: number) => {
      const earlier = (ms: number) => ms - seconds * 1_000
      await changeRecord(stub(name), ({ createdAt, touchedAt, ...record }) => ({
        ...record,
        createdAt: earlier(createdAt),
        ...(touchedAt !== undefined && { touchedAt: earlier(touchedAt) }),
      }))
      await runInDurableObject(stub(name), (_, { storage }) => {
        storage.sql.exec('UPDATE workspace_commits SET at = at - ?', seconds * 1_000)
      })
      await evictDurableObject(stub(name))
    },
  }
}

const changeRecord = (stub: DurableObjectStub, change: (record: SessionRecord) => SessionRecord) =>
  runInDurableObject(stub, (_, { storage }) => {
    const [row] = storage.sql.exec('SELECT record FROM session').toArray()
    const record = JSON.parse(String(row?.record)) as SessionRecord
    storage.sql.exec('UPDATE session SET record = ?', JSON.stringify(change(record)))
  })

const ends = (lifetime_seconds: number | null, idle_lifetime_seconds: number | null) => ({
  lifetime_seconds,
  idle_lifetime_seconds,
  expires_at: lifetime_seconds === null && idle_lifetime_seconds === null ? null : expect.any(String),
  on_expiry: lifetime_seconds === null && idle_lifetime_seconds === null ? null : 'delete',
})

it('new sessions of any API have the lifetimes that the owner set, unless a request brings its own; others stay', async () => {
  const { path, put, ask, task } = await aTenant()
  expect((await send(TOKEN, 'GET', path)).body).toEqual({ lifetime_seconds: null, idle_lifetime_seconds: null })
  await ask('POST', '', { name: 'before' })
  expect((await put({ lifetime_seconds: 30 * DAY, idle_lifetime_seconds: DAY })).status).toBe(200)
  expect((await send(TOKEN, 'GET', path)).body).toEqual({ lifetime_seconds: 30 * DAY, idle_lifetime_seconds: DAY })

  await ask('POST', '', { name: 'plain' })
  await ask('POST', '', { name: 'labelled', labels: { a: 'b' } })
  await ask('POST', '', { name: 'own', idle_lifetime_seconds: 600 })
  await ask('POST', '', { name: 'never', lifetime_seconds: null, idle_lifetime_seconds: null })
  await ask('POST', '/before/fork', { name: 'fork-of-before' })
  await ask('POST', '/own/fork', { name: 'fork-of-own' })
  expect((await task('published')).status).toBe(200)
  await ask('POST', '', { name: 'kept' })
  await ask('PATCH', '/kept', { lifetime_seconds: null, idle_lifetime_seconds: null })
  expect((await put({ lifetime_seconds: null, idle_lifetime_seconds: null })).status).toBe(200)
  await ask('POST', '', { name: 'after' })

  const wanted = {
    before: ends(null, null),
    plain: ends(30 * DAY, DAY),
    labelled: ends(30 * DAY, DAY),
    own: ends(30 * DAY, 600),
    never: ends(null, null),
    'fork-of-before': ends(null, null),
    'fork-of-own': ends(30 * DAY, 600),
    published: ends(30 * DAY, DAY),
    kept: ends(null, null),
    after: ends(null, null),
  }
  const { data } = (await ask('GET', '?limit=50')).body as { data: { name: string }[] }
  expect(Object.fromEntries(data.map((one) => [one.name, one]))).toMatchObject(wanted)
  expect(data).toHaveLength(Object.keys(wanted).length)
  for (const [name, expected] of Object.entries(wanted))
    expect((await ask('GET', `/${name}`)).body, name).toMatchObject(expected)
  const { body } = await ask('GET', '/plain')
  expect(Date.parse(body.expires_at)).toBe(Date.parse(body.last_used_at) + DAY * 1_000)
})

it('a session that ends by a default is gone with all it stored, and a fork of it goes on', async () => {
  const { id, key, ask, task, stub, later } = await aTenant({ lifetime_seconds: null, idle_lifetime_seconds: DAY })
  await task('brief')
  const large = 'large '.padEnd(MAX_INLINE_BLOB_BYTES + 1)
  for (const [file, content] of [
    ['shared.txt', large],
    ['small.txt', 'small'],
  ])
    await send(key, 'PUT', `/v1/sessions/brief/files/${file}`, content)
  await ask('POST', '/brief/fork', { name: 'fork' })
  await send(key, 'PUT', '/v1/sessions/brief/files/own.txt', `own ${large}`)
  const stored = async () => (await env.BLOBS.list({ prefix: `t/${id}/blobs/` })).objects.length
  expect(await stored()).toBe(2)

  await later('brief', DAY - 3_600)
  await runDurableObjectAlarm(stub('brief'))
  expect((await ask('GET', '/brief')).status).toBe(200)
  await later('brief', 3_601)
  await runDurableObjectAlarm(stub('brief'))
  const late = await ask('GET', '/brief')
  expect([late.status, late.body.code]).toEqual([404, 'session_not_found'])
  expect(late.body.detail).toContain('idle_lifetime_seconds')
  expect((await send(key, 'GET', '/api/task/status?task_id=brief')).text).not.toContain('"brief"')
  expect((await ask('GET', '')).body.data).toMatchObject([{ name: 'fork' }])

  const tenant = env.TENANTS.getByName(id)
  await runInDurableObject(tenant, (_, { storage }) => {
    storage.sql.exec('UPDATE blobs SET unreferenced_since = unreferenced_since - ?', BLOB_GRACE_MS + 1_000)
    // Not due by itself meanwhile.
    return storage.setAlarm(Date.now() + 60_000)
  })
  await runDurableObjectAlarm(tenant)
  await expect.poll(stored, PATIENT).toBe(1)
  expect((await send(key, 'GET', '/v1/sessions/fork/files/shared.txt')).text).toBe(large)
  expect((await send(key, 'GET', '/v1/sessions/fork/files/small.txt')).text).toBe('small')
  const audit = (await send(key, 'GET', '/v1/audit/export')).text
  expect(audit).toContain('"session_defaults.put"')
  expect(audit).toContain('"session.expire"')
})

it('a session whose listing a crash cut off has the defaults all the same, and keeps what a change gave it meanwhile', async () => {
  const { ask, stub } = await aTenant({ lifetime_seconds: 30 * DAY, idle_lifetime_seconds: DAY })
  for (const name of ['plain', 'changed']) {
    await ask('POST', '', { name, labels: { of: name } })
    await changeRecord(stub(name), (record) => ({
      ...record,
      settings: { labels: { of: name }, internet: true, lifetimeMs: null, idleLifetimeMs: null },
      defaulted: ['lifetimeMs', 'idleLifetimeMs'],
      state: 'new',
    }))
    await evictDurableObject(stub(name))
  }
  await ask('PATCH', '/changed', { idle_lifetime_seconds: null })
  for (const name of ['plain', 'changed']) await runDurableObjectAlarm(stub(name))
  const expected = { plain: ends(30 * DAY, DAY), changed: ends(30 * DAY, null) }
  for (const [name, end] of Object.entries(expected)) {
    expect((await ask('GET', `/${name}`)).body).toMatchObject({ ...end, labels: { of: name } })
    expect((await ask('GET', `?labels=of:${name}`)).body.data).toMatchObject([{ name, ...end }])
    const planned = await runInDurableObject(stub(name), (_, { storage }) => storage.getAlarm())
    expect(planned).not.toBeNull()
  }
})

it('the defaults are the owner’s alone, in whole seconds, and of a tenant that exists', async () => {
  const { key, path, put } = await aTenant()
  for (const body of [
    {},
    { idle_lifetime_seconds: DAY },
    { lifetime_seconds: 59, idle_lifetime_seconds: null },
    { lifetime_seconds: null, idle_lifetime_seconds: 366 * DAY },
    { lifetime_seconds: null, idle_lifetime_seconds: null, idle: 1 },
  ])
    expect([body, (await put(body)).status]).toEqual([body, 400])
  const none = { lifetime_seconds: null, idle_lifetime_seconds: null }
  expect((await send(key, 'PUT', path, none)).status).toBe(403)
  expect((await send(key, 'GET', path)).status).toBe(403)
  expect((await send(TOKEN, 'PUT', '/admin/tenants/nobody/session-defaults', none)).status).toBe(404)
})
