import { FailureError } from '../core/failure.ts'
import { FOLLOWED_AFTER_SECONDS, MAX_FOLLOWED_CALLS } from '../core/limits/calls.ts'
import { PrintedOutput } from './begun/printed-output.ts'
import type { FileFamily } from './calls/file-family.ts'
import { Condition } from './jobs/condition.ts'

interface RunningCall {
  readonly cancel: AbortController
  /** Output after its first second; null where too many run. A call that goes on without its caller has its output elsewhere. */
  readonly output: PrintedOutput | null
}

/** Running calls of a session, which can be cancelled. */
export class RunningCalls {
  readonly #calls = new Map<string, RunningCall>()
  /** Calls that use the sandbox, by id. */
  readonly #inSandbox = new Map<string, FileFamily | null>()
  readonly #endings = new Condition()

  has(callId: string): boolean {
    return this.#calls.has(callId)
  }

  begin(callId: string, cancel: AbortController): void {
    const isFollowed = this.#calls.size < MAX_FOLLOWED_CALLS
    this.#calls.set(callId, { cancel, output: isFollowed ? new PrintedOutput(FOLLOWED_AFTER_SECONDS) : null })
  }

  /** Output of a running call so far; null for a call that does not run, or is not followed. */
  output(callId: string): PrintedOutput | null {
    return this.#calls.get(callId)?.output ?? null
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
    return [...this.#calls.keys()]
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
    this.#calls.get(callId)?.output?.end()
    this.#calls.delete(callId)
    this.#inSandbox.delete(callId)
    this.#endings.notify()
  }

  /** Waits for output of a call beyond piece `seen`, for its end, or for so long. */
  async nextOutput(callId: string, seen: number, ms: number): Promise<void> {
    await (this.output(callId)?.next(seen, ms) ?? this.nextEnd(ms))
  }

  /** Waits for the end of a call, or for so long. */
  nextEnd(ms: number): Promise<void> {
    return this.#endings.next(ms)
  }

  /** Cancels a call, and waits for its end. */
  async cancel(callId: string): Promise<void> {
    this.#calls.get(callId)?.cancel.abort(new FailureError({ code: 'conflict', message: CANCELLED }))
    while (this.has(callId)) await this.nextEnd(CANCEL_LOOK_MS)
  }

  cancelAll(reason: unknown): void {
    for (const { cancel } of this.#calls.values()) cancel.abort(reason)
  }
}

const CANCELLED = 'the call was cancelled; what it wrote until then is kept'
/** Interval in which {@link RunningCalls.cancel} checks for the end of the call. */
const CANCEL_LOOK_MS = 1_000
