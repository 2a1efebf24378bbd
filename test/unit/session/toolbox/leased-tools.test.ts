import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Actor } from '../../../../src/core/actor.ts'
import {
  DEFAULT_RUNNING_CALLS,
  MAX_UNASKED_TOOL_CALLS,
  TOOLS_LEASE_MS,
  TOOLS_LEASE_SLACK_MS,
} from '../../../../src/core/limits/usage.ts'
import { ToolDefinition } from '../../../../src/registry/definition.ts'
import { LimitSettings } from '../../../../src/registry/limit-settings.ts'
import { Accounting } from '../../../../src/session/accounting.ts'
import { CountedCalls } from '../../../../src/session/toolbox/counted-calls.ts'
import type { ToolChange } from '../../../../src/tenant/tools-api.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { NodeSql } from '../../../support/sql-node.ts'
import { openSessionTables } from '../../../support/tables.ts'
import { isWaiting, openTenant } from '../../tenant/open.ts'
import { OWNER, register } from '../../tenant/registry-tools.ts'

const SOFIA: Actor = { key: 'k1', agent: 'sofia' }
const PM: Actor = { key: 'k1', agent: 'pm' }
const USED = { failure: null, bytesIn: 3, bytesOut: 4, sandboxMs: 0 }

const definition = (timeout: number) =>
  ToolDefinition.parse({
    id: 't',
    name: 't',
    description: 'Does something.',
    input_schema: {},
    timeout,
    executor: { kind: 'http', target: 'https://tools.example/run' },
  })

/**
 * A tenant with a tool `t`, and sessions that call it.
 * @param leases false for sessions that are given no lease of the tools
 */
async function opened({ leases = true } = {}) {
  const { tenant, time, reopen, sessions, ...rest } = openTenant()
  const reach = { tenant, session: async () => undefined as unknown }
  const open = new Map<string, Accounting>()
  const notifiedTools: string[] = []
  sessions.limitsChanged = async (name, version) => open.get(name)?.limitsChanged(version) ?? []
  sessions.toolsChanged = async (name, revision) => {
    await reach.session()
    notifiedTools.push(name)
    open.get(name)?.admission.dropTools(revision)
  }
  const change = (...changes: ToolChange[]) => reach.tenant.tools.change(changes, OWNER)
  const put = (timeout: number) => change({ op: 'put', definition: definition(timeout) })
  await put(1)
  const session = async (name: string, sql = new NodeSql()) => {
    openSessionTables(sql)
    const asks = { begin: 0 }
    let calls = 0
    const make = () => {
      const accounting = new Accounting(
        {
          sql,
          session: name,
          node: `node-${name}`,
          registry: catalog,
          tenant: {
            calls: {
              admit: (call) => reach.tenant.calls.admit(call),
              end: async (...given) => {
                const { tools, ...lease } = await reach.tenant.calls.end(...given)
                return leases && tools !== undefined ? { ...lease, tools } : lease
              },
            },
          },
          now: () => time.now,
          logError: (thrown) => expect.unreachable(String(thrown)),
        },
        [],
      )
      open.set(name, accounting)
      const counted = new CountedCalls({
        session: name,
        tenant: {
          calls: {
            // As it comes out of a request: what the tenant has itself is never shared.
            begin: async (call) => {
              asks.begin += 1
              return structuredClone(await reach.tenant.calls.begin(structuredClone(call)))
            },
          },
        },
        outbox: accounting.outbox,
        admission: accounting.admission,
        isRemoved: () => false,
        now: () => time.now,
      })
      const begin = async (by = SOFIA, { reference = 't', own = false, wasNoted = false } = {}) => {
        const outer = { callId: `${name}-${++calls}`, by, wasNoted: () => wasNoted }
        const account = { countedElsewhere: () => undefined }
        return counted.of({ ...outer, account })({ reference, own: own ? definition(9) : null, isNew: false })
      }
      /** @returns the timeout of the definition that was called, which tells definitions apart, or why none was */
      const call = async (...given: Parameters<typeof begin>) => {
        try {
          const begun = await begin(...given)
          begun.end(USED)
          return begun.registered?.definition.timeout ?? 'own'
        } catch (thrown) {
          return (thrown as { readonly failure: { readonly code: string } }).failure.code
        }
      }
      return { accounting, begin, call, tell: () => accounting.outbox.tell() }
    }
    await reach.tenant.sessions.add({ name, nodeId: `node-${name}`, title: name, createdAt: 1 })
    const made = make()
    return { ...made, asks, reopen: make }
  }
  /** A session that holds a lease of the tools and has `t`. */
  const leased = async (name: string) => {
    const made = await session(name)
    await made.call()
    await made.tell()
    made.asks.begin = 0
    return made
  }
  const report = () => reach.tenant.usage.read({ from: 0, to: 48, groupBy: 'tool', where: {}, limit: 20 })
  const audit = async () =>
    (await reach.tenant.audit.page({ after: 0, limit: 100 })).lines.map((line) => JSON.parse(line))
  const limit = (rules: readonly object[]) => reach.tenant.limits.put(LimitSettings.parse({ rules }), OWNER)
  return { ...rest, reach, time, reopen, change, put, session, leased, notifiedTools, report, audit, limit }
}

describe('a session’s lease of its tenant’s tools', () => {
  it('lets calls of a tool that it called before begin without asking, for as long as it lasts after the last report', async () => {
    const { session, time } = await opened()
    const one = await session('one')
    expect([await one.call(), await one.call(), one.asks.begin]).toEqual([1, 1, 2])
    await one.tell()
    expect([await one.call(), await one.call(), one.asks.begin]).toEqual([1, 1, 2])
    time.now += TOOLS_LEASE_MS - 1
    await one.call()
    await one.tell()
    time.now += TOOLS_LEASE_MS - 1
    expect([await one.call(), one.asks.begin]).toEqual([1, 2])
    time.now += 2
    expect([await one.call(), one.asks.begin]).toEqual([1, 3])
  })

  it('is not kept when the session is made anew', async () => {
    const { leased } = await opened()
    const one = await leased('one')
    expect([await one.reopen().call(), one.asks.begin]).toEqual([1, 1])
  })

  it.each<[string, readonly ToolChange[], string | number]>([
    ['replaced', [{ op: 'put', definition: definition(2) }], 2],
    ['deleted', [{ op: 'delete', id: 't' }], 'not_found'],
    ['disabled', [{ op: 'policy', id: 't', policy: { enabled: false } }], 'forbidden'],
    ['kept from the agent', [{ op: 'policy', id: 't', policy: { allowed_agents: ['pm'] } }], 'forbidden'],
    [
      'deleted and put anew',
      [
        { op: 'delete', id: 't' },
        { op: 'put', definition: definition(2) },
      ],
      2,
    ],
  ])('ends in every session before a change is answered by which the tool is %s', async (_, changes, then) => {
    const { leased, change, notifiedTools, audit } = await opened()
    const all = [await leased('one'), await leased('two')]
    await change(...changes)
    expect(notifiedTools.sort()).toEqual(['one', 'two'])
    for (const one of all) {
      expect(await one.call()).toBe(then)
      await one.tell()
      expect(await one.call()).toBe(then)
    }
    const refused = (await audit()).filter(({ action }) => action === 'tool.refused')
    if (typeof then === 'string') expect(refused[0]).toMatchObject({ agent: 'sofia', subject: 't', reason: then })
    else expect(refused).toEqual([])
  })

  it('ends by a rollback, for who names no version', async () => {
    const { leased, put, change, session } = await opened()
    await put(2)
    const one = await session('one')
    await one.call(SOFIA, { reference: 't' })
    await one.call(SOFIA, { reference: 't@latest' })
    await one.tell()
    await change({ op: 'stable', id: 't', version: 1 })
    expect([await one.call(), await one.call(SOFIA, { reference: 't@latest' })]).toEqual([1, 2])
    expect((await leased('two')).asks.begin).toBe(0)
  })

  it('ends in sessions that the tenant’s object knew before it was made anew', async () => {
    const { leased, reach, reopen, put, notifiedTools } = await opened()
    const one = await leased('one')
    reach.tenant = reopen()
    await put(2)
    expect([notifiedTools, await one.call()]).toEqual([['one'], 2])
  })

  it('stays where a change only adds tools', async () => {
    const { leased, reach, notifiedTools } = await opened()
    const one = await leased('one')
    await register(reach.tenant, ['other'])
    expect([await one.call(), one.asks.begin, notifiedTools]).toEqual([1, 0, []])
  })

  it('of earlier tools is not taken when it comes late', async () => {
    const { leased, put, reach, time } = await opened()
    const one = await leased('one')
    const late = await reach.tenant.calls.end('node-one', [])
    await put(2)
    one.accounting.admission.renew(late, { version: null, unused: [] }, time.now)
    expect(await one.call()).toBe(2)
  })

  it('is given to no session that the tenant does not list, since it could not be informed', async () => {
    const { session, reach } = await opened()
    const one = await session('one')
    await reach.tenant.sessions.remove('one')
    await one.call()
    await one.tell()
    expect([await one.call(), one.asks.begin]).toEqual([1, 2])
  })

  it.each([
    ['cannot be reached', () => Promise.reject(new Error('out of reach')), 1],
    ['does not answer', () => new Promise(() => undefined), 0],
  ])('is waited for by a change while the session %s, and then its calls ask', async (_, answer, logged) => {
    const { leased, put, reach, time, errors } = await opened()
    const one = await leased('one')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    reach.session = answer
    const changing = put(2)
    expect(await isWaiting(changing)).toBe(true)
    vi.advanceTimersByTime(TOOLS_LEASE_MS + TOOLS_LEASE_SLACK_MS - 1)
    expect(await isWaiting(changing)).toBe(true)
    time.now += TOOLS_LEASE_MS
    await vi.advanceTimersByTimeAsync(1)
    await changing
    expect([await one.call(), errors.length]).toEqual([2, logged])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('what a call by a lease of tools counts', () => {
  it('is what one counts that asked: in use, reasons and the audit log', async () => {
    const work = async (leases: boolean) => {
      const { session, report, audit, time, reach } = await opened({ leases })
      await reach.tenant.limits.put(LimitSettings.parse({ prices: [{ tool: 't', per_call: 7 }] }), OWNER)
      const one = await session('one')
      await one.call()
      await one.tell()
      for (const by of [SOFIA, PM, SOFIA]) {
        const begun = await one.begin(by)
        time.now += 40
        begun.end({ ...USED, failure: by === PM ? 'upstream' : null })
      }
      await one.tell()
      return { admissions: one.asks.begin, report: await report(), audit: await audit() }
    }
    const [by, without] = [await work(true), await work(false)]
    expect([by.admissions, without.admissions]).toEqual([1, 4])
    expect(by.report).toEqual(without.report)
    const shown = ({ hash, prev, ...entry }: Record<string, unknown>) => entry
    expect(by.audit.map(shown)).toEqual(without.audit.map(shown))
    expect(by.report.total).toMatchObject({ calls: 4, failed: 1, cost: 28, bytesIn: 12 })
  })

  it('is a lost call when its session is cut off, once it was noted', async () => {
    const { leased, report } = await opened()
    const one = await leased('one')
    await one.begin(SOFIA, { wasNoted: true })
    await one.reopen().tell()
    expect([one.asks.begin, (await report()).total]).toMatchObject([0, { calls: 2, reasons: { lost: 1 } }])
  })

  it('is a running call under limits that are put meanwhile, until its end', async () => {
    const { leased, limit } = await opened()
    const [one, two] = [await leased('one'), await leased('two')]
    const begun = await one.begin()
    expect(one.asks.begin).toBe(0)
    await limit([{ scope: 'tool', name: 't', concurrency: 1 }])
    expect(await two.call()).toBe('rate_limited')
    begun.end(USED)
    expect(one.accounting.outbox.isUrgent).toBe(true)
    await one.tell()
    expect(await two.call()).toBe(1)
  })
})

describe('a call of a registered tool asks its tenant', () => {
  it('where a rule limits it, however current the session’s tool is', async () => {
    const { leased, limit } = await opened()
    const one = await leased('one')
    await limit([{ scope: 'agent', name: 'pm', per_minute: 2 }])
    await one.tell()
    await one.call()
    await one.tell()
    one.asks.begin = 0
    expect([await one.call(PM), await one.call(PM), await one.call(PM)]).toEqual([1, 1, 'rate_limited'])
    expect([one.asks.begin, await one.call(), one.asks.begin]).toEqual([3, 1, 3])
  })

  it('once for several where a rate leaves room, and they are no more than the rate, whichever session makes them', async () => {
    const { leased, limit } = await opened()
    const [one, two] = [await leased('one'), await leased('two')]
    await limit([{ scope: 'tenant', per_minute: 1_000 }])
    let passed = 0
    for (let call = 0; call < 1_500; call++) {
      const session = call % 2 === 0 ? one : two
      if ((await session.call()) === 1) passed += 1
      if (call % 10 < 2) await session.tell()
    }
    // Each made one before.
    expect(passed).toBe(998)
    const refused = 502
    expect(one.asks.begin + two.asks.begin - refused).toBeLessThan(150)
  })

  it('for each where a rule says how many run, since granted ones would have others refused while nothing runs', async () => {
    const { leased, limit } = await opened()
    const one = await leased('one')
    await limit([{ scope: 'tool', name: 't', per_minute: 1_000, concurrency: 500 }])
    await one.tell()
    for (let call = 0; call < 20; call++) {
      expect(await one.call()).toBe(1)
      await one.tell()
    }
    expect(one.asks.begin).toBe(20)
  })

  it('again after the tool was withdrawn or limits were put, whatever it granted before', async () => {
    const { leased, limit, change } = await opened()
    const one = await leased('one')
    const callSome = async () => {
      for (let call = 0; call < 4; call++) {
        await one.call()
        await one.tell()
      }
      one.asks.begin = 0
      await one.call()
      expect(one.asks.begin).toBe(0)
    }
    await limit([{ scope: 'tenant', per_minute: 1_000 }])
    await callSome()
    await change({ op: 'policy', id: 't', policy: { allowed_agents: ['pm'] } })
    expect(await one.call()).toBe('forbidden')
    await change({ op: 'policy', id: 't', policy: { allowed_agents: null } })
    await callSome()
    await limit([{ scope: 'tenant', per_minute: 1_000, per_day: 12 }])
    expect([await one.call(), await one.call()]).toEqual([1, 'rate_limited'])
  })

  it('for itself alone while as many run as may without asking, so that nothing is kept from other sessions', async () => {
    const { leased, limit, time } = await opened()
    const [one, two] = [await leased('one'), await leased('two')]
    // Each made one before.
    await limit([{ scope: 'tenant' }, { scope: 'tool', name: 't', per_day: 1_003 }])
    await one.call()
    await one.tell()
    const begun = []
    for (let call = 0; call < 400; call++) {
      begun.push(await one.begin())
      time.now += 20
    }
    expect(one.asks.begin).toBeGreaterThan(400 - 2 * MAX_UNASKED_TOOL_CALLS)
    // What was granted before so many ran is over, and given back with a report.
    begun.at(-1)?.end(USED)
    await one.tell()
    let others = 0
    while ((await two.call()) === 1) others += 1
    expect(others).toBe(600)
  })

  it('for itself alone where the session has no lease of the tools', async () => {
    const { session, limit } = await opened({ leases: false })
    const [one, two] = [await session('one'), await session('two')]
    await limit([{ scope: 'tenant' }, { scope: 'tool', name: 't', per_day: 200 }])
    for (let call = 0; call < 10; call++) {
      await one.call()
      await one.tell()
    }
    let others = 0
    while ((await two.call()) === 1) others += 1
    expect(others).toBe(190)
  })

  it('where its agent may not call the tool, so that the refusal is written down, while others’ calls begin', async () => {
    const { leased, change, session, audit } = await opened()
    await change({ op: 'policy', id: 't', policy: { allowed_agents: ['sofia'] } })
    const one = await leased('one')
    expect([await one.call(), one.asks.begin]).toEqual([1, 0])
    expect([await one.call(PM), await one.call({ key: 'k1', agent: null })]).toEqual(['forbidden', 'forbidden'])
    expect(one.asks.begin).toBe(2)
    expect((await audit()).filter(({ action }) => action === 'tool.refused').map(({ agent }) => agent)).toEqual([
      'pm',
      null,
    ])
    expect(await (await session('two')).call()).toBe(1)
  })

  it('where the session has a tool of that name itself', async () => {
    const { leased } = await opened()
    const one = await leased('one')
    expect([await one.call(SOFIA, { own: true }), one.asks.begin]).toEqual([1, 1])
  })

  it('where the session has many running that did not ask, which are then bounded as all others', async () => {
    const { leased } = await opened()
    const one = await leased('one')
    const begun = []
    for (let call = 0; call < MAX_UNASKED_TOOL_CALLS + DEFAULT_RUNNING_CALLS; call++) begun.push(await one.begin())
    expect(one.asks.begin).toBe(DEFAULT_RUNNING_CALLS)
    expect(await one.call()).toBe('rate_limited')
    begun[0]?.end(USED)
    await one.tell()
    expect([await one.call(), one.asks.begin]).toEqual([1, DEFAULT_RUNNING_CALLS + 1])
  })
})
