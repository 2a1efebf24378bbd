import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SANDBOX_QUIET_MS } from '../../../src/core/limits/leases.ts'
import { SANDBOX_IDLE_MS } from '../../../src/core/limits/sandbox.ts'
import { SESSION_IDLE_MS } from '../../../src/core/limits/sessions.ts'
import { STATE_DIRECTORY } from '../../../src/session/sandbox/place.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, type SessionBench, sessionBench } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

const aBench = () => sessionBench(sandboxd)

/** How often the host was asked for something. */
const count = ({ host }: SessionBench, method: string) =>
  host.requests.filter((request) => request.method === method).length

/** The session's alarm comes after that long without a call. @returns in how many milliseconds it wants to come again */
async function quietFor(bench: SessionBench, ms: number): Promise<number | null> {
  bench.clock.ahead += ms
  return bench.session.quiet.keepUp()
}

/** The note that shells and notebook were at work is as old as it would be by the test's clock. */
const consolesQuiet = ({ host }: SessionBench) =>
  host.inside(`touch -d '1 minute ago' ${STATE_DIRECTORY}/consoles-*/busy 2>/dev/null; true`)

/** What the lasting shell prints. */
const inShell = async (bench: SessionBench, content: string, wait_ms = 20_000) =>
  JSON.stringify(dataOf(await bench.call('shell_write', { content, wait_ms })))

describe('a sandbox without a call for a while', () => {
  it('is paused, and woken by the next call with its files, shell, variables and processes as they were', async () => {
    const bench = aBench()
    await inShell(bench, 'cd /tmp; kept=variable; echo set')
    expect(dataOf(await bench.call('ipython_run', { command: 'x = 41' }))).toBeDefined()
    await bench.sh('echo kept > kept.txt; echo "not in the workspace" > ~/home.txt')
    expect(await quietFor(bench, SANDBOX_QUIET_MS - 5_000)).toBeGreaterThan(0)
    expect(count(bench, 'pause')).toBe(0)
    await consolesQuiet(bench)
    expect(await quietFor(bench, 5_000)).toBeNull()
    expect(count(bench, 'pause')).toBe(1)
    const answer = await bench.sh('cat kept.txt ~/home.txt')
    expect(answer.stdout).toBe('kept\nnot in the workspace\n')
    expect(answer).not.toHaveProperty('restored')
    expect(await inShell(bench, 'echo $kept $PWD')).toContain('variable /tmp')
    expect(JSON.stringify(dataOf(await bench.call('ipython_run', { command: 'print(x + 1)' })))).toContain('42')
    expect(bench.host.created).toHaveLength(1)
    expect(bench.errors).toEqual([])
  })

  it('has its files taken over first, those of a shell that nobody asked again too', async () => {
    const bench = aBench()
    await inShell(bench, '(sleep 0.5; echo late > late.txt) & echo begun')
    await expect.poll(() => bench.host.inside('cat late.txt || true')).toBe('late\n')
    await consolesQuiet(bench)
    await quietFor(bench, SANDBOX_IDLE_MS)
    expect(count(bench, 'pause')).toBe(1)
    expect(await bench.text('late.txt')).toBe('late\n')
  })

  it('is not woken by file tools, nor to be ended; what was left in the background goes on when it wakes', async () => {
    const bench = aBench()
    await bench.sh('(setsid sleep 1000 >/dev/null 2>&1 &); echo a > a.txt')
    await quietFor(bench, SANDBOX_IDLE_MS)
    expect(count(bench, 'pause')).toBe(1)
    const connected = count(bench, 'connect')
    expect(dataOf(await bench.call('file_read', { file_path: 'a.txt' }))).toMatchObject({ content: 'a\n' })
    await bench.write('b.txt', 'b')
    expect(count(bench, 'connect')).toBe(connected)
    expect((await bench.sh('cat b.txt; pgrep -fc "[s]leep 1000"')).stdout).toBe('b1\n')

    await quietFor(bench, SANDBOX_IDLE_MS)
    bench.clock.ahead += SESSION_IDLE_MS
    const before = count(bench, 'connect')
    await bench.session.rest()
    expect([count(bench, 'connect') - before, bench.session.hasSandbox]).toEqual([0, false])
    expect(await bench.host.isAlive(bench.host.created[0] ?? '')).toBe(false)
  })

  it('that was evicted from memory is looked after all the same', async () => {
    const bench = aBench()
    await bench.sh('true')
    bench.evict()
    expect(await quietFor(bench, SANDBOX_QUIET_MS)).toBeNull()
    bench.evict()
    expect(await quietFor(bench, SANDBOX_QUIET_MS)).toBeNull()
    expect(count(bench, 'pause')).toBe(1)
  })

  it('that ended meanwhile is forgotten, and the next call gets another', async () => {
    const bench = aBench()
    await bench.sh('echo a > a.txt')
    await bench.host.crash()
    await quietFor(bench, SANDBOX_QUIET_MS)
    expect(await bench.sh('cat a.txt')).toMatchObject({ stdout: 'a\n', generation: 2 })
  })
})

describe('is not paused', () => {
  it('while a command runs', async () => {
    const bench = aBench()
    const command = bench.sh('touch begun; until [ -e go ]; do sleep 0.05; done; echo done')
    await expect.poll(() => (bench.host.created.length > 0 ? bench.host.inside('ls') : '')).toContain('begun')
    await quietFor(bench, SANDBOX_IDLE_MS)
    await bench.host.inside('touch go')
    expect((await command).stdout).toBe('done\n')
    expect(count(bench, 'pause')).toBe(0)
  })

  it('while a command in a shell runs that nobody waits for', async () => {
    const bench = aBench()
    await inShell(bench, 'echo begun; until [ -e go ]; do sleep 0.05; done; echo done')
    const busy = () => bench.host.inside(`find ${STATE_DIRECTORY}/consoles-*/busy -mmin -0.2 2>/dev/null | wc -l`)
    await expect.poll(async () => Number(await busy())).toBeGreaterThan(0)
    await quietFor(bench, SANDBOX_QUIET_MS)
    await quietFor(bench, SANDBOX_IDLE_MS)
    expect(count(bench, 'pause')).toBe(0)
    await bench.host.inside('touch go')
    await bench.call('shell_read', { wait_ms: 10_000 })
  })

  it('while something goes on in the background, for ten minutes', async () => {
    const bench = aBench()
    await bench.sh('(setsid sleep 1000 >/dev/null 2>&1 &)')
    expect(await quietFor(bench, SANDBOX_QUIET_MS)).toBe(SANDBOX_QUIET_MS)
    await quietFor(bench, SANDBOX_IDLE_MS - SANDBOX_QUIET_MS - 10_000)
    expect(count(bench, 'pause')).toBe(0)
    expect(await quietFor(bench, 10_000)).toBeNull()
    expect(count(bench, 'pause')).toBe(1)
  })

  it('when a call comes while it is looked at', async () => {
    const bench = aBench()
    await bench.sh('true')
    let meanwhile: Promise<unknown> | null = null
    bench.host.before = ({ script }) => {
      if (script.includes('consoles-') && script.includes('background')) meanwhile ??= bench.sh('echo ran')
    }
    await quietFor(bench, SANDBOX_QUIET_MS)
    expect(await meanwhile).toMatchObject({ stdout: 'ran\n' })
    expect(count(bench, 'pause')).toBe(0)
  })
})
