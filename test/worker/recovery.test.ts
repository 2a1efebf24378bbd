import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { BLOB_GRACE_MS, MAX_INLINE_BLOB_BYTES } from '../../src/core/limits/workspace.ts'
import { createServer } from '../../src/server.ts'
import { migrateAll } from '../support/all-databases.ts'

const TOKEN = 'the-owner-s-own-secret-of-40-characters!'
const { OPEN_TENANT: _, ...closed } = env
const server = createServer({ ...closed, ENVIRONMENT: 'production', ADMIN_TOKEN: TOKEN })
const TENANT = 'recovered'
let key = ''

beforeAll(async () => {
  await migrateAll(env.DB)
  await done('POST', '/admin/tenants', { id: TENANT, name: 'Recovered' })
  key = String((await done('POST', `/admin/tenants/${TENANT}/keys`, { name: 'n', scopes: ['admin'] })).key)
})

const send = (method: string, path: string, body?: unknown) =>
  server.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { Authorization: `Bearer ${path.startsWith('/admin/') ? TOKEN : key}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )

/** A request that must be carried out. */
async function done(method: string, path: string, body?: unknown) {
  const answer = await send(method, path, body)
  const text = await answer.text()
  expect({ status: answer.status, text }, `${method} ${path}`).toMatchObject({
    status: expect.toSatisfy((status) => status < 300),
  })
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

/** Text of a file that goes to the store of objects at once. */
const large = (name: string) => `large ${name} `.padEnd(MAX_INLINE_BLOB_BYTES + 1)
const objectOf = (session: string) => env.SESSIONS.getByName(`${TENANT}/${session}`)
const textOf = async (session: string, path: string) =>
  (await send('GET', `/v1/sessions/${session}/files/${path}`)).text()
const write = (session: string, path: string, content: string) =>
  done('POST', `/v1/sessions/${session}/calls`, { tool: 'file_write', arguments: { path, content } })
const recover = (session: string, body: unknown) =>
  done('POST', `/admin/tenants/${TENANT}/sessions/${session}/recovery`, body)

async function aSession(name: string) {
  await done('POST', '/v1/sessions', {
    name,
    files: [
      { path: 'a.txt', text: `small ${name}` },
      { path: 'deep/large.txt', text: large(name) },
    ],
  })
}

interface Table {
  readonly name: string
  readonly sql: string
  readonly rows: readonly (readonly SqlStorageValue[])[]
}

/** All that an object has stored, as its file would have it. */
const copyOf = (session: string) =>
  runInDurableObject(objectOf(session), (_object, { storage: { sql } }) => {
    const all = sql
      .exec<{ name: string; type: string; sql: string }>(
        "SELECT name, type, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
      )
      .toArray()
    const tables = all
      .filter(({ type }) => type === 'table')
      .map((table): Table => ({ ...table, rows: [...sql.exec(`SELECT * FROM ${table.name}`).raw()] }))
    return { tables, others: all.filter(({ type }) => type !== 'table').map(({ sql }) => sql) }
  })

type Copy = Awaited<ReturnType<typeof copyOf>>

async function putBack({ storage }: DurableObjectState, { tables, others }: Copy): Promise<void> {
  await storage.deleteAll()
  for (const { sql } of tables) storage.sql.exec(sql)
  for (const { name, rows } of tables) {
    for (const row of rows) storage.sql.exec(`INSERT INTO ${name} VALUES (${row.map(() => '?').join()})`, ...row)
  }
  for (const sql of others) storage.sql.exec(sql)
}

/** Puts a copy back while the object is out of memory, as an owner does with its file. */
async function setBack(session: string, copy: Copy): Promise<void> {
  await runInDurableObject(objectOf(session), (_, state) => putBack(state, copy))
  await runInDurableObject(objectOf(session), (_, state) => state.abort('put back')).catch(() => undefined)
}

/** Ends the grace of contents that nothing refers to. */
async function collect(): Promise<void> {
  const tenant = env.TENANTS.getByName(TENANT)
  await runInDurableObject(tenant, async (_, { storage }) => {
    storage.sql.exec('UPDATE blobs SET unreferenced_since = unreferenced_since - ?', BLOB_GRACE_MS)
    // An alarm of its own that is under way would be met.
    await storage.setAlarm(Date.now() + 60_000)
  })
  expect(await runDurableObjectAlarm(tenant)).toBe(true)
}

describe('POST /admin/tenants/{tenant}/sessions/{session}/recovery', () => {
  it('makes a session whole that was deleted by mistake, and its contents stay', async () => {
    await aSession('deleted')
    const copy = await copyOf('deleted')
    await done('DELETE', '/v1/sessions/deleted')
    expect((await send('GET', '/v1/sessions/deleted')).status).toBe(404)
    await setBack('deleted', copy)

    expect(await recover('deleted', {})).toMatchObject({
      session: 'deleted',
      set_back: null,
      commit: 1,
      contents: { held: 1, missing: 0 },
      missing_files: [],
    })
    await collect()
    expect(await textOf('deleted', 'a.txt')).toBe('small deleted')
    expect(await textOf('deleted', 'deep/large.txt')).toBe(large('deleted'))
    expect(await done('GET', '/v1/sessions?limit=100')).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ name: 'deleted' })]),
    })
  })

  it('names the files whose contents were collected meanwhile, and takes the same content again', async () => {
    await aSession('late')
    const copy = await copyOf('late')
    await done('DELETE', '/v1/sessions/late')
    await collect()
    await setBack('late', copy)

    expect(await recover('late', {})).toMatchObject({
      contents: { held: 0, missing: 1 },
      missing_files: ['deep/large.txt'],
    })
    expect(await textOf('late', 'a.txt')).toBe('small late')
    expect((await send('GET', '/v1/sessions/late/files/deep/large.txt')).status).toBeGreaterThanOrEqual(400)
    await write('late', 'deep/large.txt', large('late'))
    expect(await textOf('late', 'deep/large.txt')).toBe(large('late'))
    expect(await recover('late', {})).toMatchObject({ contents: { held: 1, missing: 0 }, missing_files: [] })
  })

  it('brings back what ended by a lifetime, and does not end it again', async () => {
    await done('POST', '/v1/sessions', { name: 'ended', lifetime_seconds: 3_600, idle_lifetime_seconds: 60 })
    await runInDurableObject(objectOf('ended'), (_, { storage: { sql } }) => {
      const [{ record }] = sql.exec<{ record: string }>('SELECT record FROM session').toArray() as [{ record: string }]
      const createdAt = Date.now() - 7_200_000
      sql.exec(
        'UPDATE session SET record = ?',
        JSON.stringify({ ...JSON.parse(record), createdAt, touchedAt: createdAt }),
      )
    })
    const copy = await copyOf('ended')
    await setBack('ended', copy)
    await recover('ended', {})
    await runInDurableObject(objectOf('ended'), (_, { storage }) => storage.setAlarm(Date.now() + 60_000))
    await runDurableObjectAlarm(objectOf('ended'))
    expect(await done('GET', '/v1/sessions/ended')).toMatchObject({ lifetime_seconds: null, idle_lifetime_seconds: 60 })
  })

  it('has the calls of a session that was set back counted again', async () => {
    await aSession('counted')
    const copy = await copyOf('counted')
    const used = async () => {
      const { data } = await done('GET', '/v1/usage?group_by=session')
      return (data as { key?: unknown; calls: number }[]).find((row) => JSON.stringify(row).includes('counted'))?.calls
    }
    for (const number of [1, 2, 3]) await write('counted', 'a.txt', `${number}`)
    await expect.poll(used).toBe(3)
    await setBack('counted', copy)
    await recover('counted', {})
    await write('counted', 'a.txt', 'again')
    await expect.poll(used).toBe(4)
  })

  it('sets an object back by the platform, and leads back to the state before', async () => {
    await aSession('platform')
    const before = await copyOf('platform')
    const at = new Date().toISOString()
    await write('platform', 'deep/large.txt', large('changed'))
    const after = await copyOf('platform')
    const states: Record<string, Copy> = { b0: before, a0: after }
    const requested: unknown[] = []
    /** Has the object's storage do as the platform's, which keeps earlier states: the next start finds the one that was chosen. */
    const keepStates = () =>
      runInDurableObject(objectOf('platform'), (_, state) => {
        state.storage.getBookmarkForTime = async (time) => {
          requested.push(time)
          return 'b0'
        }
        state.storage.onNextSessionRestoreBookmark = async (bookmark) => {
          const chosen = states[bookmark]
          if (!chosen) throw new Error('Invalid bookmark')
          await putBack(state, chosen)
          return bookmark === 'b0' ? 'a0' : 'b0'
        }
      })

    await keepStates()
    expect(await recover('platform', { at })).toMatchObject({
      set_back: { bookmark: 'b0', undo_bookmark: 'a0' },
      commit: 1,
      contents: { held: 1, missing: 0 },
    })
    expect(requested).toEqual([Date.parse(at)])
    expect(await textOf('platform', 'deep/large.txt')).toBe(large('platform'))

    await keepStates()
    expect(await recover('platform', { bookmark: 'a0' })).toMatchObject({ commit: 2, contents: { missing: 0 } })
    expect(await textOf('platform', 'deep/large.txt')).toBe(large('changed'))

    await keepStates()
    const unknown = await send('POST', `/admin/tenants/${TENANT}/sessions/platform/recovery`, { bookmark: 'c0' })
    expect({ status: unknown.status, problem: await unknown.json() }).toMatchObject({
      status: 400,
      problem: { detail: expect.stringContaining('30 days') },
    })
    expect(await textOf('platform', 'deep/large.txt')).toBe(large('changed'))
  })

  it('says where no earlier states are kept what to do, and changes nothing', async () => {
    await aSession('local')
    const answer = await send('POST', `/admin/tenants/${TENANT}/sessions/local/recovery`, {
      at: new Date().toISOString(),
    })
    expect({ status: answer.status, problem: await answer.json() }).toMatchObject({
      status: 409,
      problem: { detail: expect.stringContaining('put back a copy') },
    })
    expect(await textOf('local', 'a.txt')).toBe('small local')
  })

  it('refuses two moments at once, and a session that never was', async () => {
    const both = { at: new Date().toISOString(), bookmark: 'b0' }
    expect((await send('POST', `/admin/tenants/${TENANT}/sessions/none/recovery`, both)).status).toBe(400)
    expect((await send('POST', `/admin/tenants/${TENANT}/sessions/none/recovery`, {})).status).toBe(404)
  })
})
