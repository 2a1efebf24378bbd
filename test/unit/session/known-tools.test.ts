import { expect, it } from 'vitest'
import { KNOWN_TOOL_MS } from '../../../src/core/limits/registry.ts'
import { ToolDefinition, ToolPolicy } from '../../../src/registry/definition.ts'
import { LimitSettings } from '../../../src/registry/limit-settings.ts'
import { Accounting } from '../../../src/session/accounting.ts'
import { SessionRegistered } from '../../../src/session/registered.ts'
import { catalog } from '../../../src/tools/catalog.ts'
import { failureOf } from '../../support/failure-of.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'
import { openTenant } from '../tenant/open.ts'

const OWNER = { key: null, agent: null }
const weather = (description = '') =>
  ToolDefinition.parse({
    id: 'weather',
    name: 'Weather',
    description,
    input_schema: {},
    executor: { kind: 'http', target: 'https://service.example/' },
  })

/** A tenant with one tool, and a session of it that holds a lease of its limits. */
async function aSession() {
  const { tenant, time, sessions, reopen } = openTenant()
  const put = (policy: Partial<ToolPolicy> = {}, definition = weather()) =>
    reach.tenant.changeTools([{ op: 'put', definition, policy: ToolPolicy.parse(policy) }], OWNER)
  const reach = { tenant, isCutOff: false, asked: 0 }
  const sql = new NodeSql()
  openSessionTables(sql)
  const parts = {
    sql,
    session: 'one',
    node: 'node-one',
    registry: catalog,
    now: () => time.now,
    logError: () => undefined,
    tenant: {
      beginCall: (call: Parameters<typeof tenant.beginCall>[0]) => {
        reach.asked += 1
        return reach.tenant.beginCall(call)
      },
      admitCall: (call: Parameters<typeof tenant.admitCall>[0]) => reach.tenant.admitCall(call),
      endCalls: (...given: Parameters<typeof tenant.endCalls>) => reach.tenant.endCalls(...given),
    },
  }
  const accounting = new Accounting(parts, [])
  const { outbox, admission } = accounting
  const registered = new SessionRegistered({
    ...parts,
    outbox,
    admission,
    madeTool: () => null,
    isRemoved: () => false,
  })
  sessions.limitsChanged = (_, version) => accounting.limitsChanged(version)
  sessions.toolsChanged = async (_, version) => {
    if (reach.isCutOff) throw new Error('cut off')
    registered.toolsChanged(version)
  }
  await put()
  const added = await tenant.addSession({ name: 'one', nodeId: 'node-one', title: '', createdAt: 1 })
  if (added.ok && added.lease) admission.renew(added.lease, { version: null, unused: [] }, time.now)
  let calls = 0
  const call = async (reference = 'weather', agent: string | null = 'sofia') => {
    const callId = `c${++calls}`
    const by = { key: 'k1', agent }
    const port = registered.port({
      callId,
      by,
      wasNoted: () => false,
      account: { countedElsewhere: () => undefined },
    })
    const begun = await port.begin(reference)
    begun.end({ failure: null, bytesIn: 1, bytesOut: 1, sandboxMs: 0 })
    return begun.version
  }
  const used = async () => {
    await outbox.tell()
    const asked = { from: 0, to: 1e6, groupBy: null, where: {}, limit: 1 } as const
    const answer = await reach.tenant.readUsage(asked)
    return 'report' in answer ? answer.report.total.calls : answer
  }
  return { call, put, reach, reopen, time, used }
}

it('a tool that a session knows is called without asking its tenant, and each call counts', async () => {
  const { call, reach, used } = await aSession()
  for (let n = 0; n < 5; n++) await call()
  expect(reach.asked).toBe(1)
  expect(await used()).toBe(5)
})

it('a tool that is switched off, kept from an agent, changed or deleted is so at the next call of a session that knew it', async () => {
  const { call, put, reach } = await aSession()
  await call()
  await put({ enabled: false })
  expect(await failureOf(call())).toMatchObject({ code: 'forbidden', message: 'Tool is disabled: weather' })
  await put({ allowed_agents: ['team-*'] })
  expect(await failureOf(call())).toMatchObject({ code: 'forbidden' })
  expect(await call('weather', 'team-a')).toBe(1)
  expect(await failureOf(call())).toMatchObject({ code: 'forbidden' })
  await put({}, weather('Better.'))
  expect(await call()).toBe(2)
  await reach.tenant.changeTools([{ op: 'delete', id: 'weather' }], OWNER)
  expect(await failureOf(call())).toMatchObject({ code: 'not_found' })
})

it('a session that cannot be told of a change calls the tool as it was for half a minute at most', async () => {
  const { call, put, reach, time } = await aSession()
  await call()
  reach.isCutOff = true
  await put({ enabled: false })
  expect(await call()).toBe(1)
  time.now += KNOWN_TOOL_MS
  expect(await failureOf(call())).toMatchObject({ code: 'forbidden' })
})

it('a tenant that was restarted tells sessions of a change that knew the tool from before', async () => {
  const { call, put, reach, reopen } = await aSession()
  await call()
  reach.tenant = reopen()
  await put({ enabled: false })
  expect(await failureOf(call())).toMatchObject({ code: 'forbidden' })
})

it('an answer that was on its way while the tool changed is not kept', async () => {
  const { call, put, reach } = await aSession()
  const { tenant } = reach
  reach.tenant = Object.assign(Object.create(tenant), {
    beginCall: async (asked: Parameters<typeof tenant.beginCall>[0]) => {
      const answer = await tenant.beginCall(asked)
      reach.tenant = tenant
      await put({ enabled: false })
      return answer
    },
  })
  expect(await call()).toBe(1)
  expect(await failureOf(call())).toMatchObject({ code: 'forbidden' })
})

it('calls of a tool that a rule limits ask each time, also those of a session that knew it', async () => {
  const { call, reach } = await aSession()
  await call()
  await call()
  expect(reach.asked).toBe(1)
  const rules = [{ scope: 'tool', name: 'weather', per_minute: 2 }]
  await reach.tenant.putLimits(LimitSettings.parse({ rules, prices: [] }), OWNER)
  await call()
  await call()
  expect(await failureOf(call())).toMatchObject({ code: 'rate_limited' })
  expect(reach.asked).toBe(4)
})
