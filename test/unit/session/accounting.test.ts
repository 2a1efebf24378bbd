import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Actor } from '../../../src/core/actor.ts'
import {
  DEFAULT_CALLS_PER_MINUTE,
  FIRST_GRANTED_CALLS,
  GRANTED_CALLS_MS,
  LEAST_SHARING_SESSIONS,
  LIMITS_LEASE_MS,
  LIMITS_LEASE_SLACK_MS,
  QUICK_COMPLETION_REPORT_MS,
} from '../../../src/core/limits/usage.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { LimitSettings } from '../../../src/registry/limit-settings.ts'
import { Accounting } from '../../../src/session/accounting.ts'
import { Stopwatch } from '../../../src/session/stopwatch.ts'
import type { UsageQuery } from '../../../src/tenant/usage-api.ts'
import { catalog } from '../../../src/tools/catalog.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'
import { openTenant } from '../tenant/open.ts'
import { OWNER } from '../tenant/registry-tools.ts'

const DONE: Outcome = { kind: 'done', result: { text: 'fine', data: {} } }
const SOFIA: Actor = { key: 'k1', agent: 'sofia' }

/** A tenant, and sessions of it whose requests are counted. */
async function opened() {
  const { tenant, time, reopen, ...rest } = openTenant()
  const reach = { isDown: false, tenant }
  const open = new Map<string, Accounting>()
  rest.sessions.limitsChanged = async (name, version) => open.get(name)?.limitsChanged(version) ?? []
  const put = (rules: readonly object[], prices: readonly object[] = []) =>
    reach.tenant.limits.put(LimitSettings.parse({ rules, prices }), OWNER)
  const session = async (name: string, sql = new NodeSql(), goingOn: readonly string[] = []) => {
    openSessionTables(sql)
    const asks = { count: 0, reports: 0 }
    const answered = <T>(answer: () => Promise<T>): Promise<T> =>
      reach.isDown ? Promise.reject(new Error('down')) : answer()
    const errors: unknown[] = []
    const make = () =>
      new Accounting(
        {
          sql,
          session: name,
          node: `node-${name}`,
          registry: catalog,
          tenant: {
            calls: {
              admit: (call) => {
                asks.count += 1
                return answered(() => reach.tenant.calls.admit(call))
              },
              end: (...given) => {
                asks.reports += 1
                return answered(() => reach.tenant.calls.end(...given))
              },
            },
          },
          now: () => time.now,
          logError: (thrown) => errors.push(thrown),
        },
        goingOn,
      )
    const accounting = make()
    open.set(name, accounting)
    const lease = await reach.tenant.sessions.add({ name, nodeId: `node-${name}`, title: name, createdAt: 1 })
    accounting.admission.renew(lease, { version: null, unused: [] }, time.now)
    let calls = 0
    /** Begins one call. @returns how to end it, or why it may not begin */
    const begin = async (tool = 'file_read', by = SOFIA, from = accounting) => {
      const account = from.open({
        callId: `${name}-${++calls}`,
        call: { tool, args: {} },
        by,
        startedAt: time.now,
        stopwatch: new Stopwatch(() => time.now),
      })
      try {
        const asking = account.admit()
        if (asking) await asking
        return { asksTenant: asking !== null, end: (outcome = DONE) => account.end(outcome) }
      } catch (thrown) {
        return { failure: thrown }
      }
    }
    const call = async (...given: Parameters<typeof begin>): Promise<boolean> => {
      const begun = await begin(...given)
      begun.end?.()
      return !('failure' in begun)
    }
    const callAll = async (times: number, ...given: Parameters<typeof begin>): Promise<number> => {
      let passed = 0
      for (let time = 0; time < times; time++) if (await call(...given)) passed += 1
      return passed
    }
    return { accounting, asks, errors, sql, begin, call, callAll, reopen: make, tell: () => accounting.outbox.tell() }
  }
  const report = (query: Partial<UsageQuery> = {}) =>
    reach.tenant.usage.read({ from: 0, to: 48, groupBy: null, where: {}, limit: 20, ...query })
  const audit = async () => {
    const { lines } = await reach.tenant.audit.page({ after: 0, limit: 100 })
    return lines.map((line) => JSON.parse(line)).filter(({ action }) => action !== 'session.create')
  }
  return { ...rest, tenant, time, reach, put, session, report, audit, reopen }
}

describe('a session’s lease of its tenant’s limits', () => {
  it('lets calls begin without asking where no rule limits them, for as long as it lasts after the last call was told', async () => {
    const { session, time } = await opened()
    const one = await session('one')
    expect(await one.callAll(50)).toBe(50)
    time.now += LIMITS_LEASE_MS - 1
    expect(await one.callAll(50)).toBe(50)
    await one.tell()
    time.now += LIMITS_LEASE_MS - 1
    await one.call()
    expect(one.asks.count).toBe(0)
    time.now += 2
    await one.callAll(3)
    expect(one.asks.count).toBe(1)
  })

  it('is kept when the session is made anew', async () => {
    const { session, time } = await opened()
    const one = await session('one')
    const anew = one.reopen()
    expect(await one.begin('file_read', SOFIA, anew)).toMatchObject({ asksTenant: false })
    time.now += LIMITS_LEASE_MS
    expect(await one.begin('file_read', SOFIA, one.reopen())).toMatchObject({ asksTenant: true })
  })

  it('makes those ask whom a rule limits, and nobody else', async () => {
    const { session, put } = await opened()
    await put([
      { scope: 'agent', name: 'sofia' },
      { scope: 'agent', name: '*', per_minute: 5 },
      { scope: 'tool', name: 'file_w*', concurrency: 5 },
    ])
    const one = await session('one')
    const asksTenant = async (tool: string, agent: string | null) => {
      const begun = await one.begin(tool, { key: 'k1', agent })
      begun.end?.()
      return begun.asksTenant
    }
    expect(await asksTenant('file_read', 'sofia')).toBe(false)
    expect(await asksTenant('file_read', null)).toBe(false)
    expect(await asksTenant('file_read', 'pm')).toBe(true)
    expect(await asksTenant('file_write', 'sofia')).toBe(true)
  })

  it('ends when limits are put, in every session that may hold one and in no other', async () => {
    const { session, put, time, sessions } = await opened()
    const [one, two] = [await session('one'), await session('two')]
    const tell = sessions.limitsChanged
    const notified: string[] = []
    sessions.limitsChanged = (name, version) => {
      notified.push(name)
      return tell(name, version)
    }
    await put([{ scope: 'tenant', per_day: 1 }])
    expect([await one.call(), await two.call()]).toEqual([true, false])
    expect(notified.sort()).toEqual(['one', 'two'])
    time.now += LIMITS_LEASE_MS + LIMITS_LEASE_SLACK_MS
    await one.call()
    await put([])
    expect(notified.slice(2)).toEqual(['one'])
    expect((await two.begin()).asksTenant).toBe(true)
  })

  it('of earlier limits is not taken when it comes late', async () => {
    const { session, put, tenant } = await opened()
    const one = await session('one')
    const late = await tenant.calls.end('node-one', [])
    await put([{ scope: 'tenant', per_minute: 1 }])
    one.accounting.admission.renew(late, { version: null, unused: [] }, 1_000_000)
    expect([await one.call(), await one.call()]).toEqual([true, false])
  })

  it('is the only thing that calls need while the tenant cannot be reached; a call that has to ask is refused then', async () => {
    const { session, reach, put } = await opened()
    const one = await session('one')
    reach.isDown = true
    expect(await one.call()).toBe(true)
    reach.isDown = false
    await put([{ scope: 'tenant', per_minute: 100 }])
    reach.isDown = true
    expect(await one.begin()).toMatchObject({ failure: { failure: { code: 'upstream' } } })
    expect(one.errors).toHaveLength(1)
  })

  it('ends for all sessions when they make more calls together than one tenant does without a rule', async () => {
    const { session, time, audit } = await opened()
    const one = await session('one')
    let passed = 0
    while (passed < DEFAULT_CALLS_PER_MINUTE * 2 && (await one.call())) {
      passed += 1
      if (passed % 1_000 === 0) await one.tell()
    }
    expect(passed).toBe(DEFAULT_CALLS_PER_MINUTE)
    expect((await audit()).at(-1)).toMatchObject({ action: 'tool.refused', reason: 'rate_limited' })
    time.now += 60_000
    await one.callAll(1)
    await one.tell()
    expect((await one.begin()).asksTenant).toBe(false)
  })
})

describe('calls that a tenant grants to a session', () => {
  it('share the cost of asking, and are no more than the limit, whichever session makes them', async () => {
    const { session, put } = await opened()
    await put([{ scope: 'tenant', per_minute: 1_000 }])
    const [one, two] = [await session('one'), await session('two')]
    let passed = 0
    for (let time = 0; time < 1_500; time++) passed += (await (time % 2 === 0 ? one : two).call()) ? 1 : 0
    expect(passed).toBe(1_000)
    const requests = one.asks.count + two.asks.count
    const refused = 500
    // Few at first; the last ones of the limit ask each for itself.
    expect(requests - refused).toBeLessThan(100)
  })

  it('are none where little is left, so that every call is exact', async () => {
    const { session, put } = await opened()
    await put([{ scope: 'tenant', per_day: 9 }])
    const [one, two] = [await session('one'), await session('two')]
    for (let time = 0; time < 4; time++) expect([await one.call(), await two.call()]).toEqual([true, true])
    expect([await one.call(), await two.call(), await one.call()]).toEqual([true, false, false])
    expect(one.asks.count + two.asks.count).toBe(11)
  })

  it('are not asked for by calls at once, which would make none of them', async () => {
    const { session, put } = await opened()
    await put([{ scope: 'tenant', per_day: 400 }])
    const [one, two] = [await session('one'), await session('two')]
    const passed = await Promise.all(Array.from({ length: 500 }, (_, at) => (at % 2 === 0 ? one : two).call()))
    // Those that wait for a batch make its calls.
    expect(one.asks.count + two.asks.count).toBeLessThan(500)
    expect(passed.filter(Boolean).length).toBeLessThanOrEqual(400)
    expect((await one.callAll(100)) + (await two.callAll(100)) + passed.filter(Boolean).length).toBe(400)
  })

  it('are none for calls that come alone, since they would be kept from other sessions in vain', async () => {
    const { session, put, time } = await opened()
    await put([{ scope: 'tenant', per_day: 1_000 }])
    const [one, two] = [await session('one'), await session('two')]
    for (let call = 0; call < 20; call++) {
      expect(await one.call()).toBe(true)
      time.now += GRANTED_CALLS_MS
    }
    expect(one.asks.count).toBe(20)
    expect(await two.callAll(2_000)).toBe(980)
  })

  it('are as many as the pace of a session needs, and no session is kept from its share by another that makes none of its own', async () => {
    const { session, put, time } = await opened()
    await put([{ scope: 'tenant', per_day: 10_000 }])
    const hoarder = await session('hoarder')
    // Each name of an agent would have a batch of its own.
    for (let name = 0; name < 300; name++)
      await hoarder.callAll(11, 'file_read', { key: 'k1', agent: `agent ${name % 150}` })
    const used = 3_300
    const other = await session('other')
    const left = await other.callAll(20_000)
    expect(left).toBeGreaterThan((10_000 - used) * (1 - 1 / LEAST_SHARING_SESSIONS))
    time.now += GRANTED_CALLS_MS
    await hoarder.tell()
    expect(left + (await other.callAll(20_000))).toBe(10_000 - used)
  })

  it('count until they have ended, in quotas that the session’s restart does not empty', async () => {
    const { session, put } = await opened()
    await put([{ scope: 'tenant', per_day: 100 }])
    const [one, two] = [await session('one'), await session('two')]
    expect(await one.callAll(2)).toBe(2)
    one.reopen()
    expect(await two.callAll(200)).toBe(98 - FIRST_GRANTED_CALLS)
  })

  it('that were not made in time are given back, also to other sessions', async () => {
    const { session, put, time } = await opened()
    await put([{ scope: 'tenant', per_day: 100 }])
    const [one, two] = [await session('one'), await session('two')]
    expect(await one.callAll(2)).toBe(2) // as many as FIRST_GRANTED_CALLS more are granted
    expect(await two.callAll(200)).toBe(98 - FIRST_GRANTED_CALLS)
    time.now += GRANTED_CALLS_MS
    await one.tell()
    expect(await two.callAll(200)).toBe(FIRST_GRANTED_CALLS)
  })

  it('that were not made are given back by a session that goes quiet right after a report', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { session, put, time } = await opened()
    await put([{ scope: 'tenant', per_day: 100 }])
    const [one, two] = [await session('one'), await session('two')]
    await one.callAll(2) // more are granted
    await one.tell()
    const passedMs = GRANTED_CALLS_MS + QUICK_COMPLETION_REPORT_MS
    time.now += passedMs
    await vi.advanceTimersByTimeAsync(passedMs)
    expect(await two.callAll(200)).toBe(98)
  })

  it('that were not made are given back when the session is removed', async () => {
    const { session, put } = await opened()
    await put([{ scope: 'tenant', per_day: 100 }])
    const [one, two] = [await session('one'), await session('two')]
    await one.callAll(2) // more are granted
    await one.accounting.end()
    expect(await two.callAll(200)).toBe(98)
  })

  it('that were not made when limits are put are given back, and are not made afterwards', async () => {
    const { session, put } = await opened()
    await put([{ scope: 'tenant', per_day: 100 }])
    const [one, two] = [await session('one'), await session('two')]
    await one.callAll(3)
    await put([{ scope: 'tenant', per_day: 5 }])
    expect((await one.callAll(9)) + (await two.callAll(9))).toBe(2)
  })

  it('are of one tool, key and agent', async () => {
    const { session, put } = await opened()
    await put([{ scope: 'tenant', per_minute: 1_000 }])
    const one = await session('one')
    await one.callAll(2, 'file_read')
    await one.callAll(2, 'file_write')
    await one.callAll(2, 'file_read', { key: 'k1', agent: 'pm' })
    expect(one.asks.count).toBe(6)
    expect((await one.begin('file_read')).asksTenant).toBe(false)
    expect((await one.begin('execute_shell')).asksTenant).toBe(true)
    expect((await one.begin('execute_shell')).asksTenant).toBe(true)
  })
})

describe('limits that are put', () => {
  it('begin with what was used up of those before, in buckets, quotas and money', async () => {
    const { session, put, time } = await opened()
    const rules = [
      { scope: 'agent', name: 'minute', per_minute: 2 },
      { scope: 'agent', name: 'day', per_day: 2 },
      { scope: 'agent', name: 'money', budget_per_day: 20 },
    ]
    await put(rules, [{ per_call: 10 }])
    const one = await session('one')
    const agents = ['minute', 'day', 'money']
    const all = async () => Promise.all(agents.map((agent) => one.callAll(3, 'file_read', { key: 'k1', agent })))
    expect(await all()).toEqual([2, 2, 2])
    for (let again = 0; again < 3; again++) {
      await put(rules, [{ per_call: 10 }])
      expect(await all()).toEqual([0, 0, 0])
    }
    await put(
      [
        { scope: 'agent', name: 'minute', per_minute: 5 },
        { scope: 'agent', name: 'day', per_day: 3 },
        { scope: 'agent', name: 'money', budget_per_day: 40 },
      ],
      [{ per_call: 10 }],
    )
    expect(await all()).toEqual([3, 1, 2])
    time.now += 60_000
    expect(await one.callAll(9, 'file_read', { key: 'k1', agent: 'minute' })).toBe(5)
  })

  it('count calls that run: those that were admitted and those that began by a lease', async () => {
    const { session, put } = await opened()
    const one = await session('one')
    const free = await one.begin('execute_shell')
    await put([{ scope: 'tool', name: '*', concurrency: 2 }])
    const running = await one.begin('execute_shell')
    expect('failure' in (await one.begin('execute_shell'))).toBe(true)
    await put([{ scope: 'tool', name: '*', concurrency: 2 }])
    expect('failure' in (await one.begin('execute_shell'))).toBe(true)
    running.end?.()
    expect('failure' in (await one.begin('execute_shell'))).toBe(false)
    free.end?.()
    expect('failure' in (await one.begin('execute_shell'))).toBe(false)
    expect('failure' in (await one.begin('execute_shell'))).toBe(true)
  })
})

describe('ends of calls', () => {
  it('that are quick and alike are told as one, with sums and the milliseconds of each', async () => {
    const { session, time, report, audit } = await opened()
    const one = await session('one')
    for (const ms of [1, 1, 50]) {
      const begun = await one.begin('file_read')
      time.now += ms
      begun.end?.()
    }
    await one.call('file_write')
    const failed = await one.begin('file_read')
    failed.end?.({ kind: 'failed', failure: { code: 'not_found', message: 'gone' } })
    for (let time = 0; time < 2; time++) await one.call('execute_shell')
    await one.tell()
    expect(one.asks.reports).toBe(1)
    expect((await report({ groupBy: 'tool' })).groups).toMatchObject([
      { name: 'file_read', calls: 4, failed: 1, ms: 52, bytesIn: 8, bytesOut: 16, reasons: { not_found: 1 } },
      { name: 'execute_shell', calls: 2 },
      { name: 'file_write', calls: 1 },
    ])
    expect((await report({ where: { tool: 'file_read' } })).total.p50Ms).toBeLessThanOrEqual(1)
    expect((await report({ where: { tool: 'file_read' } })).total.p99Ms).toBeGreaterThan(45)
    const calls = (await audit()).map(({ subject, decision, count }) => [subject, decision, count])
    expect(calls).toEqual([
      ['file_read', 'done', 3],
      ['file_write', 'done', 1],
      ['file_read', 'failed', 1],
      ['execute_shell', 'done', 1],
      ['execute_shell', 'done', 1],
    ])
  })

  it('are counted once when the tenant took them and its answer was lost, over a restart too', async () => {
    const { session, reach, tenant, report } = await opened()
    const one = await session('one')
    await one.callAll(5)
    const end = async (...given: Parameters<typeof tenant.calls.end>) => {
      await tenant.calls.end(...given)
      throw new Error('the answer is lost')
    }
    Object.assign(reach, { tenant: { calls: { end } } })
    await one.tell()
    Object.assign(reach, { tenant })
    await one.callAll(2)
    await one.tell()
    expect((await report()).total.calls).toBe(7)
    await one.reopen().outbox.tell()
    expect((await report()).total.calls).toBe(7)
  })

  it('are all told after the tenant could not be reached for longer than memory holds them', async () => {
    const { session, reach, report } = await opened()
    const one = await session('one')
    reach.isDown = true
    expect(await one.callAll(9_000)).toBe(9_000)
    await one.tell()
    reach.isDown = false
    await one.tell()
    expect((await report()).total.calls).toBe(9_000)
    expect(one.accounting.outbox.hasUnacknowledged).toBe(false)
  })

  it('that an earlier version of the session wrote are told', async () => {
    const { session, report, audit } = await opened()
    const sql = new NodeSql()
    sql.all(
      `CREATE TABLE registered_running (call_id TEXT NOT NULL PRIMARY KEY, call TEXT NOT NULL) STRICT, WITHOUT ROWID`,
    )
    sql.all(`CREATE TABLE registered_ended (number INTEGER PRIMARY KEY, call TEXT NOT NULL) STRICT`)
    const call = (callId: string, failure: string | null) =>
      JSON.stringify({
        ...{ key: 'k1', agent: 'sofia', callId, session: 'one', tool: 'weather', version: 3, startedAt: 1_000_000 },
        ...{ ms: 7, failure, bytesIn: 1, bytesOut: 2, sandboxMs: 3 },
      })
    sql.all('INSERT INTO registered_running VALUES (?, ?)', 'a.1', call('a.1', 'lost'))
    sql.all('INSERT INTO registered_ended VALUES (4, ?)', call('b.1', null))
    const one = await session('one', sql)
    expect(one.accounting.outbox.hasUnacknowledged).toBe(true)
    await one.tell()
    expect((await report()).total).toMatchObject({ calls: 2, failed: 1, sandboxMs: 6, reasons: { lost: 1 } })
    expect((await audit()).map(({ detail }) => detail)).toMatchObject([
      { call: 'b.1', version: 3 },
      { call: 'a.1', version: 3 },
    ])
  })

  it('of work that outlives its call come with the work’s end, over a restart too', async () => {
    const { session, report, time } = await opened()
    const one = await session('one')
    const sql = one.sql
    const open = (callId: string) => {
      const call = { tool: 'code_task_execute', args: {} }
      const stopwatch = new Stopwatch(() => time.now)
      const account = one.accounting.open({ callId, call, by: SOFIA, startedAt: time.now, stopwatch })
      expect(account.admit()).toBeNull()
      one.accounting.outbox.noteRunning(callId)
      account.hold()
      account.end({ kind: 'pending', soFar: DONE.result, next: { tool: 'x', args: {} }, retryAfterMs: 1 })
    }
    open('first')
    open('second')
    await one.tell()
    expect((await report()).total.calls).toBe(0)
    time.now += 5_000
    one.accounting.workEnded('first', { kind: 'failed', failure: { code: 'timeout', message: 'late' } }, 4_000)
    await one.tell()
    expect((await report()).total).toMatchObject({ calls: 1, sandboxMs: 4_000, ms: 5_000, reasons: { timeout: 1 } })

    const anew = await session('one', sql, ['second'])
    time.now += 1_000
    anew.accounting.workEnded('second', DONE, 3_000)
    await anew.tell()
    expect((await report()).total).toMatchObject({ calls: 2, failed: 1, sandboxMs: 7_000, ms: 11_000 })
  })
})
