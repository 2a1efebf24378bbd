import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LAZY_TABLES } from '../../src/migrations/session/lazy-tables.ts'
import { leasesClient, sessionClient, tenantClient } from '../../src/objects.ts'
import { failureOf } from '../support/failure-of.ts'
import { rowsOf, schemaOf } from '../support/schema-of.ts'

const NEWER = {
  code: 'unavailable',
  message: expect.stringMatching(/newer version of the server.*nothing was changed/),
}
const WRITE = { tool: 'file_write', args: { file_path: 'a.txt', content: 'of before' } }
const READ = { tool: 'file_read', args: { file_path: 'a.txt' } }
const SPEC = { title: '', requirements: [], directories: [], files: [] }

type Stub = DurableObjectStub<undefined>

/** What the owner of the server is told. */
const warnings: unknown[] = []
beforeEach(() => {
  warnings.splice(0)
  vi.spyOn(console, 'warn').mockImplementation((line) => void warnings.push(line))
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => void vi.restoreAllMocks())

const inObject = <T>(stub: Stub, look: (storage: DurableObjectStorage) => T) =>
  runInDurableObject(stub, (_, { storage }) => look(storage))
const run = (stub: Stub, ...statements: string[]) =>
  inObject(stub, ({ sql }) => {
    for (const statement of statements) sql.exec(statement)
  })
/** Everything that an object keeps. */
const kept = (stub: Stub) =>
  inObject(stub, ({ sql }) => {
    const database = { all: (query: string) => sql.exec(query).toArray() as never[] }
    return { schema: schemaOf(database), rows: rowsOf(database) }
  })

/** Makes an object look as if code had opened it that has more migrations than this. */
async function makeNewer(stub: Stub): Promise<void> {
  await run(stub, `INSERT INTO migrations VALUES (9000, '9000-later', 1)`, 'CREATE TABLE later (x)')
  await evictDurableObject(stub)
}

async function aSession() {
  const tenant = `t-${crypto.randomUUID()}`
  const session = env.SESSIONS.getByName(`${tenant}/s`)
  await session.create(SPEC)
  await session.call(WRITE)
  return { session, tenant: env.TENANTS.getByName(tenant) }
}

it('a session that newer code opened refuses everything, changes nothing, and goes on under newer code', async () => {
  const { session } = await aSession()
  await makeNewer(session)
  const before = await kept(session)
  const client = sessionClient(() => session)

  expect(await client.call(READ)).toMatchObject({ kind: 'failed', failure: NEWER })
  expect(await client.create(SPEC)).toMatchObject({ failure: NEWER })
  expect(await failureOf(client.info())).toMatchObject(NEWER)
  expect(await failureOf(client.remove())).toMatchObject(NEWER)
  expect(await failureOf(client.files.upload('b.txt', new Uint8Array(1)))).toMatchObject(NEWER)
  expect(await runDurableObjectAlarm(session)).toBe(true)
  expect(await kept(session)).toEqual(before)
  expect(await inObject(session, (storage) => storage.getAlarm())).not.toBeNull()
  expect(warnings).toEqual([expect.stringMatching(/a session has tables of version 9000.*start the version/)])

  await run(session, 'DELETE FROM migrations WHERE number = 9000')
  await evictDurableObject(session)
  expect(await session.call(READ)).toMatchObject({ kind: 'done', result: { data: { content: 'of before' } } })
})

it('a tenant that newer code opened refuses everything and changes nothing', async () => {
  const { tenant } = await aSession()
  await makeNewer(tenant)
  const before = await kept(tenant)
  const client = tenantClient(() => tenant)
  expect(await failureOf(client.sessions.list({ limit: 1 }))).toMatchObject(NEWER)
  expect(await failureOf(client.secrets.put('A', 'b', { key: null, agent: null }))).toMatchObject(NEWER)
  expect(await kept(tenant)).toEqual(before)
})

it('no sandbox is leased where newer code opened the leases', async () => {
  const leases = env.LEASES.getByName(crypto.randomUUID())
  await leases.release('nobody/s')
  await makeNewer(leases)
  const before = await kept(leases)
  const lease = leasesClient(() => leases).acquire({ holder: 'a/b', holdMs: 1, waitMs: 1, hostIsFull: false })
  expect(await failureOf(lease)).toMatchObject(NEWER)
  expect(await kept(leases)).toEqual(before)
})

/** What later versions changed in tables that the first one had. */
const BACK_TO_THE_FIRST = [
  'DROP TRIGGER workspace_small_write',
  'DROP VIEW workspace_small_writes',
  'ALTER TABLE calls DROP COLUMN end_number',
  'ALTER TABLE calls DROP COLUMN usage',
  'CREATE INDEX workspace_changes_by_path ON workspace_changes (path, seq)',
  ...['restored', 'grown_entries', 'grown_bytes', 'local_bytes'].map(
    (name) => `ALTER TABLE workspace_commits DROP COLUMN ${name}`,
  ),
  `ALTER TABLE workspace_entries ADD COLUMN parent TEXT GENERATED ALWAYS AS (rtrim(rtrim(path, replace(path, '/', '')), '/')) VIRTUAL`,
  'CREATE INDEX workspace_entries_by_parent ON workspace_entries (parent, path)',
  'ALTER TABLE workspace_state DROP COLUMN sent_to',
  'DROP INDEX workspace_blobs_cut_off',
  `CREATE INDEX workspace_blobs_unsent ON workspace_blobs (hash) WHERE remote <> 'yes'`,
  'ALTER TABLE workspace_blobs DROP COLUMN local',
  'CREATE TABLE contents AS SELECT * FROM workspace_contents',
  'DROP TABLE workspace_contents',
  `CREATE TABLE workspace_contents (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, content BLOB NOT NULL
  ) STRICT`,
  'INSERT INTO workspace_contents SELECT * FROM contents',
  'DROP TABLE contents',
]

it('a session from before its versions were counted is brought to the tables of today, with its rows', async () => {
  const { session } = await aSession()
  // It had packages.
  await run(session, ...LAZY_TABLES.distributions)
  const { schema } = await kept(session)
  await run(
    session,
    'DROP TABLE migrations',
    'DROP TABLE limits_lease',
    'DROP TABLE distributions',
    'CREATE TABLE distributions (pin TEXT PRIMARY KEY) STRICT',
    `INSERT INTO distributions VALUES ('tiny==1.0')`,
    ...BACK_TO_THE_FIRST,
  )
  await evictDurableObject(session)
  expect(await session.call(READ)).toMatchObject({ kind: 'done', result: { data: { content: 'of before' } } })
  const after = await kept(session)
  expect(after.schema).toEqual(schema)
  expect(after.rows.distributions).toEqual([{ pin: 'tiny==1.0', direct: 0, missing: 0 }])
})

it('asking for a session that there is not writes nothing, and each answer says so by its code', async () => {
  const session = env.SESSIONS.getByName(`t-${crypto.randomUUID()}/s`)
  expect(await session.info()).toBeNull()
  expect(await session.call(READ)).toMatchObject({ kind: 'refused', failure: { code: 'session_not_found' } })
  const { files, calls, tools, people, nodes } = sessionClient(() => session)
  const node = 'a'.repeat(64)
  for (const request of [
    () => files.download('a.txt'),
    () => files.archive(),
    () => files.upload('a.txt', new Uint8Array(1)),
    () => calls.page({ limit: 1 }),
    () => calls.find('c0'),
    () => calls.follow({ callId: 'c0', after: 0, patienceMs: 1 }),
    () => calls.cancel('c0'),
    () => tools.list(),
    () => people.list(),
    () => people.answer('h0', { completed: true, result: null }),
    () => nodes.visit(node),
    () => nodes.close(node),
    () => nodes.reconnect(node),
  ]) {
    expect(await failureOf(request(), String(request))).toMatchObject({ code: 'session_not_found' })
  }
  expect((await kept(session)).schema).toEqual([])
})
