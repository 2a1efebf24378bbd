import { KILL_GRACE_MS } from '../../core/limits/sandbox.ts'
import { type Sandbox, SandboxGone } from '../../ports/sandbox.ts'
import type { Mutex } from '../mutex.ts'
import { killScript } from './exec-script.ts'
import type { CallContext, SessionSandbox } from './session-sandbox.ts'

interface Parts {
  readonly sessionSandbox: SessionSandbox
  readonly mutex: Mutex
  readonly caller: (callId: string) => CallContext
  readonly logError: (thrown: unknown) => void
}

/**
 * Commands past their deadlines. Their calls are answered; the processes are ended after that, and every user of the sandbox
 * waits for it. The session sandbox's state names the calls, so that a restarted session continues.
 */
export class OverdueCommands {
  readonly #parts: Parts
  readonly #ending = new Set<Promise<void>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get arePending(): boolean {
    return this.#ending.size > 0 || this.#parts.sessionSandbox.overdue.length > 0
  }

  /** Notes `work`, which ends an overdue command. Its error goes to those who wait for its result. */
  end(work: Promise<unknown>): void {
    const ended = () => void this.#ending.delete(ending)
    const ending = work.then(ended, ended)
    this.#ending.add(ending)
  }

  /**
   * Waits until no overdue command is left, or the provider of sandboxes cannot be asked. Not to be awaited in the mutex, nor by
   * an overdue command.
   */
  async settled(): Promise<void> {
    while (this.#ending.size > 0) await Promise.all(this.#ending)
    const { sessionSandbox, logError } = this.#parts
    if (sessionSandbox.overdue.length === 0) return
    const forgotten = this.#endForgotten().catch(logError)
    this.end(forgotten)
    await forgotten
  }

  /** Ends overdue commands that no work in memory belongs to, since the session's object was evicted meanwhile. */
  async #endForgotten(): Promise<void> {
    const { sessionSandbox, mutex, caller } = this.#parts
    const { sandboxId, overdue } = sessionSandbox
    const by = caller('overdue')
    if (sandboxId === null || by.signal.aborted) return
    const begin = () => mutex.run(() => sessionSandbox.reach(sandboxId, KILL_GRACE_MS, by.signal))
    await sessionSandbox.using(KILL_GRACE_MS, { stop: [by.signal], begin }, async (sandbox) => {
      for (const { callId, isMarked } of sandbox ? overdue : []) {
        if (!sandbox || !isMarked || !(await this.#kill(sandbox, callId, by))) {
          await mutex.run(() => sessionSandbox.discard(by, sandboxId, new NotStopped().message))
          return
        }
        sessionSandbox.noteSettled(callId)
      }
    })
  }

  async #kill(sandbox: Sandbox, callId: string, { signal }: CallContext): Promise<boolean> {
    try {
      const { exitCode } = await sandbox.run(killScript(callId), { timeoutMs: KILL_GRACE_MS, signal })
      return exitCode === 0
    } catch (thrown) {
      signal.throwIfAborted()
      if (!(thrown instanceof SandboxGone)) this.#parts.logError(thrown)
      return false
    }
  }
}

/**
 * Error for a command that could not be ended in its sandbox, which must be discarded. The message is for the other calls in it.
 */
export class NotStopped extends SandboxGone {
  override readonly name = 'NotStopped'

  constructor(options?: ErrorOptions) {
    super(NOT_STOPPED, options)
  }
}

const NOT_STOPPED =
  'the sandbox was ended while this ran, because another command in it could not be stopped at its deadline'
