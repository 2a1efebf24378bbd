import { afterEach, describe, expect, it, vi } from 'vitest'
import { fail } from '../../../src/core/failure.ts'
import type { CommandResult } from '../../../src/ports/runner.ts'
import { SessionConsoles } from '../../../src/session/consoles/consoles.ts'
import { ConsolePace } from '../../../src/session/consoles/pace.ts'
import { Mutex } from '../../../src/session/mutex.ts'
import { ResidentGone, type ResidentLink } from '../../../src/session/resident/link.ts'
import type { SessionRunner } from '../../../src/session/sandbox/session-runner.ts'
import type { CallContext, Ready, SessionSandbox } from '../../../src/session/sandbox/session-sandbox.ts'
import type { Watchdog } from '../../../src/session/sandbox/watchdog.ts'
import { failureOf } from '../../support/failure-of.ts'
import { NOTHING } from '../../support/no-sandbox.ts'

afterEach(() => vi.useRealTimers())

/** Consoles whose supervisor answers as `ask` does, and whose commands print `printed`. */
function consolesOver({ ask, printed = '', body = null }: Parts) {
  const ended: CommandResult = {
    exitCode: 0,
    stdout: { text: printed, bytes: printed.length },
    stderr: { text: '', bytes: 0 },
    timedOut: false,
    conflicts: [],
    notes: [],
    generation: 1,
  }
  const sandbox = { ...NOTHING, readStream: async () => body }
  const ready = { sandbox, state: { watchPort: null, watched: null } } as unknown as Ready
  const notices = { conflicts: [], notes: [] }
  // What this looks at of each.
  const within: Within = (_ms, watchdog, work) =>
    work(ready)
      .then((done) => ({ ...done, notices }))
      .finally(() => watchdog.stop())
  const runner = {
    run: async () => ended,
    within,
    endMarked: async () => {},
    noteOverdue: () => {},
  } as unknown as SessionRunner
  const sessionSandbox = { sandboxId: 'box', reach: async () => sandbox } as unknown as SessionSandbox
  return new SessionConsoles({
    sessionSandbox,
    runner,
    link: { ask, open: async () => {} } as unknown as ResidentLink,
    mutex: new Mutex(),
    caller: { signal: new AbortController().signal } as CallContext,
    pace: new ConsolePace(),
    now: () => Date.now(),
    signals: [],
  })
}

interface Parts {
  readonly ask: ResidentLink['ask']
  readonly printed?: string
  /** What the sandbox sends for a file. */
  readonly body?: ReadableStream<Uint8Array> | null
}
type Within = <T>(
  ms: number,
  watchdog: Watchdog,
  work: (ready: Ready) => Promise<T>,
) => Promise<T & { notices: object }>

const notStarted = async () => fail('upstream', 'it does not start')

/** Consoles whose supervisor does not start, and whose reply lies in a file of the sandbox, which sends `body` for it. */
const consolesReading = (body: ReadableStream<Uint8Array>) =>
  consolesOver({ ask: notStarted, printed: '{"file":"0123456789abcdef.reply"}', body })

/** Consoles whose host answers everything at once, with that. */
function consolesAnswering(reply: unknown) {
  let calls = 0
  return consolesOver({
    ask: async (_sandbox, _request, _signal, sent) => {
      sent?.()
      if (++calls > 100) throw new Error('it was asked over and over')
      return reply
    },
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
      const said = JSON.stringify({ pending: 'r', left, took: 0 })
      const answer = consolesAnswering({ said }).ask(request, 1)
      expect((await failureOf(answer, 'ask')).code).toBe('upstream')
    },
  )
})

describe('on a machine that becomes busy all of a sudden', () => {
  /** Consoles whose host answers so long after the end of the wait; while the machine is idle it answers at once. */
  function consolesLateBy(lateMs: number) {
    let isIdle = true
    const consoles = consolesOver({
      ask: async (_sandbox, request, signal, sent) => {
        sent?.()
        const { wait } = JSON.parse(String(request.ask)) as { wait: number }
        if (!isIdle) await new Promise((resolve) => setTimeout(resolve, wait * 1_000 + lateMs))
        signal.throwIfAborted()
        return { said: JSON.stringify({ pending: 'r', left: 60, took: 0 }) }
      },
    })
    const becomeBusy = async () => {
      for (let question = 0; question < 20; question++) await consoles.ask(REQUEST, 1)
      isIdle = false
    }
    return { consoles, becomeBusy }
  }

  const cell = { do: 'cell', code: 'x', reset: false, run: null }
  const command = { do: 'command', command: 'x', shell_id: null, kill: false, keep: false }
  it.each([
    ['a cell', { ...cell, seconds: 300, wait: 0.2 }],
    ['a command in a shell', { ...command, run_async: false, seconds: 300, wait: 0.2 }],
    ['a command without an end', { ...command, run_async: true, seconds: 300, wait: 0.2 }],
    ['a reading of the shell', { do: 'read', wait: 0.2 }],
  ])(
    '%s whose wait is over goes on, and its call says so, however quick the questions before were',
    async (_, request) => {
      vi.useFakeTimers()
      const { consoles, becomeBusy } = consolesLateBy(2_000)
      await becomeBusy()
      const answered = consoles.ask(request as unknown as Parameters<SessionConsoles['ask']>[0], 1)
      await vi.runAllTimersAsync()
      expect((await answered).reply).toMatchObject({ pending: 'r' })
    },
  )

  it('a command that takes half a second to end at its deadline is answered with its end', async () => {
    vi.useFakeTimers()
    const { consoles, becomeBusy } = consolesLateBy(500)
    await becomeBusy()
    const request = { ...command, run_async: false, kill: true, seconds: 2, wait: 2 }
    const answered = consoles.ask(request as unknown as Parameters<SessionConsoles['ask']>[0], 1)
    await vi.runAllTimersAsync()
    expect((await answered).reply).toMatchObject({ pending: 'r' })
  })

  it.each([
    ['a cell', { ...cell, seconds: 2, wait: 60 }],
    ['a command in a shell', { ...command, run_async: false, seconds: 2, wait: 60 }],
  ])('%s is answered within a second of its deadline, though its host has not answered', async (_, request) => {
    vi.useFakeTimers()
    const { consoles, becomeBusy } = consolesLateBy(60_000)
    await becomeBusy()
    const failed = failureOf(consoles.ask(request as unknown as Parameters<SessionConsoles['ask']>[0], 1), 'ask')
    await vi.advanceTimersByTimeAsync(3_000)
    expect((await failed).code).toBe('timeout')
  })
})

describe('a large reply of the consoles', () => {
  it('is given up when the file in its place sends nothing', async () => {
    vi.useFakeTimers()
    const failed = failureOf(consolesReading(new ReadableStream()).ask(REQUEST, 1), 'ask')
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
    expect((await failureOf(consolesReading(endless).ask(REQUEST, 1), 'ask')).code).toBe('upstream')
    expect(cancelled).toBe(true)
  })
})

describe('a question to the consoles', () => {
  const answered = { text: 'x', took: 0 }

  it('goes by a command where no supervisor runs', async () => {
    const { reply } = await consolesOver({ ask: notStarted, printed: JSON.stringify(answered) }).ask(REQUEST, 1)
    expect(reply).toEqual(answered)
  })

  it('is not asked again by a command when the supervisor ended with it: it may have been done', async () => {
    const ask: ResidentLink['ask'] = async (_sandbox, _request, _signal, sent) => {
      sent?.()
      throw new ResidentGone()
    }
    const answer = consolesOver({ ask, printed: JSON.stringify(answered) }).ask(REQUEST, 1)
    expect((await failureOf(answer, 'ask')).code).toBe('upstream')
  })

  it('is asked again with the same id when the supervisor ended with it, by another one', async () => {
    const requests: { id?: string; again?: number }[] = []
    const ask: ResidentLink['ask'] = async (_sandbox, request, _signal, sent) => {
      sent?.()
      requests.push(JSON.parse(String(request.ask)))
      if (requests.length === 1) throw new ResidentGone()
      return { said: JSON.stringify(answered) }
    }
    expect((await consolesOver({ ask }).ask(REQUEST, 1)).reply).toEqual(answered)
    expect(requests).toEqual([
      expect.not.objectContaining({ again: expect.anything() }),
      expect.objectContaining({ id: requests[0]?.id, again: expect.any(Number) }),
    ])
  })

  it.each([
    ['has ended', { missing: true as const }],
    ['does not know how far it came', { said: '' }],
  ])('is not asked a third time, nor of a new host, when its host %s', async (_, reply) => {
    let requests = 0
    const ask: ResidentLink['ask'] = async (_sandbox, _request, _signal, sent) => {
      sent?.()
      if (++requests === 1) throw new ResidentGone()
      return reply
    }
    const answer = consolesOver({ ask, printed: JSON.stringify(answered) }).ask(REQUEST, 1)
    expect((await failureOf(answer, 'ask')).code).toBe('upstream')
    expect(requests).toBe(2)
  })

  it.each([
    ['no object', 7],
    ['no text', { said: 7 }],
    ['no JSON', { said: '{' }],
    ['JSON that is nested without end', { said: '['.repeat(100_000) }],
  ])('fails when another program in place of the supervisor says %s', async (_, reply) => {
    expect((await failureOf(consolesAnswering(reply).ask(REQUEST, 1), 'ask')).code).toBe('upstream')
  })
})
