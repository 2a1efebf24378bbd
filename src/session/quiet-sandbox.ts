import { MAX_CONSOLE_COMMAND_MS } from '../core/limits/consoles.ts'
import { WANTED_MS } from '../core/limits/leases.ts'
import { SANDBOX_IDLE_MS } from '../core/limits/sandbox.ts'
import { SESSION_IDLE_MS } from '../core/limits/sessions.ts'
import { isNoSandbox } from '../core/rate-limited.ts'
import { SandboxGone } from '../ports/sandbox.ts'
import type { SandboxUse } from '../ports/sandbox-leases.ts'
import type { Mutex } from './mutex.ts'
import type { RunningCalls } from './running-calls.ts'
import type { CallContext, SessionSandbox } from './sandbox/session-sandbox.ts'
import { type SandboxActivity, sandboxActivity } from './sandbox-activity.ts'

interface Parts {
  readonly sessionSandbox: SessionSandbox
  readonly mutex: Mutex
  readonly running: RunningCalls
  readonly caller: (callId: string) => CallContext
  /** Author of what work in the sandbox wrote: the call that it is of, or `background`. */
  readonly writer: () => string
  /** Time when a call last began or ended. */
  readonly lastUsed: () => number
  readonly now: () => number
  /** Time without a call after which the sandbox is paused, in milliseconds. */
  readonly quietMs: number
  readonly logError: (thrown: unknown) => void
}

/** Time limit of a look into a sandbox before its pause. */
const LOOK_MS = 60_000

/**
 * Pauses the session's sandbox when nothing runs in it. A call that uses it, a job, a cell and a command in a shell are work;
 * background processes of earlier calls count as work for SANDBOX_IDLE_MS, since somebody may come back for their end. When
 * others wait for a sandbox, such processes do not keep theirs.
 */
export class QuietSandbox {
  readonly #parts: Parts
  /** Time until which others are assumed to wait for the sandbox. */
  #wantedUntil = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Use of the sandbox, as far as is known without asking it. */
  use(): SandboxUse {
    const { sessionSandbox } = this.#parts
    if (this.#isInUse) return { state: 'busy' }
    if (!sessionSandbox.runs) return { state: 'none' }
    return { state: 'idle', quietMs: this.#quietMs, background: sessionSandbox.unsettled }
  }

  /** Pauses the sandbox for others that wait for one. A busy sandbox is paused when its work ends, if that is soon. */
  async giveBack(): Promise<void> {
    this.#wantedUntil = this.#parts.now() + WANTED_MS
    if (!this.#isInUse) await this.#handOver(async () => true)
  }

  /**
   * Pauses the sandbox now, and what background processes and consoles run in it.
   * @returns false when a call uses it: it runs on then
   */
  async pauseNow(): Promise<boolean> {
    const { mutex, sessionSandbox } = this.#parts
    return mutex.run(async () => {
      if (this.#isInUse) return false
      if (sessionSandbox.runs) await this.#pauseRunning()
      await sessionSandbox.giveLeaseBack()
      return !sessionSandbox.runs
    })
  }

  /** Notes the end of a call: the sandbox goes to others that wait for it before the next call begins. */
  callEnded(): void {
    const { sessionSandbox, now, logError } = this.#parts
    if (this.#wantedUntil <= now() || this.#isInUse || !sessionSandbox.runs) return
    this.#handOver(() => sessionSandbox.isWanted()).catch(logError)
  }

  /**
   * Pauses the sandbox when it has been quiet for long enough.
   * @returns milliseconds until the next check; null when no sandbox runs
   */
  async keepUp(): Promise<number | null> {
    const { sessionSandbox, quietMs } = this.#parts
    if (sessionSandbox.runs && this.#quietMs >= quietMs) {
      await this.#pause(({ background }) => !background || this.#quietMs >= SANDBOX_IDLE_MS)
    }
    sessionSandbox.keepMeter()
    if (!sessionSandbox.runs) return null
    const left = quietMs - this.#quietMs
    return left > 0 ? left : Math.max(quietMs, 1_000)
  }

  /** Whether a cell or a command in a shell keeps the sandbox: one that runs without end does not. */
  async hasConsolesAtWork(): Promise<boolean> {
    return this.#mayHaveConsoles && (await this.#look())?.consoles === true
  }

  #handOver(isWanted: () => Promise<boolean>): Promise<void> {
    const { sessionSandbox } = this.#parts
    this.#wantedUntil = 0
    return sessionSandbox.handOver(async () => {
      if (!(await isWanted())) return
      await this.#pause(() => true)
      if (sessionSandbox.runs) await sessionSandbox.keepLease()
    })
  }

  get #isInUse(): boolean {
    const { sessionSandbox, running } = this.#parts
    return sessionSandbox.inUse || running.areInSandbox
  }

  get #quietMs(): number {
    const { now, lastUsed } = this.#parts
    return Math.max(0, now() - lastUsed())
  }

  get #mayHaveConsoles(): boolean {
    return this.#quietMs < SESSION_IDLE_MS + MAX_CONSOLE_COMMAND_MS
  }

  #pause(isQuiet: (activity: SandboxActivity) => boolean): Promise<void> {
    const { mutex, sessionSandbox, caller } = this.#parts
    return mutex.run(async () => {
      if (this.#isInUse) return
      await sessionSandbox.notePaused(caller('idle').signal)
      if (sessionSandbox.runs) {
        const activity = await this.#look()
        if (!activity || this.#isInUse || !isQuiet(activity)) return
        if (activity.consoles && this.#mayHaveConsoles) return
        await this.#pauseRunning()
      }
      await sessionSandbox.giveLeaseBack()
    })
  }

  async #pauseRunning(): Promise<void> {
    const { sessionSandbox, caller, writer } = this.#parts
    const author = caller(writer())
    try {
      await sessionSandbox.pause(author, () => this.#isInUse)
    } catch (thrown) {
      if (!(thrown instanceof SandboxGone)) throw thrown
      await sessionSandbox.discard(author)
    }
  }

  /** Looks for activity in the sandbox. @returns null when there is no sandbox to look into */
  async #look(): Promise<SandboxActivity | null> {
    const { sessionSandbox, caller, writer } = this.#parts
    const author = caller(writer())
    const { signal } = author
    const id = sessionSandbox.sandboxId
    try {
      const sandbox = id === null ? null : await sessionSandbox.reach(id, LOOK_MS, signal)
      return sandbox && (await sandboxActivity(sandbox, signal))
    } catch (thrown) {
      // The provider paused it, and there is none for a look: it is not busy.
      if (isNoSandbox(thrown)) return null
      if (!(thrown instanceof SandboxGone)) throw thrown
      await sessionSandbox.discard(author)
      return null
    }
  }
}
