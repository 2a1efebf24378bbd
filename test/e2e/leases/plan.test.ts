import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { SANDBOX_QUIET_MS } from '../../../src/core/limits/leases.ts'
import { MAX_COMMAND_SECONDS } from '../../../src/core/limits/sandbox.ts'
import { E2B_PLANS } from '../../../src/core/limits/sandbox-plans.ts'
import { SESSION_IDLE_MS } from '../../../src/core/limits/sessions.ts'
import { type E2bAccount, startAccount } from '../../support/e2b-account.ts'
import { ENOUGH_SANDBOXES } from '../../support/enough-sandboxes.ts'
import { SANDBOX_HOST_KEY, type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, type SessionBench, sessionBench } from '../../support/session-bench.ts'

/** Benches begin when they like, and not in turns: test/e2e/leases/account.test.ts has those. */
const plan = { ...E2B_PLANS.hobby, creationsPerSecond: 100 }

let sandboxd: Sandboxd
let account: E2bAccount
beforeAll(async () => {
  sandboxd = await startSandboxd()
  account = await startAccount(sandboxd.url, plan)
})
beforeEach(() => void account.requests.splice(0))
afterAll(async () => {
  await account?.stop()
  await sandboxd?.stop()
})

/** A session whose sandboxes are of the account. */
const aBench = (more: Parameters<typeof sessionBench>[1] = {}) =>
  sessionBench(sandboxd, { ...more, at: { apiUrl: account.url, plan } })

const creations = () => account.requests.filter(({ method, path }) => method === 'POST' && /\/sandboxes$/.test(path))
const sent = () =>
  account.requests.map(({ method, path }) => `${method} ${path.replace(/^\/v2|\/sandboxes\/[^/]+/g, '')}`)

it('a longer command than the plan lets a sandbox run is cut to that and says so, and its sandbox is made', async () => {
  const bench = aBench()
  const answer = await bench.sh('echo ran', { timeout: MAX_COMMAND_SECONDS })
  expect(answer).toMatchObject({
    stdout: 'ran\n',
    notes: expect.arrayContaining([expect.stringMatching(/^timeout was cut to 3535 seconds/)]),
  })
  // A sandbox that is awake is told to run for longer.
  await bench.sh('true', { timeout: 3_000 })
  bench.clock.ahead = 3_000_000
  await bench.sh('true', { timeout: 3_500 })
  expect(account.requests.map(({ status }) => status).filter((status) => status >= 400)).toEqual([])
  expect(creations().map(({ body }) => body.timeout)).toEqual([plan.longestRunMs / 1_000])
})

it('a shell, for which a sandbox stays awake longer than the plan has, gets one all the same', async () => {
  const bench = aBench()
  let shown = JSON.stringify(await bench.call('shell_write', { content: 'echo r""an', wait_ms: 20_000 }))
  const readOn = async () => {
    if (!shown.includes('ran')) shown += JSON.stringify(await bench.call('shell_read', {}))
    return shown
  }
  await expect.poll(readOn).toContain('ran')
  bench.clock.ahead = 60 * 60_000
  await bench.call('shell_write', { content: 'echo on', wait_ms: 20_000 })
  const requests = account.requests.map(({ body, status }) => ({ timeout: body.timeout, status }))
  expect(requests.filter(({ status }) => status >= 400)).toEqual([])
  expect(requests.filter(({ timeout }) => timeout === plan.longestRunMs / 1_000).length).toBeGreaterThan(1)
})

it('what a sandbox serves on its ports is for nobody without its token', async () => {
  await aBench().sh('true')
  expect(creations().map(({ body }) => body.network)).toEqual([{ allowPublicTraffic: false }])
})

it("a list of hosts is kept by the account's rules, for a sandbox of the session's own", async () => {
  const { stdout } = await aBench({ internet: ['*.example.org', 'pypi.org'] }).sh('curl -sS http://example.org 2>&1')
  expect(creations().map(({ body }) => [body.allow_internet_access, body.network])).toEqual([
    [true, { allowPublicTraffic: false, allowOut: ['*.example.org', 'pypi.org'], denyOut: ['0.0.0.0/0'] }],
  ])
  expect(stdout).toBe('example.org is not allowed: this session may reach only *.example.org, pypi.org\n')
})

it('a session makes no sandbox before its turn, its files can be used meanwhile, and then it makes one', async () => {
  const turn = Promise.withResolvers<boolean>()
  const waits = Promise.withResolvers<void>()
  const leases = {
    ...ENOUGH_SANDBOXES.leases,
    mayCreate: async (_: string, waitMs: number) => {
      if (waitMs <= 0) return false
      waits.resolve()
      return turn.promise
    },
  }
  const bench = aBench({ leasing: { ...ENOUGH_SANDBOXES, leases } })
  const ran = bench.sh('cat a.txt')
  await waits.promise
  await bench.write('a.txt', 'written meanwhile')
  expect(creations()).toEqual([])
  turn.resolve(true)
  expect((await ran).stdout).toBe('written meanwhile')
  expect(creations()).toHaveLength(1)
})

/** Lets the time of the session's sandbox run out at its host, which pauses it by itself. */
async function runOutOfTime(bench: SessionBench): Promise<void> {
  const ask = (method: string, below = '', body?: object) =>
    fetch(`${sandboxd.url}/sandboxes/${bench.host.created.at(-1)}${below}`, {
      method,
      headers: { 'X-API-Key': SANDBOX_HOST_KEY, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  await ask('POST', '/timeout', { timeout: 1 })
  await expect.poll(async () => ((await (await ask('GET')).json()) as { state: string }).state).toBe('paused')
}

it('a sandbox that its host has paused is ended without being woken', async () => {
  const bench = aBench()
  await bench.sh('true')
  await runOutOfTime(bench)
  bench.evict()
  bench.clock.ahead = SESSION_IDLE_MS + 1
  account.requests.splice(0)
  await bench.session.rest()
  expect(sent()).toEqual(['GET ', 'DELETE '])
  expect(bench.session.hasSandbox).toBe(false)
})

it('nor is it woken to be paused', async () => {
  const bench = aBench()
  await bench.sh('true')
  await runOutOfTime(bench)
  bench.evict()
  bench.clock.ahead = SANDBOX_QUIET_MS + 1
  account.requests.splice(0)
  expect(await bench.session.quiet.keepUp()).toBeNull()
  expect(sent()).toEqual(['GET '])
  // It wakes at its next call, as ever.
  expect((await bench.sh('echo on')).stdout).toBe('on\n')
  expect(bench.host.created).toHaveLength(1)
})

it('but is woken for a look at what it may have written by itself', async () => {
  const bench = aBench()
  await bench.sh(
    '(setsid sh -c "until [ -e go ]; do sleep 0.05; done; echo late > late.txt; sleep 1000" >/dev/null 2>&1 &)',
  )
  await bench.host.inside('touch go; until [ -e late.txt ]; do sleep 0.05; done')
  await runOutOfTime(bench)
  bench.evict()
  bench.clock.ahead = SESSION_IDLE_MS + 1
  await bench.session.rest()
  expect(dataOf(await bench.call('file_read', { file_path: 'late.txt' }))).toMatchObject({ content: 'late\n' })
  expect(bench.session.hasSandbox).toBe(false)
})
