import { expect, it } from 'vitest'
import { LIMITS_LEASE_MS } from '../../../src/core/limits/usage.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { LimitSettings } from '../../../src/registry/limit-settings.ts'
import { Accounting } from '../../../src/session/accounting.ts'
import { History } from '../../../src/session/history.ts'
import { Stopwatch } from '../../../src/session/stopwatch.ts'
import { CountedCalls } from '../../../src/session/toolbox/counted-calls.ts'
import type { CallsApi, EndedCall } from '../../../src/tenant/calls-api.ts'
import { catalog } from '../../../src/tools/catalog.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'
import { openTenant } from '../tenant/open.ts'
import { OWNER, register } from '../tenant/registry-tools.ts'

const DONE: Outcome = { kind: 'done', result: { text: 'fine', data: {} } }
const BY = { key: 'k1', agent: 'sofia' }
const NODE = 'node-s'

/** A tenant with a session whose history has the receipts of its calls. */
async function opened(changed: (lease: object) => object = (lease) => lease) {
  const { tenant, time, sessions } = openTenant()
  const sql = new NodeSql()
  openSessionTables(sql)
  const now = () => time.now
  const reported: EndedCall[] = []
  const calls: Pick<CallsApi, 'admit' | 'begin' | 'end'> = {
    admit: async (call) => {
      const answer = await tenant.calls.admit(call)
      return { ...answer, lease: changed(answer.lease) as typeof answer.lease }
    },
    begin: (call) => tenant.calls.begin(call),
    end: async (node, ends, holds) => {
      reported.push(...ends)
      return changed(await tenant.calls.end(node, ends, holds)) as Awaited<ReturnType<CallsApi['end']>>
    },
  }
  const open = (goingOn: readonly string[] = []) => {
    const history = new History(sql, () => accounting.outbox.forgetHeard())
    const addCost = (callId: string, cost: number) => history.addCost(callId, cost)
    const parts = { sql, session: 's', node: NODE, registry: catalog, tenant: { calls }, now, addCost }
    const accounting: Accounting = new Accounting(
      { ...parts, logError: (thrown) => expect.unreachable(String(thrown)) },
      goingOn,
    )
    return { history, accounting }
  }
  const first = open()
  const { history, accounting } = first
  sessions.limitsChanged = async (_, version) => accounting.limitsChanged(version)
  await tenant.sessions.add({ name: 's', nodeId: NODE, title: 's', createdAt: 1 })
  let made = 0
  /** Begins one call. @returns how to end it */
  const begin = async (tool: string, { isNoted = false, sandboxMs = 0 } = {}) => {
    const callId = `c${++made}`
    const stopwatch = new Stopwatch(now)
    const entry = { callId, tool, args: {}, now: time.now }
    const account = accounting.open({ callId, call: { tool, args: {} }, by: BY, startedAt: time.now, stopwatch })
    await account.admit()
    if (isNoted) {
      history.begin(entry)
      accounting.outbox.noteRunning(callId)
    }
    const end = () => {
      stopwatch.add('exec', sandboxMs)
      account.end(DONE, (inRow, costs) =>
        history.end(entry, DONE, { ...stopwatch.receipt(), ...costs }, time.now, inRow),
      )
    }
    return { callId, account, end }
  }
  const report = () => accounting.outbox.tell()
  return {
    ...{ tenant, time, sessions, sql, accounting, history, reported, begin, report, calls },
    reopen: open,
    put: (prices: readonly object[]) => tenant.limits.put(LimitSettings.parse({ prices }), OWNER),
    call: async (tool: string, sandboxMs = 0) => (await begin(tool, { sandboxMs })).end(),
    /** Costs in the receipts of the history, oldest call first. */
    costs: () =>
      history
        .page({ limit: 100 })
        .calls.map(({ receipt }) => receipt?.cost)
        .reverse(),
    used: async () => (await tenant.usage.read({ from: 0, to: 48, groupBy: null, where: {}, limit: 20 })).total.cost,
  }
}

it('calls that are reported as one cost what their receipts say, each with its time in the sandbox rounded up', async () => {
  const { put, call, report, costs, used, reported } = await opened()
  await put([{ tool: 'file_read', per_call: 3, per_sandbox_second: 10 }])
  for (const ms of [0, 1, 1, 1_001]) await call('file_read', ms)
  await call('execute_shell', 1)
  await report()
  expect(costs()).toEqual([3, 4, 4, 14, 0])
  expect(reported.map(({ cost, each }) => [cost, each?.ms.length])).toEqual([
    [25, 4],
    [0, undefined],
  ])
  expect(await used()).toBe(25)
})

it('a call costs what prices were at its beginning, also where they change while it runs', async () => {
  const { put, call, begin, report, costs, used } = await opened()
  await put([{ per_call: 3 }])
  const running = await begin('file_read')
  await put([{ per_call: 50 }])
  running.end()
  await call('file_read')
  await report()
  expect(costs()).toEqual([3, 50])
  expect(await used()).toBe(53)
})

it('a session that does not hear of new prices goes on by the old ones until its lease ends, in receipts and usage alike', async () => {
  const { put, call, report, costs, used, time, sessions } = await opened()
  await put([{ per_call: 5 }])
  await call('file_read')
  sessions.limitsChanged = async () => Promise.reject(new Error('out of reach'))
  await put([{ per_call: 7 }])
  await call('file_read')
  time.now += LIMITS_LEASE_MS
  await call('file_read')
  await report()
  expect(costs()).toEqual([5, 5, 7])
  expect(await used()).toBe(17)
})

it('a call that a crash cut off costs what it would have at its beginning, and has no receipt', async () => {
  const { put, begin, reopen, costs, used } = await opened()
  await put([{ per_call: 5, per_sandbox_second: 1_000_000 }])
  await begin('execute_shell', { isNoted: true })
  const { accounting } = reopen()
  await put([{ per_call: 9 }])
  await accounting.outbox.tell()
  expect(costs()).toEqual([undefined])
  expect(await used()).toBe(5)
})

it('work that a restart cut off from its call costs what prices were when that began', async () => {
  const { put, begin, reopen, used } = await opened()
  await put([{ per_call: 5, per_sandbox_second: 1_000 }])
  const { callId } = await begin('execute_shell', { isNoted: true })
  const { accounting } = reopen([callId])
  await put([{ per_call: 9 }])
  expect(accounting.costsWithWork(callId, 2_000)).toEqual({ cost: 2_005 })
  accounting.workEnded(callId, DONE, 2_000)
  await accounting.outbox.tell()
  expect(await used()).toBe(2_005)
})

it('a registered tool that ends after the call that made it is added to the receipt of that one', async () => {
  const { put, tenant, accounting, history, costs, used, report, begin, time, calls } = await opened()
  await register(tenant, ['weather'])
  await put([{ tool: 'weather', per_call: 30 }, { per_call: 2 }])
  const outer = await begin('code_run_tools')
  const counted = new CountedCalls({
    ...{ session: 's', tenant: { calls }, outbox: accounting.outbox, admission: accounting.admission },
    ...{ isRemoved: () => false, now: () => time.now },
  })
  const ofOuter = counted.of({ callId: outer.callId, by: BY, wasNoted: () => false, account: outer.account })
  const ended = { failure: null, bytesIn: 0, bytesOut: 0, sandboxMs: 0 }
  const [soon, late] = [
    await ofOuter({ reference: 'weather', own: null, isNew: false }),
    await ofOuter({ reference: 'weather', own: null, isNew: false }),
  ]
  soon.end(ended)
  outer.end()
  expect(costs()).toEqual([32])
  late.end(ended)
  expect(costs()).toEqual([62])
  expect(history.call(outer.callId)?.receipt).toMatchObject({ executed_on: 'edge' })
  await report()
  expect(await used()).toBe(62)
})

it('while the tenant runs older code, which tells no prices, receipts have no cost, and the tenant counts it', async () => {
  const older = { is: true }
  const { put, call, report, costs, used, reported } = await opened((lease) => {
    const { prices: _, ...known } = lease as { readonly prices?: unknown }
    return older.is ? known : lease
  })
  await put([{ per_call: 5 }])
  await call('file_read')
  await report()
  expect(reported.at(-1)).not.toHaveProperty('cost')
  older.is = false
  // The lease that comes with this report has all.
  await call('file_read')
  await report()
  await call('file_read')
  await report()
  expect(costs()).toEqual([undefined, undefined, 5])
  expect(await used()).toBe(15)
})
