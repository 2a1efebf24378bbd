import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  HOST_FULL_MS,
  LEASE_ROUND_MS,
  MAX_WAITING_SESSIONS_OF_TENANT,
  QUIET_ENOUGH_MS,
  SANDBOX_RETRY_MS,
  SANDBOX_TURN_MS,
  TURN_KEPT_MS,
} from '../../../src/core/limits/leases.ts'
import { Leases } from '../../../src/leases/leases.ts'
import type { SandboxUse } from '../../../src/ports/sandbox-leases.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openLeasesTables } from '../../support/tables.ts'

const HOLD_MS = 600_000
const WAIT_MS = 30_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Leases of `max` sandboxes, and sessions that use them as the test says: busy, until it says otherwise. */
function bench(max: number, maxPerTenant = max) {
  const sql = new NodeSql()
  openLeasesTables(sql)
  const uses = new Map<string, SandboxUse>()
  const broken = new Set<string>()
  const queried: string[] = []
  const errors: unknown[] = []
  const open = () =>
    new Leases({
      sql,
      now: Date.now,
      max,
      maxPerTenant,
      session: (holder) => ({
        sandboxUse: async () => {
          if (broken.has(holder)) throw new Error('the session cannot be asked')
          return uses.get(holder) ?? { state: 'busy' }
        },
        giveSandboxBack: async () => {
          queried.push(holder)
          if (uses.get(holder)?.state === 'idle') await bench.leases.release(holder)
        },
      }),
      logError: (thrown) => errors.push(thrown),
    })
  const bench = {
    leases: open(),
    broken,
    queried,
    errors,
    /** The object was moved or restarted. */
    restart: () => {
      bench.leases = open()
    },
    idle: (holder: string, quietMs = 1_000, background = false) =>
      uses.set(holder, { state: 'idle', quietMs, background }),
    none: (holder: string) => uses.set(holder, { state: 'none' }),
    /** What became of asking for one: filled when it is answered. */
    ask: (holder: string, waitMs = WAIT_MS, hostIsFull = false) => {
      const answer: { state: 'waits' | 'granted' | 'refused'; message?: string; data?: unknown } = { state: 'waits' }
      void bench.leases.acquire({ holder, holdMs: HOLD_MS, waitMs, hostIsFull }).then(({ failure }) => {
        Object.assign(answer, failure ? { state: 'refused', ...failure } : { state: 'granted' })
      })
      return answer
    },
    granted: async (...holders: string[]) => {
      const answers = holders.map((holder) => bench.ask(holder, 0))
      await vi.advanceTimersByTimeAsync(0)
      expect(answers.map(({ state }) => state)).toEqual(holders.map(() => 'granted'))
    },
  }
  return bench
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const states = (answers: readonly { state: string }[]) => answers.map(({ state }) => state)

describe('one tenant alone', () => {
  it('may have all of them, and its own idle one goes for its next session, the longest quiet first', async () => {
    const { granted, ask, idle, queried } = bench(3)
    await granted('a/1', 'a/2', 'a/3')
    idle('a/2', 20_000)
    idle('a/3', 40_000)
    const next = ask('a/4')
    await pass(LEASE_ROUND_MS)
    expect(next.state).toBe('granted')
    expect(queried).toEqual(['a/3'])
  })

  it('has no more than its ceiling, and hears so', async () => {
    const { granted, ask } = bench(3, 2)
    await granted('a/1', 'a/2')
    const refused = ask('a/3', 1_000)
    await pass(1_000)
    expect(refused).toMatchObject({
      state: 'refused',
      code: 'rate_limited',
      message: expect.stringContaining('SANDBOXES_PER_TENANT'),
      data: { scope: 'tenant', kind: 'sandboxes', retryAfterMs: SANDBOX_RETRY_MS },
    })
    await granted('b/1')
  })

  it('at its ceiling does not have idle ones of others paused', async () => {
    const { granted, ask, idle, queried } = bench(3, 1)
    await granted('a/1', 'b/1')
    idle('b/1')
    ask('a/2', 2_000)
    await pass(2_000)
    expect(queried).toEqual([])
  })
})

describe('an idle sandbox is asked back', () => {
  it('of the tenant that has most, and never of one that has no more than who waits', async () => {
    const { granted, ask, idle, queried } = bench(4)
    await granted('a/1', 'a/2', 'b/1', 'c/1')
    for (const holder of ['a/1', 'b/1', 'c/1']) idle(holder)
    const [next, another] = [ask('d/1'), ask('c/2', 3_000)]
    await pass(0)
    expect(queried).toContain('a/1')
    expect(next.state).toBe('granted')
    await pass(3_000)
    expect(queried).not.toContain('b/1')
    expect(another.state).toBe('granted') // for its own idle one
    expect(queried).toContain('c/1')
  })

  it('where nothing was left in the background, if there is one', async () => {
    const { granted, ask, idle, queried } = bench(2)
    await granted('a/1', 'a/2')
    idle('a/1', 50_000, true)
    idle('a/2', 1_000)
    const next = ask('b/1')
    await pass(LEASE_ROUND_MS)
    expect(queried).toEqual(['a/2'])
    expect(next.state).toBe('granted')
  })

  it('and no more of them than are wanted', async () => {
    const { granted, ask, idle, queried } = bench(3)
    await granted('a/1', 'a/2', 'a/3')
    for (const holder of ['a/1', 'a/2', 'a/3']) idle(holder)
    ask('b/1')
    await pass(5_000)
    expect(queried).toHaveLength(1)
  })

  it('though another session cannot be asked', async () => {
    const { granted, ask, idle, broken, errors } = bench(2)
    await granted('a/1', 'a/2')
    idle('a/2')
    broken.add('a/1')
    const next = ask('b/1')
    await pass(LEASE_ROUND_MS)
    expect(next.state).toBe('granted')
    expect(errors).toHaveLength(1)
  })

  it('as soon as one is idle', async () => {
    const { granted, ask, idle, queried } = bench(1)
    await granted('a/1')
    ask('b/1')
    await pass(LEASE_ROUND_MS)
    expect(queried).toEqual([])
    idle('a/1')
    await pass(LEASE_ROUND_MS)
    expect(queried).toEqual(['a/1'])
  })

  it('that had no call for a moment only, when its session had its turn', async () => {
    const { granted, ask, idle, queried } = bench(1)
    await granted('a/1')
    idle('a/1', QUIET_ENOUGH_MS - 1)
    const next = ask('b/1')
    await pass(SANDBOX_TURN_MS - 1)
    expect(queried).toEqual([])
    await pass(LEASE_ROUND_MS)
    expect(queried).toEqual(['a/1'])
    expect(next.state).toBe('granted')
  })
})

describe('when all are at work', () => {
  it('whoever waits is served as soon as one ends, tenants in turn and each tenant in its order', async () => {
    const { granted, ask, leases } = bench(3)
    await granted('a/1', 'a/2', 'a/3')
    const waiting = ['a/4', 'a/5', 'b/1', 'b/2', 'c/1'].map((holder) => ask(holder))
    await pass(0)
    const served: string[] = []
    for (const holder of ['a/1', 'a/2', 'a/3']) {
      const before = states(waiting)
      await leases.release(holder)
      await pass(0)
      served.push(
        ...waiting.flatMap(({ state }, at) =>
          state !== before[at] ? [['a/4', 'a/5', 'b/1', 'b/2', 'c/1'][at] ?? ''] : [],
        ),
      )
    }
    // b and c have none, a has two and then one: after these everybody has one, and a came first.
    expect(served).toEqual(['b/1', 'c/1', 'a/4'])
  })

  it('is refused at the deadline, and told when to come again', async () => {
    const { granted, ask } = bench(1)
    await granted('a/1')
    const refused = ask('b/1')
    await pass(WAIT_MS - 1)
    expect(refused.state).toBe('waits')
    await pass(1)
    expect(refused).toMatchObject({
      state: 'refused',
      code: 'rate_limited',
      message: 'all sandboxes are at work, and none came free in time; wait 10 seconds, then call again',
      data: { scope: 'server', retryAfterMs: SANDBOX_RETRY_MS },
    })
  })

  it('what comes free is kept for a tenant that waited in vain, and for a while only', async () => {
    const { granted, ask, leases } = bench(2)
    await granted('a/1', 'a/2')
    const inVain = ask('b/1', 1_000)
    await pass(1_000)
    expect(inVain.state).toBe('refused')
    await leases.release('a/1')
    const greedy = ask('a/3', 5_000)
    await pass(5_000)
    expect(greedy.state).toBe('refused')
    await granted('b/1')
    await leases.release('b/1')
    await granted('a/3') // b had its turn

    const again = ask('b/1', 1_000)
    await pass(1_000)
    await leases.release('a/3')
    expect(again.state).toBe('refused')
    await pass(TURN_KEPT_MS)
    await granted('a/4')
  })

  it('those at work are asked after their turn, and pause at the end of it if somebody waits still', async () => {
    const { granted, ask, queried, leases } = bench(2)
    await granted('a/1', 'a/2')
    expect(await leases.wantsBack('a/1')).toBe(false)
    const next = ask('b/1')
    await pass(SANDBOX_TURN_MS + LEASE_ROUND_MS)
    expect(queried.sort()).toEqual(['a/1', 'a/2'])
    expect(await leases.wantsBack('a/2')).toBe(true)
    expect(await leases.wantsBack('a/1')).toBe(false) // one is enough
    await leases.release('a/2')
    await pass(0)
    expect(next.state).toBe('granted')
    expect(await leases.wantsBack('a/1')).toBe(false)
  })

  it('a session that goes away leaves the queue, and one that asks anew waits once', async () => {
    const { granted, ask, leases } = bench(1)
    await granted('a/1')
    const [gone, next, anew] = [ask('b/1'), ask('c/1'), ask('b/1')]
    await pass(0)
    expect(gone.state).toBe('refused')
    await leases.release('b/1')
    await leases.release('a/1')
    await pass(0)
    expect(states([anew, next])).toEqual(['refused', 'granted'])
  })

  it(`the queue has an end: ${MAX_WAITING_SESSIONS_OF_TENANT} sessions of a tenant wait, and others still can`, async () => {
    const { granted, ask } = bench(1)
    await granted('a/0')
    const waiting = Array.from({ length: MAX_WAITING_SESSIONS_OF_TENANT }, (_, at) => ask(`a/${at + 1}`))
    const [over, other] = [ask('a/over'), ask('b/1')]
    await pass(0)
    expect(over).toMatchObject({ state: 'refused', message: expect.stringContaining('too many calls wait') })
    expect(new Set(states([...waiting, other]))).toEqual(new Set(['waits']))
  })
})

describe('a lease', () => {
  it('ends by itself when it is not renewed', async () => {
    const { granted, ask, leases } = bench(2)
    await granted('a/1', 'a/2')
    await pass(HOLD_MS - 1_000)
    await leases.renew('a/2', HOLD_MS)
    const next = [ask('b/1'), ask('b/2')]
    await pass(1_000 + LEASE_ROUND_MS)
    expect(states(next)).toEqual(['granted', 'waits'])
  })

  it('outlives a restart of who grants them', async () => {
    const own = bench(1)
    await own.granted('a/1')
    own.restart()
    const next = own.ask('b/1', 1_000)
    await pass(1_000)
    expect(next.state).toBe('refused')
    await own.granted('a/1') // it has it already
  })

  it('of a session that has no sandbox any more, as after a crash, is taken back when another wants it', async () => {
    const { granted, ask, none } = bench(1)
    await granted('a/1')
    none('a/1')
    const next = ask('b/1')
    await pass(0)
    expect(next.state).toBe('granted')
  })
})

it('a host that takes fewer than the settings say is believed, and tried again in a while', async () => {
  const { granted, ask, leases } = bench(10)
  await granted('a/1', 'a/2')
  const refused = ask('a/2', WAIT_MS, true)
  const other = ask('b/1')
  await pass(HOST_FULL_MS - LEASE_ROUND_MS - 1)
  expect(states([refused, other])).toEqual(['waits', 'waits'])
  await pass(2 * LEASE_ROUND_MS)
  expect(states([refused, other])).toEqual(['waits', 'granted']) // b had none
  await leases.release('a/1')
  await pass(0)
  expect(refused.state).toBe('granted')
})
