import { SandboxGone } from '../ports/sandbox.ts'
import { type Effect, isLong } from '../tools/define.ts'
import type { Mutex } from './mutex.ts'
import type { OverdueCommands } from './sandbox/overdue.ts'
import type { CallContext, SessionSandbox } from './sandbox/session-sandbox.ts'
import type { Stopwatch } from './stopwatch.ts'

export interface SchedulerParts {
  readonly mutex: Mutex
  readonly sessionSandbox: SessionSandbox
  readonly overdue: OverdueCommands
  readonly caller: (callId: string) => CallContext
  readonly logError: (thrown: unknown) => void
}

/** A call in the queue, and the clock of its wait. */
export interface QueuedCall {
  readonly callId: string
  readonly stopwatch: Stopwatch
}

/**
 * Order of a session's calls: those that change files run one after another; while commands run, those that read files see what
 * the commands have written so far.
 */
export class Scheduler {
  readonly #parts: SchedulerParts

  constructor(parts: SchedulerParts) {
    this.#parts = parts
  }

  async run<T>(effect: Effect, turn: QueuedCall, work: () => Promise<T>): Promise<T> {
    const { mutex, sessionSandbox, overdue } = this.#parts
    if (isLong(effect)) return work()
    if (effect === 'read' && !sessionSandbox.active) return work()
    const { stopwatch } = turn
    const requestedAt = stopwatch.now()
    if (sessionSandbox.active) await overdue.settled()
    return mutex.run(async () => {
      stopwatch.add('queued', stopwatch.now() - requestedAt)
      if (sessionSandbox.active) await this.#catchUp(turn)
      return work()
    })
  }

  /** Commits the sandbox's changes. A sandbox out of reach does not keep a file tool from its work. */
  async #catchUp({ callId, stopwatch }: QueuedCall): Promise<void> {
    const { sessionSandbox, caller, logError } = this.#parts
    const start = stopwatch.now()
    try {
      await sessionSandbox.pull(caller(callId))
    } catch (thrown) {
      logError(thrown)
      if (thrown instanceof SandboxGone) await sessionSandbox.discard(caller(callId)).catch(logError)
    }
    stopwatch.add('sync', stopwatch.now() - start)
  }
}
