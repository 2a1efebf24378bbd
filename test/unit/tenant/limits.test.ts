import { describe, expect, it } from 'vitest'
import {
  DEFAULT_RUNNING_CALLS,
  MAX_LIMITED_NAMES,
  MAX_RUNNING_CALLS,
  RUNNING_GRACE_MS,
} from '../../../src/core/limits/usage.ts'
import { LimitSettings } from '../../../src/registry/limit-settings.ts'
import { answerOf } from '../../support/answer-of.ts'
import { openTenant } from './open.ts'
import { admitted, Caller, OWNER, register } from './registry-tools.ts'

async function limited(...rules: readonly object[]) {
  const opened = openTenant()
  await register(opened.tenant, ['one', 'two'])
  await opened.tenant.limits.put(LimitSettings.parse({ rules }), OWNER)
  return { ...opened, caller: new Caller(opened.tenant) }
}

type Begun = Awaited<ReturnType<Caller['begin']>>

async function ended(call: Begun): Promise<Begun> {
  if ('end' in call) await call.end()
  return call
}

/** Calls that end at once, each by another agent. */
function inventing(caller: Caller, key: string, name = 'agent') {
  let invented = 0
  return async () => ended(await caller.begin('one', { agent: `${name}-${invented++}`, key }))
}

const refusal = (scope: string, kind: string, fields: object = {}) => ({
  failure: { code: 'rate_limited', data: expect.objectContaining({ scope, kind, remaining: 0, ...fields }) },
})

describe('how often a tenant’s tools may be called', () => {
  it('lets a burst through, then as many as the rate allows, and says when the next may come', async () => {
    const { caller, time } = await limited({ scope: 'agent', name: 'sofia', per_minute: 6, burst: 3 })
    expect(await admitted(5, () => caller.begin('one'))).toBe(3)
    expect(await caller.begin('one')).toMatchObject(
      refusal('agent', 'per-minute', { limit: 6, windowMs: 60_000, retryAfterMs: 10_000 }),
    )
    time.now += 9_999
    expect(await admitted(1, () => caller.begin('one'))).toBe(0)
    time.now += 1
    expect(await admitted(2, () => caller.begin('one'))).toBe(1)
    time.now += 3_600_000
    expect(await admitted(9, () => caller.begin('one'))).toBe(3)
  })

  it('counts tenant, keys, agents and tools apart, each by the first rule that fits', async () => {
    const { caller } = await limited(
      { scope: 'tool', name: 'two', per_minute: 1 },
      { scope: 'agent', name: 'team-a', per_minute: 4 },
      { scope: 'agent', name: 'team-*', per_minute: 2 },
      { scope: 'key', name: 'k2', per_minute: 1 },
    )
    const by = (agent: string | null, tool = 'one', key: string | null = 'k1') =>
      admitted(9, () => caller.begin(tool, { agent, key }))
    expect(await by('sofia')).toBe(9)
    expect(await by('team-a')).toBe(4)
    expect(await by('team-b')).toBe(2)
    expect(await by('team-c')).toBe(2)
    expect(await by('sofia', 'two')).toBe(1)
    expect(await by('pm', 'one', 'k2')).toBe(1)
    expect(await by(null, 'one', null)).toBe(9)
  })

  it('takes nothing from one limit for a call that another refuses', async () => {
    const { caller } = await limited({ scope: 'tenant', per_minute: 3 }, { scope: 'agent', name: 'bad', per_minute: 1 })
    expect(await admitted(9, () => caller.begin('one', { agent: 'bad' }))).toBe(1)
    expect(await admitted(9, () => caller.begin('one', { agent: 'good' }))).toBe(2)
  })

  it('asks whether a tool is allowed before it counts', async () => {
    const { tenant, caller } = await limited({ scope: 'tenant', per_minute: 1 })
    await register(tenant, ['off'], { enabled: false })
    for (let time = 0; time < 3; time++)
      expect(await caller.begin('off')).toMatchObject({ failure: { code: 'forbidden' } })
    expect(await admitted(2, () => caller.begin('one'))).toBe(1)
  })

  it('gives nobody a fresh rate for inventing names, and keeps no more of them than it may', async () => {
    const { caller } = await limited({ scope: 'agent', name: '*', per_minute: 1 })
    // All that find no place share one rate.
    expect(await admitted(MAX_LIMITED_NAMES, inventing(caller, 'k1'))).toBe(MAX_LIMITED_NAMES / 2 + 1)
    expect(await caller.begin('one', { agent: 'late' })).toMatchObject({
      failure: { message: expect.stringContaining('further agents of this key') },
    })
  })

  it('keeps the rates of keys, tools and the agents of other keys whatever names a key invents', async () => {
    const { caller, time } = await limited(
      { scope: 'agent', name: 'sofia', per_minute: 2 },
      { scope: 'agent', name: '*', per_minute: 1 },
      { scope: 'tool', name: 'two', per_minute: 1 },
      { scope: 'key', name: 'k3', per_minute: 1 },
    )
    const by = (agent: string, key: string, tool = 'one') =>
      admitted(5, async () => ended(await caller.begin(tool, { agent, key })))
    expect(await by('known', 'k2')).toBe(1)
    await admitted(MAX_LIMITED_NAMES, inventing(caller, 'k1'))

    expect(await by('known', 'k2')).toBe(0)
    for (const agent of ['pm', 'cto', 'dev']) expect([agent, await by(agent, 'k2')]).toEqual([agent, 1])
    expect(await by('sofia', 'k1')).toBe(2)
    expect(await by('of two', 'k2', 'two')).toBe(1)
    expect([await by('a', 'k3'), await by('b', 'k3')]).toEqual([1, 0])
    // What is full again is forgotten, and makes room.
    time.now += 60_000
    expect(await admitted(1, inventing(caller, 'k1', 'later'))).toBe(1)
    expect([await by('later-1', 'k1'), await by('later-2', 'k1')]).toEqual([1, 1])
  })
})

describe('how many calls of a tenant run at once', () => {
  it('lets in another one when one has ended', async () => {
    const { caller } = await limited({ scope: 'tool', name: 'one', concurrency: 2 })
    const first = await caller.begin('one')
    await caller.begin('one')
    expect(await caller.begin('one')).toMatchObject(refusal('tool', 'concurrency', { limit: 2, windowMs: null }))
    if ('end' in first) await first.end()
    expect(await admitted(3, () => caller.begin('one'))).toBe(1)
  })

  it('counts a call once that asks twice whether it may begin, since the first answer was lost', async () => {
    const { tenant } = await limited({ scope: 'tool', name: 'one', concurrency: 1 })
    const call = { callId: 'c1', reference: 'one', session: 's', key: 'k1', agent: null }
    for (let time = 0; time < 2; time++) expect(await tenant.calls.begin(call)).toMatchObject({ tool: {} })
    const other = { ...call, callId: 'c2' }
    expect(await answerOf(tenant.calls.begin(other))).toMatchObject(refusal('tool', 'concurrency'))
    const ended = {
      ...call,
      number: 1,
      tool: 'one',
      startedAt: 1,
      ms: 1,
      failure: null,
      bytesIn: 0,
      bytesOut: 0,
      sandboxMs: 0,
    }
    await tenant.calls.end('n', [ended])
    expect(await tenant.calls.begin(other)).toMatchObject({ tool: {} })
  })

  it('forgets a call whose end nobody told, after as long as it could last', async () => {
    const { caller, time } = await limited({ scope: 'tool', name: 'one', concurrency: 1 })
    await caller.begin('one')
    time.now += 30_000 + RUNNING_GRACE_MS - 1
    expect(await admitted(1, () => caller.begin('one'))).toBe(0)
    time.now += 1_001
    expect(await admitted(1, () => caller.begin('one'))).toBe(1)
  })

  it('is bounded without a word, and whatever is said', async () => {
    const { caller } = await limited()
    expect(await admitted(DEFAULT_RUNNING_CALLS + 5, () => caller.begin('one'))).toBe(DEFAULT_RUNNING_CALLS)
    const free = await limited({ scope: 'tenant' })
    expect(await admitted(MAX_RUNNING_CALLS + 5, () => free.caller.begin('one'))).toBe(MAX_RUNNING_CALLS)
  })
})

describe('how much of a tenant’s tools may be used in a day', () => {
  const DAY = 24 * 3_600_000
  /** The fake clock begins within the first hour of 1970. */
  it('counts ended and running calls until midnight in UTC, also after the object was made anew', async () => {
    const { tenant, reopen, caller, time } = await limited({ scope: 'agent', name: '*', per_day: 3 })
    for (let call = 0; call < 2; call++) {
      const begun = await caller.begin('one')
      if ('end' in begun) await begun.end({ startedAt: time.now })
    }
    expect(await admitted(3, () => caller.begin('one'))).toBe(1)
    expect(await caller.begin('one')).toMatchObject(
      refusal('agent', 'per-day', { limit: 3, windowMs: DAY, retryAfterMs: DAY - time.now }),
    )
    expect(await admitted(4, () => caller.begin('one', { agent: 'pm' }))).toBe(3)
    expect(await tenant.limits.read()).toMatchObject({ rules: [{ per_day: 3 }] })

    const anew = new Caller(reopen())
    expect(await admitted(3, () => anew.begin('one'))).toBe(1) // two have ended, and nobody remembers those that ran
    time.now = DAY
    expect(await admitted(9, () => anew.begin('one'))).toBe(3)
  })

  it('refuses a call that costs more than is left of the budget', async () => {
    const { tenant, caller, time } = await limited()
    await tenant.limits.put(
      LimitSettings.parse({
        rules: [{ scope: 'tenant', budget_per_day: 1_000 }],
        prices: [{ tool: 'two', per_call: 400, per_sandbox_second: 100 }],
      }),
      OWNER,
    )
    const dear = await caller.begin('two')
    if ('end' in dear) await dear.end({ startedAt: time.now, sandboxMs: 1_500 })
    expect(await admitted(3, () => caller.begin('two'))).toBe(1) // 550 spent, 400 reserved, 50 left
    expect(await caller.begin('two')).toMatchObject(refusal('tenant', 'budget-per-day', { limit: 1_000 }))
    expect(await admitted(2, () => caller.begin('one'))).toBe(2) // costs nothing
  })
})
