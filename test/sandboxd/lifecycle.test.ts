import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Sandbox as CodeSandbox } from '@e2b/code-interpreter'
import { Sandbox, SandboxNotFoundError } from 'e2b'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandLine, descendantsOf, isAlive } from '../support/processes.ts'
import { type Daemon, makeState, removeState, startDaemon } from './support/daemon.ts'

const pauseOnTimeout = { onTimeout: 'pause', autoResume: true } as const

describe('one daemon', () => {
  let daemon: Daemon
  beforeAll(async () => {
    daemon = await startDaemon()
  })
  afterAll(() => daemon.stop())

  it('creates, describes, finds and kills', async () => {
    const sandbox = await Sandbox.create('my-template', {
      ...daemon.sdk,
      metadata: { purpose: 'a&b=c' },
      envs: { FROM_CREATE: 'yes' },
      timeoutMs: 60_000,
    })
    expect(await sandbox.isRunning()).toBe(true)
    expect((await sandbox.commands.run('echo $FROM_CREATE')).stdout).toBe('yes\n')
    const info = await sandbox.getInfo()
    expect(info).toMatchObject({ templateId: 'my-template', state: 'running', metadata: { purpose: 'a&b=c' } })
    expect(info.endAt.getTime() - info.startedAt.getTime()).toBeGreaterThan(55_000)

    const same = await Sandbox.connect(sandbox.sandboxId, daemon.sdk)
    expect((await same.commands.run('echo again')).stdout).toBe('again\n')
    expect(await sandbox.kill()).toBe(true)
    expect(await sandbox.kill()).toBe(false)
    expect(await sandbox.isRunning()).toBe(false)
    await expect(Sandbox.connect(sandbox.sandboxId, daemon.sdk)).rejects.toBeInstanceOf(SandboxNotFoundError)
    await expect(Sandbox.getInfo(sandbox.sandboxId, daemon.sdk)).rejects.toBeInstanceOf(SandboxNotFoundError)
    expect(readdirSync(join(daemon.stateDir, 's'))).not.toContain(sandbox.sandboxId)
  })

  it('lists by metadata and state, page by page', async () => {
    const group = { metadata: { group: 'listed' } }
    const sandboxes = await Promise.all([1, 2, 3].map(() => Sandbox.create({ ...daemon.sdk, ...group })))
    await sandboxes[0]?.pause()
    const pages = Sandbox.list({ ...daemon.sdk, query: group, limit: 2 })
    const first = await pages.nextItems()
    const second = await pages.nextItems()
    expect([first.length, second.length, pages.hasNext]).toEqual([2, 1, false])
    expect(new Set([...first, ...second].map(({ sandboxId }) => sandboxId))).toEqual(
      new Set(sandboxes.map((s) => s.sandboxId)),
    )
    const paused = await Sandbox.list({ ...daemon.sdk, query: { ...group, state: ['paused'] } }).nextItems()
    expect(paused.map(({ sandboxId }) => sandboxId)).toEqual([sandboxes[0]?.sandboxId])
    await Promise.all(sandboxes.map((sandbox) => sandbox.kill()))
  })

  it('kills when the time is over', async () => {
    const sandbox = await Sandbox.create({ ...daemon.sdk, timeoutMs: 1000 })
    await expect.poll(() => sandbox.isRunning()).toBe(false)
    await expect(sandbox.getInfo()).rejects.toBeInstanceOf(SandboxNotFoundError)
  })

  it('sets the timeout anew, and connect only extends it', async () => {
    const sandbox = await Sandbox.create({ ...daemon.sdk, timeoutMs: 60_000 })
    await sandbox.setTimeout(180_000)
    await Sandbox.connect(sandbox.sandboxId, { ...daemon.sdk, timeoutMs: 1000 })
    const { endAt } = await sandbox.getInfo()
    expect(endAt.getTime() - Date.now()).toBeGreaterThan(100_000)
    await sandbox.kill()
  })

  it('ends what is under way when it is killed', async () => {
    const sandbox = await Sandbox.create(daemon.sdk)
    const running = await sandbox.commands.run('echo started; sleep 100', { background: true })
    const outcome = running.wait().catch((error: Error) => error)
    await sandbox.kill()
    expect(await outcome).toMatchObject({ name: 'TimeoutError' })
  })

  it('pauses with its memory and resumes on connect', async () => {
    const sandbox = await CodeSandbox.create(daemon.sdk)
    await sandbox.runCode('kept = 41')
    const ticking = await sandbox.commands.run('while :; do date +%s%N > tick; done', {
      background: true,
      timeoutMs: 0,
    })
    expect(await sandbox.pause()).toBe(true)
    expect(await sandbox.pause()).toBe(false)
    expect((await sandbox.getInfo()).state).toBe('paused')
    expect(await sandbox.isRunning()).toBe(false)
    await expect(sandbox.commands.run('true')).rejects.toThrow()
    await sandbox.connect()
    expect((await sandbox.runCode('kept + 1')).text).toBe('42')
    expect((await sandbox.commands.list()).map(({ pid }) => pid)).toContain(ticking.pid)
    await sandbox.kill()
  })

  it('can forget its memory and keep its files', async () => {
    const sandbox = await CodeSandbox.create(daemon.sdk)
    await sandbox.runCode('kept = 41')
    await sandbox.files.write('kept.txt', 'file')
    const bootId = 'cat /proc/sys/kernel/random/boot_id'
    const before = (await sandbox.commands.run(bootId)).stdout
    await sandbox.pause({ keepMemory: false })
    await sandbox.connect()
    expect(await sandbox.files.read('kept.txt')).toBe('file')
    expect((await sandbox.runCode('kept')).error?.name).toBe('NameError')
    expect((await sandbox.commands.run(bootId)).stdout).not.toBe(before)
    await sandbox.kill()
  })

  it('pauses on timeout when asked, and the next request wakes it', async () => {
    const sandbox = await Sandbox.create({ ...daemon.sdk, timeoutMs: 1000, lifecycle: pauseOnTimeout })
    await sandbox.files.write('a.txt', 'still here')
    await expect.poll(async () => (await sandbox.getInfo()).state).toBe('paused')
    expect(await sandbox.isRunning()).toBe(false)
    expect(await sandbox.files.read('a.txt')).toBe('still here')
    expect((await sandbox.getInfo()).lifecycle).toEqual({ onTimeout: 'pause', autoResume: true })
    await sandbox.kill()
  })

  it('notices when a tenant kills its own agent', async () => {
    const sandbox = await Sandbox.create(daemon.sdk)
    const other = await Sandbox.create(daemon.sdk)
    await sandbox.commands.run('kill -9 $(pgrep -f agent.cjs)').catch(() => {})
    await expect.poll(() => sandbox.isRunning()).toBe(false)
    expect((await other.commands.run('echo alive')).stdout).toBe('alive\n')
    await other.kill()
  })

  it('measures', async () => {
    const sandbox = await Sandbox.create(daemon.sdk)
    const [metrics] = await sandbox.getMetrics()
    expect(metrics?.memTotal).toBe(1024 ** 3)
    await sandbox.kill()
  })

  it('refuses what it cannot do', async () => {
    const sandbox = await Sandbox.create(daemon.sdk)
    await expect(sandbox.createSnapshot()).rejects.toThrow(/501/)
    await expect(Sandbox.create({ ...daemon.sdk, network: { denyOut: ['8.8.8.8'] } })).rejects.toThrow(
      /400.*not support/,
    )
    await expect(Sandbox.create({ ...daemon.sdk, timeoutMs: 25 * 3_600_000 })).rejects.toThrow(/24 hours/)
    await sandbox.kill()
  })
})

describe('the end of a daemon', () => {
  const afterwards: (() => unknown)[] = []
  afterAll(async () => {
    for (const clean of afterwards.reverse()) await clean()
  })

  it('leaves no process when it is asked to stop, and exits with 0', async () => {
    const daemon = await startDaemon()
    const sandbox = await Sandbox.create(daemon.sdk)
    await sandbox.commands.run('setsid sleep 1000 >/dev/null 2>&1 & sleep 1000', { background: true, timeoutMs: 0 })
    await expect.poll(() => descendantsOf(daemon.pid).length).toBeGreaterThan(5)
    const pids = descendantsOf(daemon.pid)
    expect(await daemon.stop()).toBe(0)
    expect(pids.filter(isAlive)).toEqual([])
    expect(existsSync(daemon.stateDir)).toBe(false)
  })

  it('leaves no process when it is killed; the next one has the files', async () => {
    const stateDir = makeState()
    afterwards.push(() => removeState(stateDir))
    const first = await startDaemon({ stateDir })
    const sandbox = await Sandbox.create({ ...first.sdk, lifecycle: pauseOnTimeout, metadata: { a: 'b' } })
    const frozen = await Sandbox.create({ ...first.sdk, lifecycle: pauseOnTimeout })
    const doomed = await Sandbox.create({ ...first.sdk, timeoutMs: 3000 })
    await sandbox.files.write('kept.txt', 'kept')
    await frozen.files.write('frozen.txt', 'kept too')
    await frozen.pause()
    await sandbox.commands.run('setsid sleep 1000 >/dev/null 2>&1 & sleep 1000', { background: true, timeoutMs: 0 })
    const pids = descendantsOf(first.pid)
    await first.kill()
    await expect.poll(() => pids.filter(isAlive)).toEqual([])

    const second = await startDaemon({ stateDir })
    afterwards.push(() => second.stop())
    const listed = await Sandbox.list({ ...second.sdk, query: { metadata: { a: 'b' } } }).nextItems()
    expect(listed).toMatchObject([{ sandboxId: sandbox.sandboxId, state: 'paused' }])
    const again = await Sandbox.connect(sandbox.sandboxId, second.sdk)
    expect(await again.files.read('kept.txt')).toBe('kept')
    // Not connected first: a request alone wakes it, with the token it was created with.
    const headers = {
      'E2b-Sandbox-Id': frozen.sandboxId,
      'E2b-Sandbox-Port': '49983',
      'X-Access-Token': (frozen as unknown as { envdAccessToken: string }).envdAccessToken,
    }
    const woken = await fetch(`${second.url}/files?path=frozen.txt`, { headers })
    expect(await woken.text()).toBe('kept too')
    await expect.poll(() => existsSync(join(stateDir, 's', doomed.sandboxId))).toBe(false)
  })

  it('leaves no process when it is killed while a sandbox starts', async () => {
    const stateDir = makeState()
    afterwards.push(() => removeState(stateDir))
    // bwrap that waits: it begins when its daemon is gone.
    const bin = join(stateDir, 'bin')
    mkdirSync(bin)
    chmodSync(stateDir, 0o711)
    const script = `#!/bin/bash
if [ "$1" = --args ]; then until [ -e ${bin}/go ]; do /bin/sleep 0.01; done; fi
exec ${execFileSync('which', ['bwrap'], { encoding: 'utf8' }).trim()} "$@"\n`
    writeFileSync(join(bin, 'bwrap'), script, { mode: 0o755 })
    const daemon = await startDaemon({ stateDir, env: { PATH: `${bin}:${process.env.PATH}` } })
    const creating = Sandbox.create(daemon.sdk).catch(() => 'cut off')
    const starting = () => descendantsOf(daemon.pid).filter((pid) => commandLine(pid).includes(`${bin}/bwrap --args`))
    await expect.poll(starting).toHaveLength(1)
    const [pid = 0] = starting()
    await daemon.kill()
    expect(await creating).toBe('cut off')
    expect(isAlive(pid)).toBe(true)
    writeFileSync(join(bin, 'go'), '')
    // The first process of bwrap ends when all others of the sandbox have.
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('comes back after a clean stop', async () => {
    const stateDir = makeState()
    afterwards.push(() => removeState(stateDir))
    const first = await startDaemon({ stateDir })
    const sandbox = await Sandbox.create({ ...first.sdk, lifecycle: pauseOnTimeout })
    await sandbox.files.write('kept.txt', 'kept')
    await first.stop()
    const second = await startDaemon({ stateDir })
    afterwards.push(() => second.stop())
    const again = await Sandbox.connect(sandbox.sandboxId, second.sdk)
    expect(await again.files.read('kept.txt')).toBe('kept')
  })
})
