import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tenantId } from '../../../src/core/ids.ts'
import { USUAL_SETTINGS } from '../../../src/core/session-settings.ts'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import { History } from '../../../src/session/history.ts'
import { SecretBox } from '../../../src/tenant/secret-box.ts'
import { SessionWorkspace } from '../../../src/workspace/workspace.ts'
import { earlierState, seenThen } from '../../e2e/earlier-state/state.ts'
import { MemoryBlobs } from '../../support/blobs-memory.ts'
import { schemaOf } from '../../support/schema-of.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'
import { openTenant } from '../tenant/open.ts'

/** When the state was left. */
const THEN = Date.parse('2026-11-22T14:49:00Z')

/** Databases of one kind of object in the state, the largest first. */
function databasesOf(state: string, kind: string): NodeSql[] {
  const directory = join(state, 'worker/v3/do', `toolyard-${kind}`)
  const files = readdirSync(directory).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
  return files.map((name) => new NodeSql(join(directory, name)))
}

const numberOf = (of: readonly { readonly name: string | null; readonly calls: number; readonly failed: number }[]) =>
  of.map(({ name, calls, failed }) => ({ name, calls, failed }))

it('a tenant that an earlier version left has its tools, limits, use, audit log and secrets', async () => {
  const state = earlierState()
  const isDev = (sql: NodeSql) => sql.all<{ name: string }>('SELECT name FROM tenant')[0]?.name === 'dev'
  const sql = databasesOf(state, 'TenantObject').find(isDev) ?? expect.unreachable()
  const box = new SecretBox(readFileSync(join(state, 'secrets-key'), 'utf8').trim())
  const { tenant, time } = openTenant(null, sql, { tenant: tenantId('dev'), box })
  time.now = THEN
  const then = seenThen()

  expect((await tenant.audit.page({ after: 0, limit: 1_000 })).lines).toEqual(String(then.audit).trim().split('\n'))
  const used = await tenant.usage.read({
    from: Date.parse('2026-11-22') / 3_600_000,
    to: Date.parse('2026-11-23') / 3_600_000,
    groupBy: 'tool',
    where: {},
    limit: 100,
  })
  const groups = (then.usage as { groups: { tool: string; calls: number; failed: number }[] }).groups
  expect(numberOf(used.groups)).toEqual(numberOf(groups.map(({ tool, ...rest }) => ({ name: tool, ...rest }))))
  expect(await tenant.secrets.open('WEATHER_KEY')).toBe('a secret that is kept')
  expect((await tenant.tools.list({ limit: 10 })).tools.map(({ definition }) => definition.id)).toEqual([
    'weather.now',
    'echo',
  ])
  expect(await tenant.tools.find('weather.now@^1')).toMatchObject({ version: 1, latest: 2 })
  expect((await tenant.limits.read()).rules).toMatchObject([{ scope: 'tenant', per_minute: 6000, concurrency: 200 }])
})

it('sessions that an earlier version left are in the list with their states, and have the settings that all had then', async () => {
  const counts = databasesOf(earlierState(), 'TenantObject').map(async (sql) => {
    const { tenant } = openTenant(null, sql)
    const listed = (await tenant.sessions.list({ limit: 100 })).sessions
    const { sessions } = await tenant.sessions.browse({ limit: 100, labels: [] })
    expect(sessions.toReversed()).toEqual(
      listed.map(({ name, title, createdAt }) => ({
        ...{ name, title, createdAt, state: 'ready', stateAt: null, usedAt: expect.any(Number) },
        settings: USUAL_SETTINGS,
      })),
    )
    for (const { createdAt, usedAt } of sessions) expect(usedAt).toBeGreaterThanOrEqual(createdAt)
    return sessions.length
  })
  expect((await Promise.all(counts)).reduce((one, other) => one + other)).toBeGreaterThan(0)
})

it('a session that an earlier version left has its files, their history, locks and calls', async () => {
  const [sql = expect.unreachable()] = databasesOf(earlierState(), 'SessionObject')
  openSessionTables(sql)
  const workspace = new SessionWorkspace({
    sql,
    blobs: new MemoryBlobs().forSession('node'),
    clock: { now: () => THEN },
    callId: () => 'call',
  })
  const paths = [...workspace.entries()].map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['empty', 'large.txt', 'notes', 'notes/a.txt']))
  expect(paths).not.toContain('gone.txt')
  const versions = await Promise.all(
    // The first commit made the session's own directories.
    [2, 3, 4].map(async (seq) => {
      const entry = workspace.entryAsOf(workspacePath('notes/a.txt'), seq)
      return entry?.kind === 'file' && new TextDecoder().decode((await workspace.readBlob(entry.hash)) ?? undefined)
    }),
  )
  expect(versions).toEqual(['first', 'second', 'third'])
  expect(workspace.locks.list()).toMatchObject([{ path: 'notes/a.txt', name: 'editor' }])
  const { calls } = seenThen().calls as { readonly calls: { readonly call_id: string; readonly tool: string }[] }
  const history = new History(sql, () => 0).page({ limit: 100 }).calls
  expect(history.map(({ callId, tool }) => ({ call_id: callId, tool }))).toEqual(
    calls.map(({ call_id, tool }) => ({ call_id, tool })),
  )
})

it('a tenant whose tools are from before their versions were compared lists and calls them, and changes them', async () => {
  const sql = new NodeSql()
  const kept = readFileSync(join(import.meta.dirname, 'tenant-before-comparisons.sql'), 'utf8')
  for (const statement of kept.split('\n').filter((line) => /^[A-Z]/.test(line))) sql.all(statement)
  const { tenant } = openTenant(null, sql)
  const fresh = openTenant()

  expect(schemaOf(sql)).toEqual(schemaOf(fresh.sql))
  const { tools } = await tenant.tools.list({ limit: 10 })
  expect(tools).toMatchObject([
    { version: 2, definition: { id: 'weather.now', description: 'Says it better.' } },
    { version: 1, definition: { id: 'other' }, policy: { enabled: false, allowed_agents: ['sofia'] } },
  ])
  // Whether the second breaks callers of the first cannot be told any more, so they stay with the first.
  expect(await tenant.tools.find('weather.now@^1')).toMatchObject({ version: 1 })
  expect((await tenant.tools.since(0)).tools.map(({ id }) => id)).toEqual(['weather.now', 'other'])
  expect(await tenant.secrets.open('A')).toBe('kept secret')
  const [tool = expect.unreachable()] = tools
  const put = { op: 'put', definition: { ...tool.definition, description: 'Third.' } } as const
  expect(await tenant.tools.change([put], { key: null, agent: null })).toMatchObject([{ version: 3 }])
  expect((await tenant.sessions.list({ limit: 10 })).sessions).toMatchObject([{ name: 'kept' }])
})
