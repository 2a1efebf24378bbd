import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Sandbox } from '@e2b/code-interpreter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandLine, descendantsOf, residentMb } from '../support/processes.ts'
import { type Daemon, startDaemon } from './support/daemon.ts'

const MIB = 1024 * 1024

describe('bounds', () => {
  let daemon: Daemon
  let sandbox: Sandbox
  beforeAll(async () => {
    const env = {
      SANDBOXD_MEMORY_MB: '300',
      SANDBOXD_PIDS: '100',
      SANDBOXD_TMP_MB: '32',
      SANDBOXD_FILE_MB: '20',
      SANDBOXD_MAX_RUNNING: '3',
    }
    daemon = await startDaemon({ env })
    sandbox = await Sandbox.create(daemon.sdk)
  })
  afterAll(() => daemon.stop())

  const agentPid = () => {
    const pid = descendantsOf(daemon.pid).find((process) => commandLine(process).startsWith('/opt/node/bin/node'))
    if (pid === undefined) throw new Error('no agent runs')
    return pid
  }

  it('kills what eats the memory; the sandbox lives', async () => {
    const hog = sandbox.commands.run('python3 -c "x = bytearray(2_000_000_000)"')
    await expect(hog).rejects.toMatchObject({ exitCode: expect.any(Number) })
    expect((await sandbox.commands.run('echo alive')).stdout).toBe('alive\n')
  })

  it('bounds what /tmp and /dev/shm take of the memory', async () => {
    for (const file of ['/tmp/fill', '/dev/shm/fill', '/run/fill']) {
      const { stdout } = await sandbox.commands.run(
        `head -c 200M /dev/zero > ${file} 2>/tmp/err; rm -f ${file}; echo over`,
      )
      expect(stdout).toBe('over\n')
    }
  })

  it('bounds one file', async () => {
    await expect(sandbox.commands.run('head -c 100M /dev/zero > large')).rejects.toThrow()
    expect((await sandbox.commands.run('stat -c %s large; rm large')).stdout).toBe(`${20 * MIB}\n`)
    await expect(sandbox.files.write('large', new Blob([new Uint8Array(30 * MIB)]))).rejects.toThrow(/EFBIG|space/i)
    await sandbox.commands.run('rm -f large')
  })

  it('contains a fork bomb, which kill ends', async () => {
    const doomed = await Sandbox.create(daemon.sdk)
    const bomb = doomed.commands.run('f() { f | f & }; f; sleep 100', { timeoutMs: 0 }).catch(() => {})
    await expect.poll(() => descendantsOf(daemon.pid).length).toBeGreaterThan(80)
    expect(descendantsOf(daemon.pid).length).toBeLessThan(180)
    expect((await sandbox.commands.run('echo alive')).stdout).toBe('alive\n')
    expect(await doomed.kill()).toBe(true)
    await bomb
    expect(descendantsOf(daemon.pid).length).toBeLessThan(40)
  })

  it('passes 100 MB of output through in flat memory, whether it is read fast, slowly or not at all', async () => {
    const before = residentMb(agentPid())
    let received = 0
    await sandbox.commands.run('head -c 100000000 /dev/zero | tr "\\0" a', {
      onStdout: (text) => {
        received += text.length
      },
      timeoutMs: 0,
    })
    expect(received).toBe(100_000_000)

    // A client that takes the first bytes and then nothing: the pipe fills and the command waits.
    const stalled = await rawStart('head -c 100000000 /dev/zero')
    const reader = stalled.body?.getReader()
    await reader?.read()
    const unread = await sandbox.commands.run('head -c 100000000 /dev/zero; touch /tmp/finished', { background: true })
    await unread.disconnect()
    // Nobody reads this one: it is drained, so it ends.
    await expect.poll(() => sandbox.files.exists('/tmp/finished')).toBe(true)
    expect(residentMb(agentPid()) - before).toBeLessThan(80)
    expect(residentMb(daemon.pid)).toBeLessThan(250)
    await reader?.cancel()
    await expect.poll(async () => (await sandbox.commands.run('pgrep -c head || true')).stdout).toBe('0\n')
  })

  it('bounds what code prints, too', async () => {
    const { logs } = await sandbox.runCode('print("x" * 30_000_000)')
    expect(logs.stdout.join('').length).toBe(30_000_001)
    expect(residentMb(agentPid())).toBeLessThan(200)
  })

  it('refuses more sandboxes than may run', async () => {
    const more = [await Sandbox.create(daemon.sdk), await Sandbox.create(daemon.sdk)]
    await expect(Sandbox.create({ ...daemon.sdk, retries: 0 })).rejects.toThrow(/at most 3 sandboxes/)
    await Promise.all(more.map((one) => one.kill()))
  })

  it('refuses no more than that when many are asked for at once', async () => {
    const creations = await Promise.allSettled(
      Array.from({ length: 5 }, () => Sandbox.create({ ...daemon.sdk, retries: 0 })),
    )
    const more = creations.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(more).toHaveLength(2) // beside the one of all tests
    await Promise.all(more.map((one) => one.kill()))
  })

  it('counts paused ones no more, and wakes no more than may run', async () => {
    const paused = [await Sandbox.create(daemon.sdk), await Sandbox.create(daemon.sdk)]
    for (const one of paused) await one.pause()
    const more = [await Sandbox.create(daemon.sdk), await Sandbox.create(daemon.sdk)]
    await expect(Sandbox.connect(paused[0]?.sandboxId ?? '', { ...daemon.sdk, retries: 0 })).rejects.toThrow(
      /at most 3 sandboxes/,
    )
    await more.pop()?.kill()
    const woken = await Sandbox.connect(paused[0]?.sandboxId ?? '', daemon.sdk)
    expect(await woken.isRunning()).toBe(true)
    await Promise.all([...paused, ...more].map((one) => one.kill()))
  })

  it('refuses bodies and headers that are too large', async () => {
    const create = await fetch(`${daemon.url}/v2/sandboxes`, {
      method: 'POST',
      headers: { 'X-API-KEY': daemon.sdk.apiKey },
      body: JSON.stringify({ templateID: 'x'.repeat(2 * MIB) }),
    })
    expect(create.status).toBe(413)
    const headers = await fetch(`${daemon.url}/health`, { headers: { 'x-long': 'x'.repeat(64 * 1024) } })
    expect(headers.status).toBe(431)
  })

  function rawStart(command: string): Promise<Response> {
    const message = Buffer.from(JSON.stringify({ process: { cmd: '/bin/bash', args: ['-c', command] } }))
    const envelope = Buffer.alloc(5)
    envelope.writeUInt32BE(message.length, 1)
    return fetch(`${daemon.url}/process.Process/Start`, {
      method: 'POST',
      headers: {
        'content-type': 'application/connect+json',
        'E2b-Sandbox-Id': sandbox.sandboxId,
        'E2b-Sandbox-Port': '49983',
        'X-Access-Token': (sandbox as unknown as { envdAccessToken: string }).envdAccessToken,
      },
      body: Buffer.concat([envelope, message]),
    })
  }
})

describe('the disk', () => {
  /** All at once, so that a look at the disk finds the whole of it or nothing. @returns the file's path */
  function fill({ stateDir }: Daemon, { sandboxId }: Sandbox, bytes: number): string {
    const [made, filler] = [join(stateDir, 'filler'), join(stateDir, 's', sandboxId, 'home', 'filler')]
    writeFileSync(made, new Uint8Array(bytes))
    renameSync(made, filler)
    return filler
  }

  it('loses its processes above its quota, and everything above twice that', async () => {
    const daemon = await startDaemon({ env: { SANDBOXD_DISK_MB: '20', SANDBOXD_RESERVE_MB: '1' } })
    const create = () => Sandbox.create({ ...daemon.sdk, lifecycle: { onTimeout: 'pause', autoResume: true } })
    const [over, twice] = [await create(), await create()]
    const kept = fill(daemon, over, 30 * MIB)
    fill(daemon, twice, 60 * MIB)
    await expect.poll(async () => (await over.getInfo()).state).toBe('paused')
    await expect.poll(() => readdirSync(join(daemon.stateDir, 's'))).toEqual([over.sandboxId])
    expect(daemon.log()).toContain('MiB on disk')
    expect(statSync(kept).size).toBe(30 * MIB)
    await daemon.stop()
  })

  it('is kept from running full: the largest sandbox goes', async () => {
    const daemon = await startDaemon({ env: { SANDBOXD_RESERVE_MB: '999999999' } })
    const [small, large] = [await Sandbox.create(daemon.sdk), await Sandbox.create(daemon.sdk)]
    fill(daemon, large, 5 * MIB)
    await expect.poll(() => large.isRunning()).toBe(false)
    expect(await small.isRunning()).toBe(true)
    expect(daemon.log()).toContain('MiB free')
    await daemon.stop()
  })
})

it('keeps so many paused sandboxes in memory, those that were paused last; the others keep their files', async () => {
  const daemon = await startDaemon({ env: { SANDBOXD_MAX_FROZEN: '1' } })
  const [first, last] = [await Sandbox.create(daemon.sdk), await Sandbox.create(daemon.sdk)]
  for (const one of [first, last]) {
    await one.files.write('kept.txt', 'kept')
    await one.commands.run('sleep 1000', { background: true })
  }
  const before = descendantsOf(daemon.pid).length
  await first.pause()
  await last.pause()
  await expect.poll(() => descendantsOf(daemon.pid).length).toBeLessThanOrEqual(before / 2)
  const wokenOutput = async ({ sandboxId }: Sandbox) =>
    (await (await Sandbox.connect(sandboxId, daemon.sdk)).commands.run('cat kept.txt; pgrep -xc sleep || true')).stdout
  expect(await Promise.all([wokenOutput(first), wokenOutput(last)])).toEqual(['kept0\n', 'kept1\n'])
  await daemon.stop()
})

describe('an idle sandbox', () => {
  it('costs about 50 MB and no processor time', async () => {
    const daemon = await startDaemon()
    await Sandbox.create(daemon.sdk)
    const pid = descendantsOf(daemon.pid).find((process) => commandLine(process).startsWith('/opt/node/bin/node')) ?? 0
    expect(residentMb(pid)).toBeLessThan(80)
    const ticks = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15).map(Number)
    /** Of half a second: the measured interval, not a wait for something. */
    const used = async () => {
      const [user = 0, system = 0] = ticks()
      await sleep(500)
      const [userThen = 0, systemThen = 0] = ticks()
      return userThen - user + systemThen - system
    }
    // What there was to do for its start may take a moment.
    await expect.poll(used).toBe(0)
    await daemon.stop()
  })
})
