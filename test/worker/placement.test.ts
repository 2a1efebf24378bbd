import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { randomDigits } from '../../src/auth/key.ts'
import { MAX_INLINE_BLOB_BYTES } from '../../src/core/limits/workspace.ts'
import { createServer } from '../../src/server.ts'
import { migrateAll } from '../support/all-databases.ts'
import { migratePapers, PAPERS } from '../support/papers-database.ts'

const TOKEN = 'the-owner-s-own-secret-of-40-characters!'
const SETTINGS = { ...env, ADMIN_TOKEN: TOKEN, SECRETS_KEY: 'a key for secrets, of the tests alone' }
const server = createServer(SETTINGS)
const { BLOBS_EU } = env as unknown as { readonly BLOBS_EU: R2Bucket }

beforeAll(async () => {
  await migrateAll(env.DB)
  await migratePapers(PAPERS)
})

async function ask(key: string, method: string, path: string, body?: unknown, on = server) {
  const answer = await on.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  const text = await answer.text()
  const isJson = /[/+]json\b/.test(answer.headers.get('Content-Type') ?? '')
  return { status: answer.status, text, body: (isJson ? JSON.parse(text) : {}) as Record<string, unknown> }
}
const newId = () => `placed-${randomDigits(8, 'abcdef')}`
const place = (id: string, more: object, on = server) =>
  ask(TOKEN, 'POST', '/admin/tenants', { id, name: 'P', ...more }, on)
const keyOf = async (id: unknown, on = server) =>
  String((await ask(TOKEN, 'POST', `/admin/tenants/${id}/keys`, { name: 'k', scopes: ['admin'] }, on)).body.key)
const objectsIn = async (bucket: R2Bucket, tenant: string) =>
  (await bucket.list({ prefix: `t/${tenant}/` })).objects.length

it('keeps the files of a tenant in the bucket of its jurisdiction, until it is deleted', async () => {
  const own = newId()
  const made = await place(own, { jurisdiction: 'eu', location_hint: 'weur' })
  const id = `${own}.eu.weur`
  expect(made).toMatchObject({ status: 201, body: { id, jurisdiction: 'eu', location_hint: 'weur' } })
  expect((await ask(TOKEN, 'GET', `/admin/tenants/${id}`)).body).toEqual(made.body)
  const key = await keyOf(id)
  const text = 'kept in Europe'.padEnd(MAX_INLINE_BLOB_BYTES + 1)
  expect(await ask(key, 'POST', '/v1/sessions', { name: 's', files: [{ path: 'a.txt', text }] })).toMatchObject({
    status: 201,
  })
  const { body: child } = await ask(key, 'POST', '/v1/keys/current/children', {})
  expect(await ask(String(child.key), 'GET', '/v1/sessions/s/files/a.txt')).toMatchObject({ status: 200, text })
  const { body: link } = await ask(key, 'POST', '/v1/sessions/s/links', { path: 'a.txt', method: 'download' })
  expect((await server.fetch(new Request(new URL(String(link.url), 'http://localhost')))).status).toBe(200)
  expect([await objectsIn(BLOBS_EU, id), await objectsIn(env.BLOBS, id)]).toEqual([1, 0])
  await ask(TOKEN, 'DELETE', `/admin/tenants/${id}`)
  await expect
    .poll(async () => (await ask(TOKEN, 'GET', `/admin/tenants/${id}/deletion`)).body)
    .toMatchObject({ status: 'deleted', objects: { removed: 1 } })
  expect(await objectsIn(BLOBS_EU, id)).toBe(0)
})

it('never moves a tenant: its place is refused in a change, and its id elsewhere', async () => {
  const own = newId()
  expect((await place(own, { location_hint: 'apac' })).status).toBe(201)
  for (const other of [{}, { jurisdiction: 'eu' }, { location_hint: 'me' }]) {
    const { status, body } = await place(own, other)
    expect({ status, detail: body.detail }).toEqual({
      status: 409,
      detail: expect.stringContaining(
        `there is a tenant "${own}.apac" already, and the place of a tenant never changes`,
      ),
    })
  }
  const changed = await ask(TOKEN, 'PATCH', `/admin/tenants/${own}.apac`, { jurisdiction: 'eu' })
  expect(changed).toMatchObject({ status: 400, body: { detail: expect.stringContaining('never changes') } })
  // An id that begins alike is another tenant's.
  expect((await place(`${own}-2`, {})).status).toBe(201)
})

it('refuses a jurisdiction in which the server has no bucket, and a place that there is not', async () => {
  const { status, body } = await place(newId(), { jurisdiction: 'us' })
  expect({ status, detail: body.detail }).toEqual({ status: 400, detail: expect.stringContaining('BLOBS_US') })
  for (const more of [{ jurisdiction: 'mars' }, { location_hint: 'moon' }, { location_hint: 'eu' }]) {
    expect((await place(newId(), more)).status).toBe(400)
  }
})

it('has each object of a tenant in its jurisdiction where the platform has those, as workerd has not', async () => {
  expect(() => env.TENANTS.jurisdiction('eu')).toThrow(/not implemented/)
  const used: string[] = []
  /** A class of objects that notes which of them are asked for, and where. */
  const noting = <Space extends { getByName(name: string): unknown }>(space: Space, where: string) => ({
    getByName(name: string, options?: { locationHint?: string }) {
      used.push([where, options?.locationHint, name].join(' '))
      return space.getByName(name)
    },
    jurisdiction: (name: string) => noting(space, name),
  })
  const { OPEN_TENANT: _, ...closed } = SETTINGS
  const cloud = createServer({
    ...{ ...closed, ENVIRONMENT: 'production' },
    ...{ TENANTS: noting(env.TENANTS, '-'), SESSIONS: noting(env.SESSIONS, '-') },
    CONNECTIONS: noting(env.CONNECTIONS, '-'),
  })
  const own = newId()
  expect((await place(own, { jurisdiction: 'eu', location_hint: 'eeur' }, cloud)).status).toBe(201)
  const key = await keyOf(`${own}.eu.eeur`, cloud)
  expect((await ask(key, 'POST', '/v1/sessions', { name: 's' }, cloud)).status).toBe(201)
  expect((await ask(key, 'GET', '/v1/tools/registered', undefined, cloud)).status).toBe(200)
  expect(new Set(used)).toEqual(new Set([`eu eeur ${own}.eu.eeur`, `eu eeur ${own}.eu.eeur/s`]))
})
