import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FailureError } from '../../../src/core/failure.ts'
import type { Internet } from '../../../src/core/internet.ts'
import {
  SPARE_DELAY_MS,
  SPARE_IDLE_MS,
  SPARE_KEPT_MS,
  SPARE_LOOK_MS,
  SPARE_RETRY_MS,
  WARM_TURN_MS,
} from '../../../src/core/limits/spares.ts'
import { noSandboxFailure } from '../../../src/core/rate-limited.ts'
import { Leases } from '../../../src/leases/leases.ts'
import { Spares } from '../../../src/leases/spares.ts'
import type { SpareKind, SpareMaker, WarmPool, WarmTime } from '../../../src/ports/sandbox-spares.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openLeasesTables } from '../../support/tables.ts'

const SHAPE = 'as they are'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

interface Options {
  /** Sandboxes that one tenant may have. */
  readonly maxPerTenant?: number
  readonly count?: number
  readonly keptMs?: number | null
  /** Sandboxes that may run at once. */
  readonly max?: number
}

/** Spares beside the leases of sessions, at a host that knows what runs. */
function bench({ count = 1, keptMs = null, max = 10, maxPerTenant = max }: Options = {}) {
  const sql = new NodeSql()
  openLeasesTables(sql)
  const errors: unknown[] = []
  /** Labels of the sandboxes at the host, by id. */
  const running = new Map<string, string>()
  /** For whom each sandbox was made, and what it reaches. */
  const kinds = new Map<string, SpareKind>()
  /** What the owner of the server set, and time that tenants have confirmed. */
  const pools: { current: readonly WarmPool[] | Error } = { current: [] }
  const confirmed: (WarmTime & { readonly tenant: string })[] = []
  let made = 0
  const host = {
    /** Waits, or throws, before a sandbox is made, and before it is prepared. */
    create: async () => {},
    prepare: async () => {},
    end: async () => {},
    /** Waits, or throws, before a tenant counts time. */
    report: async () => {},
    isWell: (_: string) => true,
    shape: SHAPE,
  }
  let life = 0
  const open = () => {
    const mine = ++life
    // An object that was moved or restarted does nothing more: what it waits for never comes.
    const alive = <T>(value: T): T | Promise<never> => (mine === life ? value : new Promise<never>(() => {}))
    const maker: SpareMaker = {
      shape: (internet) => (internet === true ? host.shape : `${host.shape} ${JSON.stringify(internet)}`),
      async make(label, kind, noted) {
        await host.create()
        await alive(null)
        const id = `sandbox${++made}`
        kinds.set(id, kind)
        running.set(id, label)
        await host.prepare()
        await alive(null)
        if (!noted(id)) return null
        return { sandboxId: id, watchPort: made, watched: '1', supervisorPid: null }
      },
      look: async ({ sandboxId }) => running.has(sandboxId) && host.isWell(sandboxId),
      async end(label, id) {
        await host.end()
        for (const [other, its] of running) if (other === id || (id === null && its === label)) running.delete(other)
      },
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    let at = Number.POSITIVE_INFINITY
    const wakeWithin = (ms: number) => {
      if (mine !== life || Date.now() + ms >= at) return
      clearTimeout(timer)
      at = Date.now() + ms
      timer = setTimeout(async () => {
        at = Number.POSITIVE_INFINITY
        if (mine !== life) return
        const next = await spares.keepUp()
        if (next !== null) wakeWithin(next)
      }, ms)
    }
    const parts = { sql, now: Date.now, logError: (thrown: unknown) => errors.push(thrown) }
    const leases: Leases = new Leases({
      ...parts,
      max,
      maxPerTenant,
      session: () => ({ sandboxUse: async () => ({ state: 'busy' }), giveSandboxBack: async () => undefined }),
      spares: {
        makeRoom: (places) => spares.makeRoom(places),
        hostIsFull: () => spares.hostIsFull(),
        get areNone() {
          return spares.areNone
        },
      },
    })
    const spares: Spares = new Spares({
      ...parts,
      maker,
      count,
      keptMs,
      internet: true,
      pools: async () => {
        if (pools.current instanceof Error) throw pools.current
        return pools.current
      },
      report: async (tenant, times) => {
        await host.report()
        const last = Math.max(0, ...confirmed.map(({ number }) => number))
        confirmed.push(...times.filter(({ number }) => number > last).map((time) => ({ ...time, tenant })))
      },
      free: () => leases.free,
      roomOf: (tenant) => leases.roomOf(tenant),
      mayCreate: () => leases.mayCreateSpare(),
      wakeWithin,
    })
    return { spares, leases, wakeWithin }
  }
  const bench = {
    host,
    errors,
    sql,
    running: () => [...running.keys()],
    crash: (id: string) => running.delete(id),
    ...open(),
    /** The object is moved or restarted: its alarm comes there. */
    restart() {
      Object.assign(bench, open())
      bench.wakeWithin(0)
    },
    take: (taking: string, shape = SHAPE, tenant = 'none') =>
      bench.spares.take(taking, shape, tenant)?.sandboxId ?? null,
    /** Running sandboxes of a tenant's warm pool. */
    of: (tenant: string) => [...running.keys()].filter((id) => kinds.get(id)?.tenant === tenant),
    kindOf: (id: string) => kinds.get(id),
    pools,
    confirmed,
    /** The owner sets these pools; spares are made and ended accordingly. */
    async set(...current: WarmPool[]) {
      pools.current = current
      bench.spares.poolsChanged()
      await pass(0)
    },
    /** A spare is there. */
    async warm() {
      bench.spares.warm()
      await pass(SPARE_DELAY_MS)
      expect(running.size).toBe(count)
    },
    async lease(...holders: string[]) {
      for (const holder of holders) {
        const answer = bench.leases.acquire({ holder, holdMs: 3_600_000, waitMs: 0 })
        expect(await answer).toEqual({})
      }
    },
  }
  return bench
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** What waits until it is let go. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

describe('a spare', () => {
  it('is there before the first session wants one, and the next is made after it was taken, not at once', async () => {
    const { warm, take, running } = Object.assign(bench())
    await warm()
    expect(take('one')).toBe('sandbox1')
    await pass(SPARE_DELAY_MS - 1)
    expect(running()).toEqual(['sandbox1'])
    await pass(1)
    expect(running()).toEqual(['sandbox1', 'sandbox2'])
  })

  it('is given to one session only, and to that one again when it did not hear the answer', async () => {
    const { warm, take } = bench()
    await warm()
    expect([take('one'), take('two'), take('one')]).toEqual(['sandbox1', null, 'sandbox1'])
  })

  it('that was made otherwise than the session would is not given', async () => {
    const { warm, take } = bench()
    await warm()
    expect([take('one', 'otherwise'), take('two')]).toEqual([null, 'sandbox1'])
  })

  it('of another version of the server is ended, and one of this is made', async () => {
    const it = bench()
    await it.warm()
    it.host.shape = 'otherwise'
    it.restart()
    await pass(0)
    expect(it.running()).toEqual(['sandbox2'])
    expect(it.take('one', 'otherwise')).toBe('sandbox2')
  })

  it('that ended at its host, or is not as it was, is replaced at the next look', async () => {
    const it = bench()
    await it.warm()
    it.crash('sandbox1')
    await pass(SPARE_LOOK_MS)
    expect(it.running()).toEqual(['sandbox2'])
    it.host.isWell = (id) => id !== 'sandbox2'
    await pass(SPARE_LOOK_MS)
    expect(it.running()).toEqual(['sandbox3'])
  })

  it('that cannot be made is tried again, and nothing is left of it', async () => {
    const it = bench()
    it.host.prepare = () => Promise.reject(new Error('no python'))
    it.spares.warm()
    await pass(0)
    expect([it.running(), it.errors]).toEqual([[], [new Error('no python')]])
    it.host.prepare = async () => {}
    await pass(SPARE_RETRY_MS)
    expect(it.running()).toEqual(['sandbox2'])
  })
})

describe('where running sandboxes are paid for', () => {
  it('none is made before a session wants a sandbox, and it is ended when none was wanted for a while', async () => {
    const it = bench({ keptMs: SPARE_KEPT_MS })
    await pass(SPARE_KEPT_MS)
    expect(it.running()).toEqual([])
    expect(it.take('one')).toBeNull()
    await pass(SPARE_DELAY_MS)
    expect(it.running()).toEqual(['sandbox1'])
    await pass(SPARE_KEPT_MS)
    expect(it.running()).toEqual([])
    await pass(10 * SPARE_KEPT_MS)
    expect(it.running()).toEqual([])
  })

  it('it is kept that long also by an object that was restarted', async () => {
    const it = bench({ keptMs: SPARE_KEPT_MS })
    it.take('one')
    await pass(SPARE_DELAY_MS)
    await pass(SPARE_KEPT_MS / 2)
    it.restart()
    await pass(SPARE_KEPT_MS / 2 - SPARE_DELAY_MS - 1)
    expect(it.running()).toEqual(['sandbox1'])
    await pass(SPARE_DELAY_MS + 1)
    expect(it.running()).toEqual([])
  })
})

describe('is never in the way:', () => {
  it('none is made where it would take the last place', async () => {
    const it = bench({ max: 2 })
    await it.lease('a/1')
    it.spares.warm()
    await pass(SPARE_RETRY_MS)
    expect(it.running()).toEqual([])
  })

  it('it is ended before a session that needs its place is told that it has one', async () => {
    const it = bench({ max: 3 })
    await it.warm()
    await it.lease('a/1', 'a/2')
    expect(it.running()).toEqual(['sandbox1'])
    await it.lease('a/3')
    expect(it.running()).toEqual([])
    await it.leases.release('a/2')
    await it.leases.release('a/3')
    await pass(SPARE_RETRY_MS)
    expect(it.running()).toEqual(['sandbox2'])
  })

  it('it is taken by the session that gets the last place, and then its place is the session’s', async () => {
    const it = bench({ max: 2 })
    await it.warm()
    await it.lease('a/1')
    expect(it.take('a')).toBe('sandbox1')
    await it.lease('b/1')
    expect(it.running()).toEqual(['sandbox1'])
  })

  it('one that is being made is ended too', async () => {
    const it = bench({ max: 2 })
    const { opened, open } = gate()
    it.host.create = () => opened
    it.spares.warm()
    await pass(0)
    const answers = Promise.all([it.lease('a/1'), it.lease('b/1')])
    await pass(0)
    open()
    await answers
    expect(it.running()).toEqual([])
  })

  it('it makes room where the host has less than was thought, and is not made again at once', async () => {
    const it = bench()
    await it.warm()
    await it.lease('a/1')
    const again = { holder: 'a/1', holdMs: 60_000, waitMs: 0, hostIsFull: true }
    const { opened, open } = gate()
    it.host.end = () => opened
    const answer = it.leases.acquire(again).then((given) => ({ given, running: it.running() }))
    await pass(0)
    open()
    expect(await answer).toEqual({ given: {}, running: [] })
    it.host.end = async () => {}
    it.take('one')
    await pass(SPARE_RETRY_MS - 1)
    expect(it.running()).toEqual([])
    await pass(2 * SPARE_RETRY_MS)
    expect(it.running()).toEqual(['sandbox2'])
    // With no spare to end, the host's word counts.
    it.take('two')
    await pass(0)
    expect(await it.leases.acquire(again)).toMatchObject({ failure: { code: 'rate_limited' } })
  })

  it('one is enough where the host had no room, and the host is not asked for more than it has', async () => {
    const it = bench({ count: 3 })
    await it.warm()
    await it.lease('a/1')
    const made = it.running()
    expect(made).toHaveLength(3)
    await it.leases.acquire({ holder: 'a/1', holdMs: 60_000, waitMs: 0, hostIsFull: true })
    expect(it.running()).toHaveLength(2)
    await pass(SPARE_RETRY_MS - 1)
    expect(it.running()).toHaveLength(2)
  })

  it('checks each one at its time, not whenever one is taken', async () => {
    const it = bench({ count: 3 })
    await it.warm()
    await pass(SPARE_DELAY_MS)
    let checks = 0
    it.host.isWell = () => {
      checks += 1
      return true
    }
    it.take('one')
    await pass(SPARE_DELAY_MS)
    expect([it.running().length, checks]).toEqual([4, 0])
    await pass(SPARE_LOOK_MS)
    expect(checks).toBeGreaterThanOrEqual(3)
  })

  it('where the host has none, that is no error', async () => {
    const it = bench()
    it.host.create = () => Promise.reject(new FailureError(noSandboxFailure('no sandbox is free now')))
    it.spares.warm()
    await pass(SPARE_RETRY_MS)
    expect([it.running(), it.errors, it.sql.all('SELECT * FROM spares')]).toEqual([[], [], []])
  })
})

describe('a crash of the object leaves no spare that nobody knows and none that two have:', () => {
  const restarted = async (point: 'create' | 'prepare') => {
    const it = bench()
    const { opened, open } = gate()
    it.host[point] = () => opened
    it.spares.warm()
    await pass(0)
    it.host[point] = async () => {}
    it.restart()
    await pass(0)
    open()
    await pass(0)
    return it
  }

  it('while one is asked for', async () => {
    const it = await restarted('create')
    expect(it.running()).toEqual(['sandbox1'])
  })

  it('before its id came', async () => {
    const it = await restarted('prepare')
    expect(it.running()).toEqual(['sandbox2'])
  })

  it('after one was given, before anybody heard of it', async () => {
    const it = bench()
    await it.warm()
    it.take('one')
    it.restart()
    expect([it.take('two'), it.take('one')]).toEqual([null, 'sandbox1'])
  })

  it('while one is ended', async () => {
    const it = bench({ keptMs: SPARE_KEPT_MS })
    it.take('one')
    await pass(SPARE_DELAY_MS)
    it.host.end = () => new Promise(() => {})
    await pass(SPARE_KEPT_MS)
    expect([it.running(), it.take('two')]).toEqual([['sandbox1'], null])
    it.host.end = async () => {}
    it.restart()
    await pass(0)
    expect(it.running()).not.toContain('sandbox1')
  })
})

describe('a session', () => {
  it('that crashed before it noted its spare has it ended, and gets no other under that label', async () => {
    const it = bench()
    await it.warm()
    it.take('one')
    await it.spares.drop('one')
    await pass(SPARE_DELAY_MS)
    expect([it.running(), it.take('one')]).toEqual([['sandbox2'], null])
  })

  it('that gave up before it was answered is given nothing later', async () => {
    const it = bench()
    await it.warm()
    await it.spares.drop('one')
    expect([it.take('one'), it.running()]).toEqual([null, ['sandbox1']])
  })

  it('that has noted its spare keeps it, whatever becomes of the object', async () => {
    const it = bench()
    await it.warm()
    it.take('one')
    it.spares.keep('one')
    it.restart()
    await pass(10 * SPARE_LOOK_MS)
    await it.spares.drop('one')
    expect(it.running()).toContain('sandbox1')
  })
})

describe('a warm pool of a tenant', () => {
  const pool = (tenant: string, count: number, internet: Internet = true): WarmPool => ({ tenant, count, internet })
  const NONE = { count: 0 }

  it('has as many as the owner set, gives them to its own sessions alone, and is filled again', async () => {
    const it = bench(NONE)
    await it.set(pool('a', 2))
    expect([it.running(), it.of('a')]).toEqual([
      ['sandbox1', 'sandbox2'],
      ['sandbox1', 'sandbox2'],
    ])
    expect(it.take('other', SHAPE, 'b')).toBeNull()
    expect([it.take('one', SHAPE, 'a'), it.take('one', SHAPE, 'a')]).toEqual(['sandbox1', 'sandbox1'])
    await pass(SPARE_DELAY_MS)
    expect(it.running()).toEqual(['sandbox1', 'sandbox2', 'sandbox3'])
  })

  it('comes before the spares for any session, which other tenants still have', async () => {
    const it = bench()
    await it.warm()
    await it.set(pool('a', 1))
    expect([it.take('one', SHAPE, 'a'), it.take('two', SHAPE, 'a'), it.take('three', SHAPE, 'b')]).toEqual([
      'sandbox2',
      'sandbox1',
      null,
    ])
  })

  it('reaches what a session without a policy of its own does, and fits no other', async () => {
    const it = bench(NONE)
    await it.set(pool('a', 1, ['pypi.org']))
    expect(it.kindOf('sandbox1')).toEqual({ tenant: 'a', internet: ['pypi.org'] })
    expect(it.take('one', SHAPE, 'a')).toBeNull()
    expect(it.take('two', `${SHAPE} ["pypi.org"]`, 'a')).toBe('sandbox1')
  })

  it('with another internet policy is made anew', async () => {
    const it = bench(NONE)
    await it.set(pool('a', 1))
    await it.set(pool('a', 1, false))
    expect(it.running()).toEqual(['sandbox2'])
    expect(it.kindOf('sandbox2')).toEqual({ tenant: 'a', internet: false })
  })

  it('is ended when the count falls, and when the tenant is disabled or deleted', async () => {
    const it = bench(NONE)
    await it.set(pool('a', 3))
    await it.set(pool('a', 1))
    expect(it.running()).toHaveLength(1)
    await it.set()
    expect(it.running()).toEqual([])
    await pass(10 * SPARE_LOOK_MS)
    expect(it.running()).toEqual([])
  })

  it('is found by a change of which nobody told, at the next look', async () => {
    const it = bench(NONE)
    await it.set(pool('a', 1))
    it.pools.current = []
    await pass(SPARE_LOOK_MS)
    expect(it.running()).toEqual([])
  })

  it('stays as it is while nobody can say how many there should be, also over a restart', async () => {
    const it = bench(NONE)
    await it.set(pool('a', 1))
    it.pools.current = new Error('D1 is away')
    it.restart()
    await pass(0)
    expect([it.running(), it.errors]).toEqual([['sandbox1'], [new Error('D1 is away')]])
    it.pools.current = []
    await pass(SPARE_RETRY_MS)
    expect(it.running()).toEqual([])
  })

  it('gets places in turn with others where there are not enough, and leaves one free', async () => {
    const it = bench({ max: 5 })
    await it.set(pool('a', 4), pool('b', 4))
    expect([it.of('a').length, it.of('b').length, it.running().length]).toEqual([2, 2, 4])
  })

  it('has a place for as long as every other where there are too few, whatever its tenant’s name', async () => {
    const it = bench({ count: 0, max: 3 })
    const tenants = ['a', 'b', 'c', 'd', 'e']
    await it.set(...tenants.map((tenant) => pool(tenant, 1)))
    const turns = new Map(tenants.map((tenant) => [tenant, 0]))
    // A restart forgets no turn.
    for (let turn = 0; turn < 2 * tenants.length; turn++) {
      const having = tenants.filter((tenant) => it.of(tenant).length > 0)
      expect([having.length, it.running().length]).toEqual([2, 2])
      for (const tenant of having) turns.set(tenant, (turns.get(tenant) ?? 0) + 1)
      it.restart()
      await pass(WARM_TURN_MS)
    }
    expect([...turns.values()]).toEqual([4, 4, 4, 4, 4])
  })

  it('is asked for by no session where there is none, nor any spare: its lease says so', async () => {
    const it = bench(NONE)
    const lease = (holder: string) => it.leases.acquire({ holder, holdMs: 1_000, waitMs: 0 })
    // Nobody read the pools yet.
    expect(await lease('a/1')).toEqual({})
    await it.set()
    expect(await lease('a/1')).toEqual({ noSpares: true })
    await it.set(pool('b', 1))
    expect(await lease('a/1')).toEqual({})
    const kept = bench()
    await kept.set()
    expect(await kept.leases.acquire({ holder: 'a/1', holdMs: 1_000, waitMs: 0 })).toEqual({})
  })

  it('makes room for sessions: spares for any first, then those of the tenant with most', async () => {
    const it = bench({ max: 6 })
    it.spares.warm()
    await it.set(pool('a', 3), pool('b', 1))
    expect(it.running()).toHaveLength(5)
    await it.lease('c/1', 'c/2')
    expect([it.running().length, it.of('a').length, it.of('b').length]).toEqual([4, 3, 1])
    await it.lease('c/3', 'c/4')
    expect([it.of('a').length, it.of('b').length]).toEqual([1, 1])
  })

  it('does not take its tenant over the tenant’s own ceiling', async () => {
    const it = bench({ count: 0, maxPerTenant: 2 })
    await it.lease('a/1')
    await it.set(pool('a', 4))
    expect(it.running()).toHaveLength(1)
  })

  describe('is paid for by its tenant:', () => {
    const paid = ({ confirmed }: ReturnType<typeof bench>) =>
      confirmed.reduce((sum, { runningMs }) => sum + runningMs, 0)

    it('the time until it is taken or ended is counted, each millisecond once', async () => {
      const it = bench(NONE)
      await it.set(pool('a', 1))
      await pass(SPARE_LOOK_MS + 1_000)
      it.take('one', SHAPE, 'a')
      await it.set()
      expect([paid(it), new Set(it.confirmed.map(({ tenant }) => tenant))]).toEqual([
        SPARE_LOOK_MS + 1_000,
        new Set(['a']),
      ])
      await pass(2 * SPARE_LOOK_MS)
      expect(paid(it)).toBe(SPARE_LOOK_MS + 1_000)
    })

    it('time is reported again until the tenant has it, and a lost answer does not count twice', async () => {
      const it = bench(NONE)
      await it.set(pool('a', 1))
      it.host.report = () => Promise.reject(new Error('the tenant is away'))
      await pass(SPARE_LOOK_MS)
      expect([it.confirmed, it.errors]).toEqual([[], [new Error('the tenant is away')]])
      it.host.report = async () => {}
      await pass(SPARE_RETRY_MS)
      expect(paid(it)).toBe(SPARE_LOOK_MS)
    })

    it('a spare out of reach is paid for no longer than its host lets it run', async () => {
      const it = bench(NONE)
      await it.set(pool('a', 1))
      it.host.isWell = () => {
        throw new Error('the host is away')
      }
      await pass(36 * SPARE_LOOK_MS)
      await it.set()
      expect(paid(it)).toBe(SPARE_IDLE_MS)
    })

    it('the time of one tenant waits for it, however much others report', async () => {
      const it = bench(NONE)
      await it.set(pool('a', 1))
      const begun = Date.now()
      it.host.report = () => Promise.reject(new Error('the tenant is away'))
      await pass(2 * SPARE_LOOK_MS)
      it.sql.all("UPDATE sqlite_sequence SET seq = 1000000 WHERE name = 'warm_time'")
      await pass(SPARE_LOOK_MS)
      it.host.report = async () => {}
      await pass(SPARE_LOOK_MS)
      const [first] = it.confirmed
      const last = it.confirmed.at(-1)
      expect(first?.startedAt).toBe(begun)
      expect(paid(it)).toBe((last?.startedAt ?? 0) + (last?.runningMs ?? 0) - begun)
    })

    it('a server that was away pays for no longer than the host lets a spare run', async () => {
      const it = bench(NONE)
      await it.set(pool('a', 1))
      vi.setSystemTime(Date.now() + 24 * 3_600_000)
      it.pools.current = []
      it.restart()
      await pass(0)
      expect(paid(it)).toBe(SPARE_IDLE_MS)
    })

    it('spares for any session are nobody’s', async () => {
      const it = bench()
      await it.warm()
      await pass(2 * SPARE_LOOK_MS)
      it.take('one', SHAPE, 'a')
      await pass(SPARE_LOOK_MS)
      expect(it.confirmed).toEqual([])
    })
  })
})
