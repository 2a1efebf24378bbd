import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { MAX_HELD_UPLOAD_BYTES } from '../../src/core/limits/files.ts'
import { sessionClient } from '../../src/objects.ts'
import type { SessionRecord } from '../../src/session/record.ts'

const TENANT = 'dev'

async function ask(method: string, path: string, body?: unknown) {
  const response = await exports.default.fetch(`http://localhost/v1/sessions${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

async function aSession(body: object = {}): Promise<string> {
  const { status, body: made } = await ask('POST', '', body)
  expect(status).toBe(201)
  return made.name
}

const stubOf = (name: string) => env.SESSIONS.getByName(`${TENANT}/${name}`)
const called = (name: string, tool: string, args: object) =>
  exports.default.fetch(`http://localhost/v1/sessions/${name}/calls`, {
    method: 'POST',
    body: JSON.stringify({ tool, args }),
  })

/** Lets that much time pass for a session, by moving all that it notes into the past, and starts its object anew. */
async function later(name: string, seconds: number): Promise<void> {
  const earlier = (ms: number | undefined) => (ms === undefined ? {} : ms - seconds * 1_000)
  await runInDurableObject(stubOf(name), (_, { storage }) => {
    const [row] = storage.sql.exec('SELECT record FROM session').toArray()
    const record = JSON.parse(String(row?.record)) as SessionRecord
    const aged = { ...record, createdAt: earlier(record.createdAt), touchedAt: earlier(record.touchedAt ?? 0) }
    storage.sql.exec('UPDATE session SET record = ?', JSON.stringify(aged))
    storage.sql.exec('UPDATE workspace_commits SET at = at - ?', seconds * 1_000)
    storage.sql.exec(
      'UPDATE calls SET started_at = started_at - ?, ended_at = ended_at - ?',
      seconds * 1_000,
      seconds * 1_000,
    )
  })
  await evictDurableObject(stubOf(name))
}

it('a session is made with a name that says what it is, and everything that was asked for', async () => {
  const plain = await ask('POST', '', {})
  expect(plain.status).toBe(201)
  expect(plain.body.name).toMatch(/^ses_[0-9a-f]{24}$/)
  expect(plain.headers.get('Location')).toBe(`/v1/sessions/${plain.body.name}`)

  const name = `otters/${crypto.randomUUID()}`
  const path = `/${encodeURIComponent(name)}`
  const made = await ask('POST', '', {
    name,
    title: 'Otters',
    requirements: ['numpy>=2', 'pandas'],
    directories: ['data/raw', 'upload'],
    files: [{ path: 'notes/a.txt', text: 'é' }],
    lifetime_seconds: 3_600,
    idle_lifetime_seconds: 600,
    labels: { env: 'test', 'team.example/name': '' },
  })
  expect(made).toMatchObject({ status: 201 })
  expect(made.body).toEqual({
    name,
    title: 'Otters',
    state: 'ready',
    state_since: null,
    labels: { env: 'test', 'team.example/name': '' },
    internet: true,
    lifetime_seconds: 3_600,
    idle_lifetime_seconds: 600,
    created_at: expect.any(String),
    last_used_at: expect.any(String),
    expires_at: new Date(Date.parse(made.body.last_used_at) + 600_000).toISOString(),
    on_expiry: 'delete',
    requirements: ['numpy>=2', 'pandas'],
    forked_from: null,
    files: { entries: 8, directories: 7, bytes: 2 },
    running_calls: [],
    environment: null,
  })
  expect((await ask('GET', path)).body).toEqual(made.body)
  const read = await called(encodeURIComponent(name), 'file_read', { file_path: 'notes/a.txt' })
  expect(await read.json()).toMatchObject({ state: 'done', data: { content: 'é' } })
  for (const one of [plain.body.name, encodeURIComponent(name)]) await ask('DELETE', `/${one}`)
})

it('a name that is taken is a conflict that names the session, unless the caller takes it as it is', async () => {
  const name = await aSession({ title: 'first' })
  const again = await ask('POST', '', { name, title: 'second' })
  expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect(again.body.detail).toContain(`GET /v1/sessions/${name}`)
  const taken = await ask('POST', '?if_exists=return', { name, title: 'second' })
  expect(taken).toMatchObject({ status: 200, body: { name, title: 'first' } })
  await ask('DELETE', `/${name}`)
})

it.each([
  [{ nmae: 'x' }, 'nmae'],
  [{ name: '' }, 'name'],
  [{ lifetime_seconds: 59 }, 'lifetime_seconds'],
  [{ idle_lifetime_seconds: 1e9 }, 'idle_lifetime_seconds'],
  [{ internet: [] }, 'internet'],
  [{ internet: Array.from({ length: 51 }, (_, at) => `a${at}.example`) }, 'internet'],
  [{ internet: ['1.2.3.4'] }, '"1.2.3.4" is no host name'],
  [{ internet: ['example.com', 'https://a.b'] }, '"https://a.b" is no host name'],
  [{ labels: { 'a:b': 'x' } }, 'labels'],
  [{ labels: { a: 'x,y' } }, 'labels'],
  [{ labels: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`l${at}`, ''])) }, 'MAX_LABELS'],
  [{ requirements: ['--index-url http://x'] }, 'option of pip'],
  [{ requirements: ['numpy'], internet: false }, '"internet": false'],
  [{ files: [{ path: '../x', text: '' }] }, '../x'],
])('refuses %j, and names what is wrong', async (body, named) => {
  const { status, body: problem } = await ask('POST', '', body)
  expect([status, problem.code, problem.detail]).toEqual([400, 'invalid_input', expect.stringContaining(named)])
})

it('a deleted session is gone with its files, and deleting it again finds none', async () => {
  const name = await aSession({ files: [{ path: 'a', text: 'x' }] })
  expect((await ask('DELETE', `/${name}`)).status).toBe(204)
  for (const method of ['DELETE', 'GET'] as const)
    expect(await ask(method, `/${name}`)).toMatchObject({ status: 404, body: { code: 'session_not_found' } })
  expect(await runInDurableObject(stubOf(name), (_, { storage }) => storage.getAlarm())).toBeNull()
  await aSession({ name })
  expect((await called(name, 'file_read', { file_path: 'a' })).status).toBe(200)
  expect((await ask('GET', `/${name}`)).body.files.bytes).toBe(0)
  await ask('DELETE', `/${name}`)
})

it('what is changed of a session is so in the session and in the list, and the rest stays', async () => {
  const name = await aSession({ title: 'a', labels: { env: 'test', of: 'me' }, idle_lifetime_seconds: 600 })
  const changed = await ask('PATCH', `/${name}`, { labels: { env: null, team: 'x' }, lifetime_seconds: 7_200 })
  expect(changed).toMatchObject({
    status: 200,
    body: { title: 'a', labels: { of: 'me', team: 'x' }, lifetime_seconds: 7_200, idle_lifetime_seconds: 600 },
  })
  const { body } = await ask('GET', '?labels=of:me,team:x')
  expect(body.data).toEqual([
    expect.objectContaining({ name, labels: { of: 'me', team: 'x' }, lifetime_seconds: 7_200 }),
  ])
  expect((await ask('GET', '?labels=env:test,of:me')).body.data).toEqual([])

  const forever = await ask('PATCH', `/${name}`, {
    lifetime_seconds: null,
    idle_lifetime_seconds: null,
    internet: false,
  })
  expect(forever.body).toMatchObject({ expires_at: null, lifetime_seconds: null, internet: false })
  const listed = await ask('PATCH', `/${name}`, { internet: ['PyPI.org', '*.example.org', 'pypi.org'] })
  expect(listed.body).toMatchObject({ internet: ['*.example.org', 'pypi.org'] })
  expect((await ask('GET', `/${name}`)).body).toMatchObject({ internet: ['*.example.org', 'pypi.org'] })
  expect((await ask('GET', '?labels=of:me,team:x')).body.data).toEqual([
    expect.objectContaining({ name, internet: ['*.example.org', 'pypi.org'] }),
  ])
  expect((await ask('PATCH', `/${name}`, { nothing: 1 })).body.detail).toContain('nothing')
  expect((await ask('PATCH', '/none-there', { title: 'x' })).status).toBe(404)
  await ask('DELETE', `/${name}`)
})

it('a lifetime that is over already is refused, so that no change deletes a session by mistake', async () => {
  const name = await aSession()
  await later(name, 120)
  expect(await ask('PATCH', `/${name}`, { lifetime_seconds: 60 })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('lifetime_seconds') },
  })
  expect((await ask('PATCH', `/${name}`, { lifetime_seconds: 180 })).status).toBe(200)
  await ask('DELETE', `/${name}`)
})

it.each([
  ['lifetime_seconds', 'lifetime_seconds were over'],
  ['idle_lifetime_seconds', 'nobody used it'],
] as const)('a session is deleted by its own alarm after its %s, over a restart too', async (lifetime, why) => {
  const name = await aSession({ [lifetime]: 3_600, labels: { kind: lifetime }, files: [{ path: 'a', text: 'x' }] })
  // The first alarm flushes, and plans the next one for the end.
  await runDurableObjectAlarm(stubOf(name))
  const planned = await runInDurableObject(stubOf(name), (_, { storage }) => storage.getAlarm())
  expect(planned).toBeLessThanOrEqual(Date.now() + 3_600_000)
  await later(name, 3_500)
  await runDurableObjectAlarm(stubOf(name))
  expect((await ask('GET', `/${name}`)).status).toBe(200)

  await later(name, 101)
  await runDurableObjectAlarm(stubOf(name))
  const { status, body } = await ask('GET', `/${name}`)
  expect([status, body.code]).toEqual([404, 'session_not_found'])
  expect(body.detail).toContain(why)
  expect((await ask('GET', `?labels=kind:${lifetime}`)).body.data).toEqual([])
  expect(await runInDurableObject(stubOf(name), (_, { storage }) => storage.sql.databaseSize)).toBeLessThan(10_000)
})

it('each call puts the end of an idle lifetime off, but not that of the whole one', async () => {
  const idle = await aSession({ idle_lifetime_seconds: 600 })
  const total = await aSession({ lifetime_seconds: 600 })
  for (const name of [idle, total]) {
    await later(name, 500)
    await called(name, 'file_write', { file_path: 'a', content: 'x' })
    await later(name, 500)
    await runDurableObjectAlarm(stubOf(name))
  }
  expect((await ask('GET', `/${idle}`)).status).toBe(200)
  expect((await ask('GET', `/${total}`)).status).toBe(404)
  await ask('DELETE', `/${idle}`)
})

it('a file that comes by no call is use of the session, in its list too, though its commit is dropped later', async () => {
  const name = await aSession({ idle_lifetime_seconds: 3_600, labels: { kind: 'uploaded' } })
  await later(name, 3_000)
  await sessionClient(() => stubOf(name)).files.upload('a.txt', new TextEncoder().encode('x'))
  await runDurableObjectAlarm(stubOf(name))
  await runInDurableObject(stubOf(name), (_, { storage }) => void storage.sql.exec('DELETE FROM workspace_commits'))
  const { expires_at } = (await ask('GET', `/${name}`)).body
  expect(Date.parse(expires_at)).toBeGreaterThan(Date.now() + 3_500_000)
  expect((await ask('GET', '?labels=kind:uploaded')).body.data).toMatchObject([{ name, expires_at }])
  await ask('DELETE', `/${name}`)
})

it('a session of a published dialect does not expire without a default of its tenant, and is in the list as any other', async () => {
  const name = `t-${crypto.randomUUID()}`
  await exports.default.fetch(`http://localhost/api/task/create?task_id=${name}&task_name=Plain`, { method: 'POST' })
  await later(name, 10 * 365 * 24 * 3_600)
  await runDurableObjectAlarm(stubOf(name))
  expect((await ask('GET', `/${name}`)).body).toMatchObject({
    title: 'Plain',
    expires_at: null,
    labels: {},
    internet: true,
  })
  await ask('DELETE', `/${name}`)
})

it('a list says where its next page begins, and refuses what is no cursor, label or filter of it', async () => {
  const label = `l${Date.now()}`
  const names: string[] = []
  for (let n = 0; n < 3; n++) names.unshift(await aSession({ labels: { [label]: 'x' } }))
  const first = await ask('GET', `?labels=${label}:x&limit=2`)
  expect(first.body.data).toHaveLength(2)
  const second = await ask('GET', `?labels=${label}:x&limit=2&cursor=${encodeURIComponent(first.body.next_cursor)}`)
  expect(second.body.next_cursor).toBeNull()
  const listed = [...first.body.data, ...second.body.data].map(({ name }) => name)
  expect(listed.toSorted()).toEqual(names.toSorted())
  for (const query of ['cursor=x', 'labels=env', 'state=dead', 'limit=201', 'label=a:b'])
    expect([query, (await ask('GET', `?${query}`)).status]).toEqual([query, 400])
  for (const name of names) await ask('DELETE', `/${name}`)
})

it('content of a file that was refused after it came is given up by an alarm, even if nobody ever comes again', async () => {
  const name = await aSession()
  await runInDurableObject(stubOf(name), (_, { storage }) => storage.deleteAlarm())
  await evictDurableObject(stubOf(name))
  const content = 'x'.repeat(MAX_HELD_UPLOAD_BYTES + 1)
  const answer = await exports.default.fetch(`http://localhost/v1/sessions/${name}/files/a.txt`, {
    method: 'PUT',
    headers: { 'Content-Digest': `sha-256=:${btoa('y'.repeat(32))}:`, 'Content-Length': `${content.length}` },
    body: new Blob([content]).stream(),
  })
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('SHA-256')])
  const stored = () =>
    runInDurableObject(stubOf(name), (_, { storage }) =>
      storage.sql.exec('SELECT size, refs FROM workspace_blobs').toArray(),
    )
  expect(await stored()).toEqual([{ size: content.length, refs: 0 }])
  expect(await runDurableObjectAlarm(stubOf(name))).toBe(true)
  expect(await stored()).toEqual([])
})
