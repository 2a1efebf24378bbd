import { FILE_CHECK_MS, FILE_CHECK_SHARE } from '../core/limits/sync.ts'
import { SandboxGone } from '../ports/sandbox.ts'
import type { Mutex } from './mutex.ts'
import type { CallContext, SessionSandbox } from './sandbox/session-sandbox.ts'

interface Parts {
  readonly sessionSandbox: SessionSandbox
  readonly mutex: Mutex
  readonly caller: (callId: string) => CallContext
  /** Author of what work in the sandbox wrote: the call that it is of, or `background`. */
  readonly writer: () => string
  readonly now: () => number
}

/**
 * Whole looks in the background at a sandbox whose changes are taken over by its watcher's word: what the watcher missed is
 * committed then. They take no more than one part in FILE_CHECK_SHARE of the session's time.
 */
export class FileCheck {
  readonly #parts: Parts
  #lastMs = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Looks at all files when that is due.
   * @returns milliseconds until it is; null when nothing waits for it
   * @throws FailureError as `Sandbox.run`: it stays due
   */
  async keepUp(): Promise<number | null> {
    const { sessionSandbox, mutex, caller, writer, now } = this.#parts
    const left = this.#leftMs()
    if (left === null || left > 0) return left
    await mutex.run(async () => {
      if (this.#leftMs() === null) return
      const start = now()
      const author = caller(writer())
      try {
        await sessionSandbox.check(author)
      } catch (thrown) {
        if (!(thrown instanceof SandboxGone)) throw thrown
        await sessionSandbox.discard(author)
      }
      this.#lastMs = now() - start
    })
    return this.#leftMs()
  }

  #leftMs(): number | null {
    const { sessionSandbox, now } = this.#parts
    const since = sessionSandbox.uncheckedSince
    if (since === null || !sessionSandbox.runs) return null
    return since + Math.max(FILE_CHECK_MS, this.#lastMs * FILE_CHECK_SHARE) - now()
  }
}
