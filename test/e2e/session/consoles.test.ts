import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_CONSOLE_COMMAND_MS } from '../../../src/core/limits/consoles.ts'
import { SESSION_IDLE_MS } from '../../../src/core/limits/sessions.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, sessionBench } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

describe('a shell that nobody asks', () => {
  const idle = SESSION_IDLE_MS + 1_000

  it('keeps the sandbox while it runs a command, for an hour at most', async () => {
    const bench = sessionBench(sandboxd)
    const isAlive = () => bench.host.isAlive(bench.host.created.at(-1) ?? '')
    const started = await bench.call('shell_command', { command: 'sleep 600', run_async: true, wait_ms: 0 })
    expect(dataOf(started)).toMatchObject({ shell_id: 0 })
    await expect.poll(() => bench.host.inside('ls ~/.toolyard/consoles-*')).toContain('busy')
    bench.clock.ahead += idle
    await bench.session.rest()
    expect(await isAlive()).toBe(true)
    bench.clock.ahead += MAX_CONSOLE_COMMAND_MS
    await bench.session.rest()
    expect(await isAlive()).toBe(false)
  })

  it('does not keep it when it waits for a command', async () => {
    const bench = sessionBench(sandboxd)
    await bench.call('shell_command', { command: 'echo x', run_async: true })
    bench.clock.ahead += idle
    await bench.session.rest()
    expect(await bench.host.isAlive(bench.host.created.at(-1) ?? '')).toBe(false)
    const next = await bench.call('shell_command', { shell_id: 0, run_async: true })
    expect(next).toMatchObject({ failure: { code: 'not_found' } })
  })
})
