import { getEventListeners } from 'node:events'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, sessionBench } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

it('a call leaves nothing with the signals that outlive it, such as the one of the session', async () => {
  const bench = sessionBench(sandboxd)
  dataOf(await bench.call('own_tool_register', { tool_name: 'hi', code: '@toolwrapper()\ndef hi(): return 1' }))
  const seen = new Set<AbortSignal>()
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  const { addEventListener } = EventTarget.prototype
  vi.spyOn(EventTarget.prototype, 'addEventListener').mockImplementation(function (this: EventTarget, ...given) {
    if (this instanceof AbortSignal) seen.add(this)
    return addEventListener.apply(this, given)
  })
  const own = AbortSignal.any.bind(AbortSignal)
  const any = vi.spyOn(AbortSignal, 'any').mockImplementation((signals) => {
    for (const signal of signals) seen.add(signal)
    return own(signals)
  })
  const calls = async () => {
    dataOf(await bench.call('execute_shell', { command: 'echo x > new.txt' }))
    dataOf(await bench.call('shell_command', { command: 'true' }))
    dataOf(await bench.call('notebook_execute', { code: '1' }))
    dataOf(await bench.call('own_tool_call', { tool_name: 'hi', arguments: {} }))
    dataOf(await bench.call('file_write', { file_path: 'a.txt', content: 'x' }))
  }
  await calls()
  const before = new Map([...seen].map((signal) => [signal, getEventListeners(signal, 'abort').length]))
  any.mockClear()
  seen.clear()
  await calls()
  const shared = [...before.keys()].filter((signal) => seen.has(signal))
  expect(shared.length).toBeGreaterThan(0)
  expect(shared.filter((signal) => getEventListeners(signal, 'abort').length > (before.get(signal) ?? 0))).toEqual([])
  // In workerd what it makes stays in memory as long as the longest-lived of its signals.
  expect(any.mock.calls.flatMap(([signals]) => [...signals]).filter((signal) => before.has(signal))).toEqual([])
})
