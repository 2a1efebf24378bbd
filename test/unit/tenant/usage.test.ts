import { describe, expect, it } from 'vitest'
import {
  MAX_REPORTED_USAGE_ROWS,
  MAX_USAGE_ROWS_PER_DAY,
  USAGE_RETENTION_DAYS,
} from '../../../src/core/limits/usage.ts'
import { encodeToolUsage, encodeUsageSummary, usageOfPeriod } from '../../../src/http/dialects/toolcore/usage-codec.ts'
import { LimitSettings } from '../../../src/registry/limit-settings.ts'
import type { UsageQuery } from '../../../src/tenant/usage-api.ts'
import { answerOf } from '../../support/answer-of.ts'
import { openTenant } from './open.ts'
import { Caller, OWNER, register } from './registry-tools.ts'

const DAY = 24 * 3_600_000
const ALL: UsageQuery = { from: 0, to: 24, groupBy: null, where: {}, limit: 10 }

async function open() {
  const opened = openTenant()
  await register(opened.tenant, ['one', 'two'])
  return { ...opened, ...using(opened.tenant) }
}

/** Calls, and reports of them. */
function using(tenant: ReturnType<typeof openTenant>['tenant']) {
  const caller = new Caller(tenant)
  return {
    caller,
    async call(tool: string, how: object = {}, by: object = {}, from = caller) {
      const begun = await from.begin(tool, by)
      if ('end' in begun) await begun.end(how)
    },
    report: (query: Partial<UsageQuery> = {}) => tenant.usage.read({ ...ALL, ...query }),
  }
}

describe('what calls of a tenant’s tools used', () => {
  it('is counted of an end that says something impossible, and of those that are told with it', async () => {
    const { report, call } = await open()
    await call('one', { ms: 1.5, sandboxMs: -3, bytesIn: Number.NaN, bytesOut: 1e300 })
    await call('one', { startedAt: Number.POSITIVE_INFINITY, ms: 5 })
    await call('two', { ms: 7 })
    const { total } = await report()
    expect(total).toMatchObject({ calls: 3, ms: 14, bytesIn: 2, sandboxMs: 0 })
    expect(Number.isSafeInteger(total.bytesOut)).toBe(true)
  })

  it('has commands that ended with another code than 0 among the reasons, and not among the failed', async () => {
    const { report, call } = await open()
    await call('one', {})
    await call('one', { isNonzeroExit: true })
    await call('one', { isNonzeroExit: true, failure: 'timeout' })
    expect((await report()).total).toMatchObject({ calls: 3, failed: 1, reasons: { nonzero_exit: 1, timeout: 1 } })
  })

  it('is summed up by tool, agent, key, session, day and hour, and by what is asked for', async () => {
    const { report, call } = await open()
    await call('one', { bytesIn: 10, bytesOut: 20, sandboxMs: 1_500 })
    await call('one', { failure: 'timeout', ms: 40 })
    await call('two', { startedAt: DAY + 1 }, { agent: null, key: null })
    const whole = { to: 48 }
    expect((await report(whole)).total).toMatchObject({
      ...{ calls: 3, failed: 1, refused: 0, ms: 60, bytesIn: 12, bytesOut: 24, sandboxMs: 1_500, cost: 0 },
      reasons: { timeout: 1 },
    })
    const names = async (groupBy: UsageQuery['groupBy']) =>
      (await report({ ...whole, groupBy })).groups.map(({ name, calls }) => [name, calls])
    expect(await names('tool')).toEqual([
      ['one', 2],
      ['two', 1],
    ])
    expect(await names('agent')).toEqual([
      ['sofia', 2],
      [null, 1],
    ])
    expect(await names('key')).toEqual([
      ['k1', 2],
      [null, 1],
    ])
    expect(await names('day')).toEqual([
      ['0', 2],
      ['1', 1],
    ])
    expect(await names('hour')).toEqual([
      ['0', 2],
      ['24', 1],
    ])
    expect((await report({ ...whole, where: { tool: 'two' } })).total.calls).toBe(1)
    expect((await report({ ...whole, where: { tool: 'two', agent: 'sofia' } })).total.calls).toBe(0)
    expect(await report({ ...whole, groupBy: 'tool', limit: 1 })).toMatchObject({
      more: true,
      groups: [{ name: 'one' }],
    })
    expect((await report()).total.calls).toBe(2)
  })

  it('counts each end once, however often a session tells it', async () => {
    const { tenant, reopen, report, caller } = await open()
    const begun = await Promise.all([1, 2, 3].map(() => caller.begin('one')))
    const ended = begun.flatMap((call) => ('ended' in call ? [call.ended()] : []))
    await tenant.calls.end(caller.node, ended.slice(0, 2))
    await tenant.calls.end(caller.node, ended)
    await reopen().calls.end(caller.node, ended)
    expect((await report()).total.calls).toBe(3)
    // Another session's numbers are its own.
    await tenant.calls.end('other', ended.slice(0, 1))
    expect((await report()).total.calls).toBe(4)
  })

  it('keeps nothing of what a session told once it is removed, but its use', async () => {
    const { tenant, sql, report, caller } = await open()
    await tenant.sessions.add({ name: 's', nodeId: caller.node, title: '', createdAt: 1 })
    const call = await caller.begin('one')
    if ('end' in call) await call.end()
    await tenant.sessions.remove('s')
    expect(sql.all('SELECT node_id FROM told_ends')).toEqual([])
    expect((await report()).total.calls).toBe(1)
  })

  it('tells percentiles to within 4.5 %', async () => {
    const { report, call } = await open()
    for (let ms = 1; ms <= 1_000; ms++) await call('one', { ms })
    const { total } = await report()
    for (const [got, exact] of [
      [total.p50Ms, 500],
      [total.p95Ms, 950],
      [total.p99Ms, 990],
    ] as const) {
      expect(Math.abs((got ?? 0) - exact) / exact).toBeLessThan(0.045)
    }
    await call('two', { failure: 'lost', ms: 0 })
    expect(await report({ where: { tool: 'two' } })).toMatchObject({ total: { calls: 1, p50Ms: null } })
  })

  it('counts refused calls apart, and writes a flood of them down as one row', async () => {
    const { tenant, report, call, sql, alarm } = await open()
    await register(tenant, ['closed'], { allowed_agents: ['pm'] })
    await tenant.limits.put(LimitSettings.parse({ rules: [{ scope: 'tool', name: 'one', per_minute: 1 }] }), OWNER)
    for (let time = 0; time < 50; time++) await call('closed')
    for (let time = 0; time < 50; time++) await call('one')
    expect(alarm.at).not.toBeNull()
    const { statements } = sql
    for (let time = 0; time < 100; time++)
      await answerOf(tenant.calls.begin({ ...NOBODY, callId: `c${time}`, reference: 'none' }))
    expect((sql.statements - statements) / 100, 'statements of a refusal: to look for the tool').toBeLessThan(3)
    expect((await report()).total).toMatchObject({
      calls: 1,
      refused: 99,
      reasons: { forbidden: 50, rate_limited: 49 },
    })
    await tenant.wake()
    expect((await report()).total.refused).toBe(99)
  })

  it('costs what prices say when a call ends', async () => {
    const { tenant, report, call } = await open()
    await tenant.limits.put(
      LimitSettings.parse({
        prices: [
          { tool: 'two', per_call: 5 },
          { per_call: 100, per_sandbox_second: 10 },
        ],
      }),
      OWNER,
    )
    await call('two', { sandboxMs: 9_000 })
    await call('one', { sandboxMs: 1_001, failure: 'timeout' })
    expect((await report()).total.cost).toBe(5 + 100 + 11)
  })

  it('keeps a bounded number of rows a day: sessions are told apart no longer, then agents; the sums stay true', async () => {
    const { tenant, reopen, report, sql, call } = await open()
    const some = 200
    // A day that is nearly half full.
    sql.all(
      `INSERT INTO usage SELECT 0, 'full', '', '', value, 1, 0, 0, 0, 0, 0, 0, 0, '{}', '{}', 0, 0 FROM json_each(?)`,
      JSON.stringify(Array.from({ length: MAX_USAGE_ROWS_PER_DAY / 2 - some / 2 }, (_, n) => `s${n}`)),
    )
    for (let n = 0; n < some; n++) await call('one', {}, { agent: `a${n % 4}` }, new Caller(tenant))
    const one = { where: { tool: 'one' }, limit: 500 }
    expect((await report(one)).total.calls).toBe(some)
    const sessions = (await report({ ...one, groupBy: 'session' })).groups
    expect(sessions).toHaveLength(some / 2 + 1)
    expect(sessions[0]).toMatchObject({ name: '*', calls: some / 2 })
    expect((await report({ ...one, groupBy: 'agent' })).groups.map(({ calls }) => calls)).toEqual([50, 50, 50, 50])

    sql.all(
      `INSERT INTO usage SELECT 1, 'full', '', '', value, 1, 0, 0, 0, 0, 0, 0, 0, '{}', '{}', 0, 0 FROM json_each(?)`,
      JSON.stringify(Array.from({ length: MAX_USAGE_ROWS_PER_DAY }, (_, n) => `s${n}`)),
    )
    const anew = using(reopen())
    await anew.call('two', {}, { agent: 'new' })
    expect((await anew.report({ groupBy: 'agent', where: { tool: '*' } })).groups).toMatchObject([
      { name: '*', calls: 1 },
    ])
  })

  it('is not told of when that would be made of too many rows', async () => {
    const { tenant, report, sql } = await open()
    for (let hour = 0; hour <= MAX_REPORTED_USAGE_ROWS / 10_000; hour++) {
      sql.all(
        `INSERT INTO usage SELECT ?, 'full', '', '', value, 1, 0, 0, 0, 0, 0, 0, 0, '{}', '{}', 0, 0 FROM json_each(?)`,
        hour,
        JSON.stringify(Array.from({ length: 10_000 }, (_, n) => `s${n}`)),
      )
    }
    expect(await answerOf(tenant.usage.read(ALL))).toMatchObject({
      failure: { code: 'limit_exceeded', message: expect.stringContaining('MAX_REPORTED_USAGE_ROWS') },
    })
    expect((await report({ to: 10 })).total.calls).toBe(100_000)
  })

  it('is dropped when it is too old, by an alarm', async () => {
    const { report, call, time, alarm, sql, tenant } = await open()
    await call('one')
    expect(alarm.at).toBe((USAGE_RETENTION_DAYS + 1) * DAY)
    time.now = (USAGE_RETENTION_DAYS + 1) * DAY
    await call('two', { startedAt: time.now })
    await tenant.wake()
    expect((await report()).total.calls).toBe(0)
    expect(sql.all('SELECT tool FROM usage')).toHaveLength(1)
  })
})

describe('what Toolcore’s usage engine says of it', () => {
  it('has tools with their rate of success and their average, and sums', async () => {
    const { report, call, time } = await open()
    await call('one', { ms: 10 })
    await call('one', { ms: 21, failure: 'upstream' })
    await call('two', {}, { agent: null })
    const period = usageOfPeriod(24, time.now, 'tool')
    const tools = await report(period)
    const names = new Map([['one', 'Number One']])
    expect(encodeToolUsage(tools, names)).toEqual({
      tools: [
        { tool_id: 'one', tool_name: 'Number One', calls: 2, success_rate: 0.5, avg_latency_ms: 15.5 },
        { tool_id: 'two', tool_name: 'two', calls: 1, success_rate: 1, avg_latency_ms: 10 },
      ],
    })
    const agents = await report(usageOfPeriod(24, time.now, 'agent'))
    expect(encodeUsageSummary({ tools, agents }, period, { now: time.now, microdao: null, names })).toMatchObject({
      summary: {
        ...{ tool_calls_total: 3, tool_calls_success: 2, tool_calls_failed: 1 },
        ...{ period_start: '1969-12-31T00:00:00.000Z', period_end: '1970-01-01T00:16:40.000Z' },
      },
      agents: [{ agent_id: 'sofia', tool_calls: 2 }],
      models: [],
    })
  })
})

const NOBODY = { key: null, agent: null, session: 's' }
