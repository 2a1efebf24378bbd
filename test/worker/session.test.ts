import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { EXPIRE_AGAIN_MS, EXPIRE_BATCH_COMMITS, EXPIRE_BATCHES, MAX_COMMITS } from '../../src/core/limits/workspace.ts'
import { ToolDefinition } from '../../src/registry/definition.ts'
import { tenantOf } from '../support/tenant-of.ts'

it('a session drops its history beyond the limit faster than it can grow, in steps that leave room for calls', async () => {
  const stub = env.SESSIONS.getByName(`t-${crypto.randomUUID()}/s`)
  await stub.create({ title: '', requirements: [], directories: [], files: [] })
  const sql = <Row>(query: string, ...params: number[]) =>
    runInDurableObject(stub, (_, { storage }) => storage.sql.exec(query, ...params).toArray() as Row[])
  const commits = async () =>
    (await sql<{ count: number }>('SELECT count(*) AS count FROM workspace_commits'))[0]?.count
  const perAlarm = EXPIRE_BATCHES * EXPIRE_BATCH_COMMITS
  const tooMany = perAlarm + 700
  await sql(
    `INSERT INTO workspace_commits (seq, call_id, at, changed, superseded_bytes)
       WITH RECURSIVE n(seq) AS (VALUES (1) UNION ALL SELECT seq + 1 FROM n WHERE seq < ?1) SELECT seq, 'c', ?2, 0, 0 FROM n`,
    MAX_COMMITS + tooMany,
    Date.now(),
  )
  await sql('UPDATE workspace_state SET head = ?', MAX_COMMITS + tooMany)

  expect(await runDurableObjectAlarm(stub)).toBe(true)
  expect(await commits()).toBe(MAX_COMMITS + tooMany - perAlarm)
  const next = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())
  expect(next).toBeLessThanOrEqual(Date.now() + EXPIRE_AGAIN_MS)
  expect(await runDurableObjectAlarm(stub)).toBe(true)
  expect(await commits()).toBe(MAX_COMMITS)
  await stub.remove()
})

it('a session that is removed while its tenant does not hear of its last calls stays until they are counted', async () => {
  const name = `t-${crypto.randomUUID()}`
  const [tenant, session] = [env.TENANTS.getByName(name), env.SESSIONS.getByName(`${name}/s`)]
  const definition = ToolDefinition.parse({
    id: 'inner',
    name: 'inner',
    description: '',
    input_schema: {},
    executor: { kind: 'http', target: 'http://10.0.0.1/' },
  })
  await tenantOf(name).tools.change([{ op: 'put', definition, policy: {} }], { key: null, agent: null })
  await session.create({ title: '', requirements: [], directories: [], files: [] })
  const inTenant = (query: string) => runInDurableObject(tenant, (_, { storage }) => void storage.sql.exec(query))
  const counted = async () => {
    const report = await tenantOf(name).usage.read({ from: 0, to: 1e9, groupBy: null, where: {}, limit: 1 })
    return report.total.calls
  }

  await inTenant('ALTER TABLE usage RENAME TO away')
  const call = { tool: 'registered_call', args: { tool_id: 'inner', args: {} } }
  expect(await session.call(call)).toMatchObject({ kind: 'failed', failure: { code: 'forbidden' } })
  expect(await session.remove()).toBe(true)
  expect(await session.info()).toBe(null)

  await inTenant('ALTER TABLE away RENAME TO usage')
  expect(await counted()).toBe(0)
  for (let time = 0; time < 2; time++) await runDurableObjectAlarm(session)
  expect(await counted()).toBe(1)
  expect(await tenantOf(name).sessions.list({ limit: 10 })).toEqual({ sessions: [] })
})

it('a tool is not called by a session any more once its change was answered, however often the session called it before', async () => {
  const name = `t-${crypto.randomUUID()}`
  const [tenant, session] = [tenantOf(name), env.SESSIONS.getByName(`${name}/s`)]
  const definition = ToolDefinition.parse({
    id: 'inner',
    name: 'inner',
    description: '',
    input_schema: {},
    // Refused by the guarded port, which is asked for calls that began.
    executor: { kind: 'http', target: 'http://10.0.0.1/' },
  })
  const change = (change: Parameters<typeof tenant.tools.change>[0][number]) =>
    tenant.tools.change([change], { key: null, agent: null })
  await change({ op: 'put', definition })
  await session.create({ title: '', requirements: [], directories: [], files: [] })
  const call = () => session.call({ tool: 'registered_call', args: { tool_id: 'inner', args: {} } })
  const counted = async () =>
    (await tenant.usage.read({ from: 0, to: 1e9, groupBy: null, where: {}, limit: 1 })).total.calls
  expect(await call()).toMatchObject({ kind: 'failed' })
  await expect.poll(counted).toBe(1) // reported, and answered with a lease of the tools

  expect(await call()).toMatchObject({ kind: 'failed', failure: { code: 'forbidden' } })

  await change({ op: 'policy', id: 'inner', policy: { enabled: false } })
  expect(await call()).toMatchObject({ kind: 'refused', failure: { message: 'Tool is disabled: inner' } })
  await session.remove()
})

it('a session with five small files takes 72 KiB of database, and none for sandboxes that it never had', async () => {
  const stub = env.SESSIONS.getByName(`t-${crypto.randomUUID()}/s`)
  await stub.create({ title: '', requirements: [], directories: [], files: [] })
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const args = { file_path: `${name}.txt`, content: `a small file: ${name}` }
    expect(await stub.call({ tool: 'file_write', args })).toMatchObject({ kind: 'done' })
  }
  await runDurableObjectAlarm(stub)
  const bytes = await runInDurableObject(stub, (_, { storage }) => storage.sql.databaseSize)
  expect(bytes).toBeLessThanOrEqual(72 * 1024)
  await stub.remove()
})
