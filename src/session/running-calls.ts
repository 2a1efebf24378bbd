import { FailureError } from '../core/failure.ts'
import type { FileFamily } from './calls/file-family.ts'
import { Condition } from './jobs/condition.ts'

/** Running calls of a session, which can be cancelled. */
export class RunningCalls {
  readonly #cancels = new Map<string, AbortController>()
  /** Calls that use the sandbox, by id. */
  readonly #inSandbox = new Map<string, FileFamily | null>()
  readonly #endings = new Condition()

  has(callId: string): boolean {
    return this.#cancels.has(callId)
  }

  begin(callId: string, cancel: AbortController): void {
    this.#cancels.set(callId, cancel)
  }

  /**
   * Notes that a call uses the sandbox, until its end. A call that has ended, and whose work continues, is not noted.
   * @param family the call that names changed files: this one, or the one of which it is a step
   * @param isShared whether processes of earlier calls may run on in the sandbox
   */
  noteSandbox(callId: string, family: FileFamily | null, isShared: boolean): void {
    if (!this.has(callId)) return
    if (family && isShared && !this.#inSandbox.has(callId)) family.isShared = true
    this.#inSandbox.set(callId, family)
    for (const [id, other] of this.#inSandbox) {
      if (id === callId || (family && other === family)) continue
      if (family) family.isShared = true
      if (other) other.isShared = true
    }
  }

  /** Ids of all running calls that can be cancelled. */
  get ids(): string[] {
    return [...this.#cancels.keys()]
  }

  /** Ids of running calls that use the sandbox. */
  get inSandbox(): string[] {
    return [...this.#inSandbox.keys()]
  }

  /** Whether a call is under way that uses the sandbox, between its commands too. */
  get areInSandbox(): boolean {
    return this.#inSandbox.size > 0
  }

  end(callId: string): void {
    this.#cancels.delete(callId)
    this.#inSandbox.delete(callId)
    this.#endings.notify()
  }

  /** Waits for the end of a call, or for so long. */
  nextEnd(ms: number): Promise<void> {
    return this.#endings.next(ms)
  }

  /** Cancels a call, and waits for its end. */
  async cancel(callId: string): Promise<void> {
    this.#cancels.get(callId)?.abort(new FailureError({ code: 'conflict', message: CANCELLED }))
    while (this.has(callId)) await this.nextEnd(CANCEL_LOOK_MS)
  }

  cancelAll(reason: unknown): void {
    for (const cancel of this.#cancels.values()) cancel.abort(reason)
  }
}

const CANCELLED = 'the call was cancelled; what it wrote until then is kept'
/** Interval in which {@link RunningCalls.cancel} checks for the end of the call. */
const CANCEL_LOOK_MS = 1_000
