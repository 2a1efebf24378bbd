import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { e2bSandboxHost } from '../../../src/adapters/e2b/sandbox.ts'
import { Spares } from '../../../src/leases/spares.ts'
import type { LeaseAnswer } from '../../../src/ports/sandbox-leases.ts'
import type { SandboxSpares, WarmPool, WarmTime } from '../../../src/ports/sandbox-spares.ts'
import { spareMaker, spareShape } from '../../../src/session/sandbox/spare-maker.ts'
import { ENOUGH_SANDBOXES } from '../../support/enough-sandboxes.ts'
import { SANDBOX_HOST_KEY, type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { BENCH_ENV, isBootstrap, isListing, type SessionBench, sessionBench } from '../../support/session-bench.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openLeasesTables } from '../../support/tables.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

const TEMPLATE = 'base'
const LABELS = { service: 'toolyard-test', spare: 'true' }

/** Keeps spares at the real host, and makes them when the test says so. */
async function aKeeper(count: number, pools: readonly WarmPool[] = []) {
  const { url } = sandboxd
  const host = e2bSandboxHost({ apiKey: SANDBOX_HOST_KEY, apiUrl: url, sandboxUrl: url, template: TEMPLATE })
  const errors: unknown[] = []
  const settings = { count, pools }
  const reported: (WarmTime & { readonly tenant: string })[] = []
  const sql = new NodeSql()
  openLeasesTables(sql)
  const spares = new Spares({
    sql,
    now: Date.now,
    maker: spareMaker({ host, image: TEMPLATE, env: BENCH_ENV, labels: LABELS }),
    get count() {
      return settings.count
    },
    internet: true,
    keptMs: null,
    pools: async () => settings.pools,
    report: async (tenant, times) => void reported.push(...times.map((time) => ({ tenant, ...time }))),
    free: () => 10,
    roomOf: () => 10,
    mayCreate: () => true,
    wakeWithin: () => undefined,
    logError: (thrown) => errors.push(thrown),
  })
  /** Ids of the sandboxes at the host that were made as spares. */
  const atHost = async () => {
    const answer = await fetch(`${url}/v2/sandboxes?metadata=spare%3Dtrue`, {
      headers: { 'X-API-KEY': SANDBOX_HOST_KEY },
    })
    return ((await answer.json()) as { sandboxID: string }[]).map(({ sandboxID }) => sandboxID)
  }
  const api: SandboxSpares = {
    takeSpare: async (label, shape, tenant) => spares.take(label, shape, tenant ?? null),
    keepSpare: async (label) => spares.keep(label),
    dropSpare: (label) => spares.drop(label),
    warmSpares: async () => spares.warm(),
    poolsChanged: async () => spares.poolsChanged(),
  }
  await spares.keepUp()
  onTestFinished(async () => {
    settings.count = 0
    settings.pools = []
    await spares.keepUp()
    expect(await atHost()).toEqual([])
    expect(errors).toEqual([])
  })
  return {
    api,
    host,
    spares,
    atHost,
    /** A session that asks it for spares. */
    session: (more: Partial<SandboxSpares> = {}, internet = true, tenant = 'acme') =>
      sessionBench(sandboxd, {
        internet,
        leasing: {
          ...ENOUGH_SANDBOXES,
          spares: {
            api: { ...api, ...more },
            shape: (policy) => spareShape(TEMPLATE, BENCH_ENV, policy),
            tenant,
          },
        },
      }),
    reported,
    /** The owner of the server sets these pools. */
    async set(...current: WarmPool[]) {
      settings.pools = current
      await spares.keepUp()
    },
  }
}

/** How often the session asked its host for that. */
const count = ({ host }: SessionBench, what: Parameters<typeof isBootstrap>[0]['method']) =>
  host.requests.filter(({ method }) => method === what).length

/** Prints the network devices of a sandbox. */
const DEVICES = 'cut -d: -f1 /proc/net/dev | tail -n +3'
const OWN_ID = 'echo $E2B_SANDBOX_ID'
const idOf = async (bench: SessionBench) => (await bench.sh(OWN_ID)).stdout.trim()

describe('the first command of a session', () => {
  it('runs in the spare sandbox, as in one that was made for it', async () => {
    const keeper = await aKeeper(1)
    const bench = keeper.session()
    await bench.write('code_run/a.txt', 'a\n')
    const first = await bench.sh('cat code_run/a.txt; echo b > code_run/b.txt; pip --version; command -v python')
    expect(first).toMatchObject({ exit_code: 0 })
    expect(first.stdout).toMatch(/^a\npip .*\n.*\/code_env\/bin\/python\n$/)
    expect(first).not.toHaveProperty('restored')
    expect(await bench.text('code_run/b.txt')).toBe('b\n')
    expect(await keeper.atHost()).toEqual([await idOf(bench)])
    expect([count(bench, 'create'), bench.host.requests.some(isBootstrap), count(bench, 'begin')]).toEqual([
      0,
      false,
      0,
    ])
    // Its watcher watches: a command that changes nothing costs no listing.
    const listings = bench.host.requests.filter(isListing).length
    await bench.sh('true')
    expect(bench.host.requests.filter(isListing)).toHaveLength(listings)
    expect(bench.errors).toEqual([])
  })

  it('is not followed by a look at the files where it changed none; what it changes is taken over', async () => {
    const keeper = await aKeeper(1)
    for (const isSpare of [true, false]) {
      const bench = keeper.session(isSpare ? {} : { takeSpare: async () => null })
      await bench.call('dir_create', { dir_path: 'code_env' })
      await bench.write('a.txt', 'a')
      expect((await bench.sh('cat a.txt')).stdout).toBe('a')
      expect([count(bench, 'create'), bench.host.requests.filter(isListing)]).toEqual([isSpare ? 0 : 1, []])
      await bench.sh('echo b > b.txt; rm a.txt')
      expect([await bench.text('a.txt'), await bench.text('b.txt')]).toEqual([null, 'b\n'])
      expect(bench.errors).toEqual([])
    }
  })

  it('finds nothing in it that another session left, for no two ever have one', async () => {
    const keeper = await aKeeper(2)
    const benches = [keeper.session(), keeper.session(), keeper.session()]
    const ids = await Promise.all(benches.map(idOf))
    expect(new Set(ids).size).toBe(3)
    expect(benches.map((bench) => count(bench, 'create')).sort()).toEqual([0, 0, 1])
    const [, first = ''] = [await keeper.spares.keepUp(), ids[0]]
    const next = keeper.session()
    expect(ids).not.toContain(await idOf(next))
    expect(await keeper.atHost()).toContain(first)
  })

  it('gets a sandbox of its own where the task watches other files than a spare does', async () => {
    const keeper = await aKeeper(1)
    const bench = keeper.session()
    await bench.write('.toolyardignore', 'cache\n')
    await bench.sh('mkdir -p cache; echo a > cache/a.txt; echo b > b.txt')
    expect([await bench.text('b.txt'), await bench.text('cache/a.txt')]).toEqual(['b\n', null])
    expect(await keeper.atHost()).not.toContain(await idOf(bench))
  })

  it('gets a sandbox of its own where the session has no internet, which each spare may have', async () => {
    const keeper = await aKeeper(1)
    const bench = keeper.session({}, false)
    expect((await bench.sh(DEVICES)).stdout.trim()).toBe('lo')
    expect(await keeper.atHost()).not.toContain(await idOf(bench))
    expect(bench.errors).toEqual([])
  })

  it('gets a sandbox that is known to have too much of the internet when the policy became narrower while it was made', async () => {
    const read = Promise.withResolvers<void>()
    let policy = true
    const bench = sessionBench(sandboxd, {
      internet: async () => {
        const current = policy
        policy = false
        read.resolve()
        return current
      },
    })
    const ran = bench.sh(DEVICES)
    await read.promise
    expect(await bench.session.exceedsPolicy()).toBe(true)
    expect((await ran).stdout.trim().split('\n').length).toBeGreaterThan(1)
    await bench.session.halt()
    expect((await bench.sh(DEVICES)).stdout.trim()).toBe('lo')
    expect(await bench.session.exceedsPolicy()).toBe(false)
    expect(bench.errors).toEqual([])
  })

  it('does not ask for a spare where its lease says that there is none', async () => {
    let takings = 0
    const takeSpare = async () => {
      takings += 1
      return null
    }
    const session = (answer: LeaseAnswer) => {
      const { leases, spares } = ENOUGH_SANDBOXES
      return sessionBench(sandboxd, {
        leasing: {
          ...ENOUGH_SANDBOXES,
          leases: { ...leases, acquire: async () => answer },
          spares: {
            api: { ...spares.api, takeSpare },
            shape: (policy) => spareShape(TEMPLATE, BENCH_ENV, policy),
            tenant: 'acme',
          },
        },
      })
    }
    expect((await session({ noSpares: true }).sh('echo ran')).stdout).toBe('ran\n')
    expect(takings).toBe(0)
    expect((await session({}).sh('echo ran')).stdout).toBe('ran\n')
    expect(takings).toBe(1)
  })

  it('gets one of its own where nobody says whether there is a spare, and the spare that was meant for it is ended', async () => {
    const keeper = await aKeeper(1)
    const bench = keeper.session({
      takeSpare: async (label, shape) => {
        await keeper.api.takeSpare(label, shape)
        throw new Error('the answer was lost')
      },
    })
    expect((await bench.sh('echo ran')).stdout).toBe('ran\n')
    expect([count(bench, 'create'), bench.errors]).toEqual([1, [new Error('the answer was lost')]])
    await expect.poll(keeper.atHost).toEqual([])
  })

  it.each([
    ['ended', ({ host }: SessionBench, id: string) => host.crash(id)],
    ['stopped with its host, which was started again', () => sandboxd.restart(async () => undefined)],
  ])('is answered when the spare has %s meanwhile', async (_, fault) => {
    const keeper = await aKeeper(1)
    const bench = keeper.session()
    const [id = ''] = await keeper.atHost()
    await fault(bench, id)
    await bench.sh('echo a > a.txt')
    expect((await bench.sh('cat a.txt')).stdout).toBe('a\n')
    expect(bench.errors).toEqual([])
  })
})

describe('a session that crashes', () => {
  /** Its first command is cut off at that request, and what it knew in memory is gone. */
  async function crashAt(bench: SessionBench, isPoint: (method: string) => boolean) {
    let reached = () => {}
    const point = new Promise<void>((resolve) => {
      reached = resolve
    })
    bench.host.before = ({ method }) => {
      if (!isPoint(method)) return
      reached()
      return new Promise<void>(() => {})
    }
    void bench.sh('echo never')
    await point
    bench.host.before = () => undefined
    bench.evict()
  }

  it.each([
    ['after it was given a spare', (method: string) => method === 'connect'],
    ['before the spare has its files', (method: string) => method !== 'connect'],
  ])('%s has it ended, and its next call gets another', async (_, isPoint) => {
    const keeper = await aKeeper(1)
    const bench = keeper.session()
    await bench.write('a.txt', 'a')
    const [given = ''] = await keeper.atHost()
    await crashAt(bench, isPoint)
    await keeper.spares.keepUp()
    const [next] = (await keeper.atHost()).filter((id) => id !== given)
    expect(await idOf(bench)).toBe(next)
    expect((await bench.sh('cat a.txt')).stdout).toBe('a')
    expect(await bench.host.isAlive(given)).toBe(false)
  })
})

describe('the warm pool of a tenant', () => {
  const acme = (count: number, internet: boolean): WarmPool => ({ tenant: 'acme', count, internet })

  it('has a sandbox without a network for the first command of a session that may have none', async () => {
    const keeper = await aKeeper(0, [acme(1, false)])
    const [waiting = ''] = await keeper.atHost()
    const other = keeper.session({}, false, 'other')
    expect(await idOf(other)).not.toBe(waiting)
    const bench = keeper.session({}, false)
    expect((await bench.sh(`${DEVICES}; ${OWN_ID}`)).stdout.trim().split('\n')).toEqual(['lo', waiting])
    expect([count(other, 'create'), count(bench, 'create')]).toEqual([1, 0])
    expect([...other.errors, ...bench.errors]).toEqual([])
  })

  it('is not for its sessions that may have more or less than it reaches', async () => {
    const keeper = await aKeeper(0, [acme(1, false)])
    const [waiting = ''] = await keeper.atHost()
    const bench = keeper.session({}, true)
    expect((await bench.sh(DEVICES)).stdout.trim().split('\n').length).toBeGreaterThan(1)
    expect(await keeper.atHost()).toEqual([waiting])
  })

  it('is made anew with another policy, ended when the count falls, and its time until then is the tenant’s', async () => {
    const keeper = await aKeeper(0, [acme(2, true)])
    const first = await keeper.atHost()
    expect(first).toHaveLength(2)
    await keeper.set(acme(1, false))
    const [next = '', ...more] = await keeper.atHost()
    expect([first.includes(next), more]).toEqual([false, []])
    await keeper.set()
    expect(await keeper.atHost()).toEqual([])
    expect(keeper.reported.length).toBeGreaterThanOrEqual(3)
    expect(keeper.reported.every(({ tenant, runningMs }) => tenant === 'acme' && runningMs > 0)).toBe(true)
  })
})

it('a spare belongs to nobody: its labels and its files name no tenant and hold no secret', async () => {
  const keeper = await aKeeper(1)
  const [id = ''] = await keeper.atHost()
  const answer = await fetch(`${sandboxd.url}/sandboxes/${id}`, { headers: { 'X-API-KEY': SANDBOX_HOST_KEY } })
  const { metadata } = (await answer.json()) as { metadata: Record<string, string> }
  expect(metadata).toEqual({ ...LABELS, boot: expect.any(String) })
  const spare = await keeper.host.connect(id, 60_000, AbortSignal.timeout(60_000))
  const look = 'cd; find . -mindepth 1 -not -path "*/code_env/*"'
  const { stdout } = (await spare?.run(look, { timeoutMs: 60_000, signal: AbortSignal.timeout(60_000) })) ?? {}
  const own = ['./.toolyard', './.toolyard/journal-PORT', './.toolyard/watch.py', './workspace', './workspace/code_env']
  expect(
    stdout
      ?.replace(/journal-\d+/, 'journal-PORT')
      .trim()
      .split('\n')
      .sort(),
  ).toEqual(own)
})
