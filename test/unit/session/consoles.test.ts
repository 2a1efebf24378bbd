import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CommandResult, Runner } from '../../../src/ports/runner.ts'
import { SessionConsoles } from '../../../src/session/consoles/consoles.ts'
import { ConsolePace } from '../../../src/session/consoles/pace.ts'
import { Lane } from '../../../src/session/lane.ts'
import type { Caller, Machine } from '../../../src/session/machine/machine.ts'
import { failureOf } from '../../support/failure-of.ts'
import { NOTHING } from '../../support/no-sandbox.ts'

afterEach(() => vi.useRealTimers())

/** Consoles whose reply lies in a file of the sandbox, which sends `body` for it. */
function consolesOver(body: ReadableStream<Uint8Array>) {
  const output = { text: '{"file":"0123456789abcdef.reply"}', bytes: 33 }
  const ended: CommandResult = {
    exitCode: 0,
    stdout: output,
    stderr: { text: '', bytes: 0 },
    timedOut: false,
    conflicts: [],
    notes: [],
    generation: 1,
  }
  const runner: Runner = { run: async () => ended }
  const sandbox = { ...NOTHING, readStream: async () => body }
  // What this looks at of a machine and of its caller.
  const machine = { sandboxId: 'box', reach: async () => sandbox } as unknown as Machine
  const caller = { signal: new AbortController().signal } as Caller
  return new SessionConsoles({
    machine,
    runner,
    lane: new Lane(),
    caller,
    pace: new ConsolePace(),
    now: () => Date.now(),
  })
}

/** Consoles whose host answers everything at once, with that. */
function consolesAnswering(reply: object) {
  let asked = 0
  const run = async (): Promise<CommandResult> => {
    const text = JSON.stringify(reply)
    if (++asked > 100) throw new Error('it was asked over and over')
    return {
      exitCode: 0,
      stdout: { text, bytes: text.length },
      stderr: { text: '', bytes: 0 },
      timedOut: false,
      conflicts: [],
      notes: [],
      generation: 1,
    }
  }
  return new SessionConsoles({
    machine: {} as unknown as Machine, // a small reply needs none of it
    runner: { run },
    lane: new Lane(),
    caller: { signal: new AbortController().signal } as Caller,
    pace: new ConsolePace(),
    now: () => Date.now(),
  })
}

const REQUEST = { do: 'shells', wait: 1 } as unknown as Parameters<SessionConsoles['ask']>[0]

describe('a cell', () => {
  it.each([
    ['has not begun', null],
    ['has time left', 60],
  ])(
    'is given up when another program in place of its host says at once, again and again, that it %s',
    async (_, left) => {
      const cell = { do: 'cell', code: 'x', reset: false, seconds: 60, wait: 3_600 }
      const request = cell as unknown as Parameters<SessionConsoles['ask']>[0]
      const asked = consolesAnswering({ pending: 'r', left, took: 0 }).ask(request, 1)
      expect((await failureOf(asked, 'ask')).code).toBe('upstream')
    },
  )
})

describe('a large reply of the consoles', () => {
  it('is given up when the file in its place sends nothing', async () => {
    vi.useFakeTimers()
    const failed = failureOf(consolesOver(new ReadableStream()).ask(REQUEST, 1), 'ask')
    await vi.advanceTimersByTimeAsync(60_000)
    expect((await failed).code).toBe('upstream')
  })

  it('is given up, and the stream cancelled, when it has no end', async () => {
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)),
      cancel: () => {
        cancelled = true
      },
    })
    expect((await failureOf(consolesOver(endless).ask(REQUEST, 1), 'ask')).code).toBe('upstream')
    expect(cancelled).toBe(true)
  })
})
