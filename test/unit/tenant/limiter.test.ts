import { describe, expect, it } from 'vitest'
import {
  DEFAULT_CALLS_PER_MINUTE,
  DEFAULT_RUNNING_CALLS,
  LEAST_SHARING_SESSIONS,
  MAX_GRANTED_CALLS,
  MAX_RUNNING_CALLS,
  MIN_GRANTED_CALLS,
} from '../../../src/core/limits/usage.ts'
import { LimitSettings } from '../../../src/registry/limit-settings.ts'
import { batchOf } from '../../../src/tenant/granted-batches.ts'
import { Limiter } from '../../../src/tenant/limiter.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const WHO = { key: 'k1', agent: 'sofia', tool: 'one' }
const HOUR_MS = 3_600_000
const settingsOf = (...rules: readonly object[]) => LimitSettings.parse({ rules })

function open(...rules: readonly object[]) {
  const clock = fakeClock()
  const limiter = new Limiter({
    clock,
    settings: settingsOf(...rules),
    today: () => ({ calls: 0, cost: 0 }),
    children: { places: () => [], placesOfRunning: () => [], renew: () => undefined },
  })
  let number = 0
  /** How many of so many calls may begin; they go on. */
  const begun = (calls: number, who = WHO) => {
    let admitted = 0
    for (let call = 0; call < calls; call++) {
      try {
        limiter.begin(`c${number++}`, who, HOUR_MS)
        admitted++
      } catch {
        // refused
      }
    }
    return admitted
  }
  return { limiter, clock, begun }
}

describe('other rules', () => {
  it('hold at once for the calls that run: what they count together is as it was', () => {
    const { limiter, begun } = open()
    begun(3)
    limiter.change(settingsOf({ scope: 'agent', name: 'sofia', concurrency: 4 }))
    expect(begun(3)).toBe(1)
    limiter.end('c0')
    expect(begun(3)).toBe(1)
    // Changed once more, each call counts once and not twice.
    limiter.change(settingsOf({ scope: 'agent', name: 'sofia', concurrency: 6 }))
    expect(begun(9)).toBe(2)
  })

  it('hold for all calls that run, also when no further one could be remembered', () => {
    const { limiter, begun } = open({ scope: 'tenant' })
    expect(begun(MAX_RUNNING_CALLS + 1)).toBe(MAX_RUNNING_CALLS)
    limiter.change(settingsOf({ scope: 'tenant' }, { scope: 'tool', name: 'one', concurrency: 5 }))
    limiter.end('c0')
    expect(begun(1)).toBe(0)
  })

  it('leave used up what was, and have their own rate from then on', () => {
    const { limiter, clock, begun } = open({ scope: 'agent', name: '*', per_minute: 5 })
    expect(begun(9)).toBe(5)
    limiter.change(settingsOf({ scope: 'agent', name: '*', per_minute: 8 }))
    expect(begun(9)).toBe(3)
    limiter.change(settingsOf({ scope: 'agent', name: '*', per_minute: 2 }))
    expect(begun(9)).toBe(0)
    clock.advance(60_000)
    expect(begun(9)).toBe(2)
  })
})

describe('calls that are granted', () => {
  const wanted = (wants: number, node = 'n1') => ({ node, who: WHO, wants, waits: false, lastsMs: HOUR_MS })

  it('are as many as the session wants, of its share of half of what is left, and count as begun', () => {
    const { limiter, begun } = open({ scope: 'tool', name: 'one', concurrency: 100 })
    limiter.begin('first', WHO, HOUR_MS)
    expect(limiter.grant('a', wanted(5))).toBe(5)
    expect(begun(200)).toBe(94)
    const wide = open({ scope: 'tool', name: 'one', per_minute: 1_000 })
    expect(wide.limiter.grant('a', wanted(1_000))).toBe(1_000 / (2 * LEAST_SHARING_SESSIONS))
    expect(wide.limiter.grant('b', wanted(1_000))).toBe(0)
    expect(wide.limiter.grant('c', wanted(1_000, 'n2'))).toBe(900 / (2 * LEAST_SHARING_SESSIONS))
    const free = open()
    expect(free.limiter.grant('a', wanted(1_000_000))).toBe(MAX_GRANTED_CALLS)
  })

  it('leave half of what was left, however many sessions ask, and are shared by those that asked lately', () => {
    const { limiter, clock, begun } = open({ scope: 'tenant' }, { scope: 'tool', name: 'one', per_minute: 10_000 })
    const ask = (sessions: number) =>
      Array.from({ length: sessions }, (_, n) => limiter.grant(`${clock.now()} ${n}`, wanted(1_000, `n${n}`)))
    ask(100)
    limiter.giveBack(Array.from({ length: 100 }, (_, n) => ({ id: `${clock.now()} ${n}`, made: 0 })))
    // The hundred are known now.
    const granted = ask(100)
    expect(Math.max(...granted)).toBe(50)
    const sum = granted.reduce((all, one) => all + one, 0)
    expect(sum).toBeLessThan(5_000)
    expect(sum + begun(2_000) + limiter.grant('more', wanted(1_000, 'new'))).toBeLessThan(10_000)
    clock.advance(60_000)
    expect(limiter.grant('alone', wanted(1_000, 'later'))).toBeGreaterThan(500)
  })

  it('are none where little is left, and so many where enough is', () => {
    const left = MIN_GRANTED_CALLS * 2 * LEAST_SHARING_SESSIONS
    const granted = (concurrency: number) =>
      open({ scope: 'tool', name: 'one', concurrency }).limiter.grant('a', wanted(1_000))
    expect([granted(left - 1), granted(left)]).toEqual([0, MIN_GRANTED_CALLS])
  })

  it('leave room for half of what may run at all', () => {
    const { limiter, begun } = open({ scope: 'tenant' })
    begun(MAX_RUNNING_CALLS / 2 - 1)
    expect(limiter.grant('a', wanted(10))).toBe(10)
    expect(limiter.grant('b', wanted(10))).toBe(0)
  })

  it('are not among those that may run at once without a rule: they are quick, and wait for nothing', () => {
    const { limiter, begun } = open({ scope: 'tool', name: 'one', per_minute: 60_000 })
    expect(limiter.grant('a', wanted(900))).toBe(900)
    expect(begun(DEFAULT_RUNNING_CALLS + 1)).toBe(DEFAULT_RUNNING_CALLS)
  })

  it('that wait for something are granted where no rule counts how many run', () => {
    const waiting = { ...wanted(5), waits: true }
    expect(open({ scope: 'tool', name: 'one', per_minute: 60 }).limiter.grant('a', waiting)).toBe(5)
    expect(open({ scope: 'agent', name: '*', concurrency: 1_000 }).limiter.grant('a', waiting)).toBe(0)
  })

  it.each([
    ['place', { concurrency: 60 }],
    ['part of the rate', { per_minute: 60 }],
    ['part of the day', { per_day: 60 }],
  ])('that were not made are given back, with their %s, each once', (_, rule) => {
    const { limiter, begun } = open({ scope: 'tool', name: 'one', ...rule })
    expect(limiter.grant('a', wanted(6))).toBe(6)
    const over = [{ id: 'a', made: 0 }]
    limiter.giveBack(over)
    limiter.giveBack([...over, { id: 'never granted', made: 0 }])
    for (let call = 0; call < 6; call++) limiter.end('a')
    expect(begun(99)).toBe(60)
  })

  it('that were made stay counted when the rest is given back, until each has ended, under new rules too', () => {
    const { limiter, begun } = open({ scope: 'tool', name: 'one', concurrency: 60 })
    limiter.grant('a', wanted(6))
    limiter.end('a')
    limiter.giveBack([{ id: 'a', made: 3 }])
    limiter.change(settingsOf({ scope: 'tool', name: 'one', concurrency: 50 }))
    expect(begun(99)).toBe(48)
    limiter.end('a')
    limiter.end('a')
    limiter.end('a')
    expect(begun(99)).toBe(2)
  })

  it('are given back once, however often a session repeats it, and to no rule under which they took nothing', () => {
    const { limiter, begun } = open({ scope: 'tool', name: 'one', per_minute: 60 })
    limiter.grant('a', wanted(6))
    limiter.giveBack([{ id: 'a', made: 3 }])
    limiter.giveBack([{ id: 'a', made: 3 }])
    expect(begun(99)).toBe(57)

    const changed = open({ scope: 'tool', name: 'one', per_minute: 60 })
    changed.limiter.grant('a', wanted(6))
    changed.limiter.change(settingsOf({ scope: 'agent', name: 'sofia', per_minute: 60 }))
    expect(changed.begun(10)).toBe(10)
    changed.limiter.giveBack([{ id: 'a', made: 0 }])
    expect(changed.begun(99)).toBe(50)
  })

  it('count once when the request that asked for them is repeated, and nothing of them stays', () => {
    const { limiter, begun } = open({ scope: 'tool', name: 'one', per_minute: 200, concurrency: 100 })
    for (let time = 0; time < 3; time++) {
      limiter.begin('first', WHO, HOUR_MS)
      expect(limiter.grant(batchOf('first'), wanted(9))).toBe(9)
    }
    limiter.giveBack([{ id: batchOf('first'), made: 0 }])
    limiter.end('first')
    expect(begun(200)).toBe(100)
  })

  it('count once under one id, and nothing of them stays', () => {
    const { limiter, begun } = open({ scope: 'tool', name: 'one', concurrency: 100 })
    limiter.grant('a', wanted(5))
    limiter.grant('a', wanted(5))
    limiter.giveBack([{ id: 'a', made: 0 }])
    expect(limiter.grant('b', wanted(10))).toBe(10)
    limiter.giveBack([{ id: 'b', made: 0 }])
    expect(begun(200)).toBe(100)
  })

  it('count no more after as long as they could last', () => {
    const { limiter, clock, begun } = open({ scope: 'tool', name: 'one', concurrency: 60 })
    limiter.grant('a', { ...wanted(6), lastsMs: 10_000 })
    clock.advance(9_000)
    expect(begun(99)).toBe(54)
    clock.advance(2_000)
    expect(begun(99)).toBe(6)
  })
})

describe('calls that began without asking', () => {
  it('count as running when they are told of, each once, and end', () => {
    const { limiter, begun } = open({ scope: 'tool', name: 'one', concurrency: 3 })
    limiter.join('a', WHO, HOUR_MS)
    limiter.join('a', WHO, HOUR_MS)
    expect(begun(9)).toBe(2)
    limiter.end('a')
    limiter.end('a')
    expect(begun(9)).toBe(1)
  })

  it('count no more after as long as they could last', () => {
    const { limiter, clock, begun } = open({ scope: 'tool', name: 'one', concurrency: 1 })
    limiter.join('a', WHO, 10_000)
    clock.advance(9_999)
    expect(begun(1)).toBe(0)
    clock.advance(1_001)
    expect(begun(1)).toBe(1)
  })

  it('are remembered only as long as there is room for them', () => {
    const { limiter, begun } = open({ scope: 'tenant' })
    for (let call = 0; call < MAX_RUNNING_CALLS + 3; call++) limiter.join(`j${call}`, WHO, HOUR_MS)
    expect(begun(1)).toBe(0)
    limiter.end('j0')
    // One that found no room left no room by its end either.
    limiter.end(`j${MAX_RUNNING_CALLS + 2}`)
    expect(begun(3)).toBe(1)
  })

  it('use up the rate that holds without a rule, and of it alone; the next ones should ask when half is gone', () => {
    const { limiter, clock, begun } = open()
    const half = DEFAULT_CALLS_PER_MINUTE / 2
    limiter.noteUncounted(half)
    expect(limiter.isBusy).toBe(false)
    limiter.noteUncounted(1)
    expect(limiter.isBusy).toBe(true)
    limiter.noteUncounted(-half)
    expect(limiter.isBusy).toBe(true)
    limiter.noteUncounted(half - 2)
    expect(begun(9)).toBe(1)
    clock.advance(60_000)
    expect(limiter.isBusy).toBe(false)

    const ruled = open({ scope: 'tenant', per_minute: 7 })
    ruled.limiter.noteUncounted(DEFAULT_CALLS_PER_MINUTE)
    expect([ruled.limiter.isBusy, ruled.begun(9)]).toEqual([false, 7])
  })

  it('are none when none were told of', () => {
    const { limiter, begun } = open()
    limiter.noteUncounted(0)
    expect(begun(DEFAULT_RUNNING_CALLS + 1)).toBe(DEFAULT_RUNNING_CALLS)
    expect(limiter.isBusy).toBe(false)
  })
})

describe('a call that begins', () => {
  it('says whether the next one may have to wait: from half of what may run at once', () => {
    const { limiter } = open({ scope: 'tool', name: 'one', concurrency: 4 })
    expect([1, 2, 3].map((call) => limiter.begin(`${call}`, WHO, HOUR_MS))).toEqual([false, true, true])
    const free = open({ scope: 'tenant' })
    free.begun(MAX_RUNNING_CALLS / 2 - 1)
    expect(free.limiter.begin('half', WHO, HOUR_MS)).toBe(false)
    expect(free.limiter.begin('more', WHO, HOUR_MS)).toBe(true)
  })
})
