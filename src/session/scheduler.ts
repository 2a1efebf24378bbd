import type { HasFiles } from '../ports/runner.ts'
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
  /** Author of what work in the sandbox wrote: the call that it is of, or `background`. */
  readonly writer: () => string
  readonly logError: (thrown: unknown) => void
}

/** A call in the queue, and the clock of its wait. */
export interface QueuedCall {
  readonly callId: string
  readonly stopwatch: Stopwatch
  /** Whether the workspace has what the call must see of the sandbox; left out, the sandbox is looked at. */
  readonly hasFiles?: HasFiles | undefined
}

/**
 * Scheduler of a session's calls: those that change files run one after another; while commands run, calls that read files
 * see the commands' output so far.
 */
export class Scheduler {
  readonly #parts: SchedulerParts
  #withFiles = 0

  constructor(parts: SchedulerParts) {
    this.#parts = parts
  }

  /** Whether a call that reads or changes files is under way, or waits for its turn. */
  get hasFileCall(): boolean {
    return this.#withFiles > 0
  }

  async run<T>(effect: Effect, turn: QueuedCall, work: () => Promise<T>): Promise<T> {
    if (isLong(effect)) return work()
    this.#withFiles += 1
    try {
      return await this.#inTurn(effect, turn, work)
    } finally {
      this.#withFiles -= 1
    }
  }

  async #inTurn<T>(effect: Effect, turn: QueuedCall, work: () => Promise<T>): Promise<T> {
    const { mutex, sessionSandbox, overdue } = this.#parts
    if (effect === 'read' && !sessionSandbox.active) return work()
    const { stopwatch } = turn
    const requestedAt = stopwatch.now()
    if (sessionSandbox.active) await overdue.settled()
    return mutex.run(async () => {
      stopwatch.add('queued', stopwatch.now() - requestedAt)
      if (sessionSandbox.active && !turn.hasFiles?.()) await this.#catchUp(turn.stopwatch)
      return work()
    })
  }

  /**
   * Commits the sandbox's changes. They are of the call that works there, and not of the file tool, which has changed nothing yet. A
   * sandbox out of reach does not keep a file tool from its work.
   */
  async #catchUp(stopwatch: Stopwatch): Promise<void> {
    const { sessionSandbox, writer, logError } = this.#parts
    const caller = this.#parts.caller(writer())
    const start = stopwatch.now()
    try {
      await sessionSandbox.pull(caller)
    } catch (thrown) {
      logError(thrown)
      if (thrown instanceof SandboxGone) await sessionSandbox.discard(caller).catch(logError)
    }
    stopwatch.add('sync', stopwatch.now() - start)
  }
}
