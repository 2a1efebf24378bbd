import { FailureError } from '../core/failure.ts'
import { FOLLOWED_AFTER_SECONDS, MAX_ENDED_IN_MEMORY, MAX_FOLLOWED_CALLS } from '../core/limits/calls.ts'
import type { LiveFollower, LivePiece } from '../ports/runner.ts'
import { PrintedOutput } from './begun/printed-output.ts'
import { RedactedOutput } from './begun/redacted-output.ts'
import type { FileFamily } from './calls/file-family.ts'
import { Condition } from './jobs/condition.ts'

/** Output of a call whose caller waits, with the masks that it goes through. */
interface Followed {
  readonly output: PrintedOutput
  readonly masked: RedactedOutput
}

/** Running calls of a session, which can be cancelled. */
export class RunningCalls {
  readonly #cancels = new Map<string, AbortController>()
  /** Calls that use the sandbox, by id. */
  readonly #inSandbox = new Map<string, FileFamily | null>()
  /** Calls that have printed something after their first second, the oldest first; of those that have ended, the newest. */
  readonly #followed = new Map<string, Followed>()
  readonly #endings = new Condition()

  has(callId: string): boolean {
    return this.#cancels.has(callId)
  }

  begin(callId: string, cancel: AbortController): void {
    this.#cancels.set(callId, cancel)
  }

  /** Follower of a running call, for those who may look at it later. A call that goes on without its caller has its output elsewhere. */
  follower(callId: string): LiveFollower {
    return { afterSeconds: FOLLOWED_AFTER_SECONDS, print: (piece) => this.#print(callId, piece) }
  }

  #print(callId: string, piece: LivePiece): void {
    if (!this.has(callId)) return
    const known = this.#followed.get(callId)
    if (known) {
      known.masked.write(piece)
      return
    }
    if (!this.#hasRoom()) return
    const output = new PrintedOutput()
    const followed = { output, masked: new RedactedOutput(output.print) }
    this.#followed.set(callId, followed)
    followed.masked.write(piece)
    this.#endings.notify()
  }

  /** Whether one more call may be followed, for which one that has ended may go. */
  #hasRoom(): boolean {
    if (this.#followed.size < MAX_FOLLOWED_CALLS) return true
    const ended = [...this.#followed].find(([, { output }]) => output.hasEnded)
    return ended !== undefined && this.#followed.delete(ended[0])
  }

  /** Output of a call so far, or of one that ended a short while ago; null for a call that printed nothing, or is not followed. */
  output(callId: string): PrintedOutput | null {
    return this.#followed.get(callId)?.output ?? null
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
    const followed = this.#followed.get(callId)
    followed?.masked.end()
    followed?.output.end()
    this.#dropEnded()
    this.#cancels.delete(callId)
    this.#inSandbox.delete(callId)
    this.#endings.notify()
  }

  /** Drops the output of those that have ended, but for the newest: whoever follows one reads its end. */
  #dropEnded(): void {
    const ended = [...this.#followed].filter(([, { output }]) => output.hasEnded)
    for (const [id] of ended.slice(0, -MAX_ENDED_IN_MEMORY)) this.#followed.delete(id)
  }

  /** Waits for output of a call beyond piece `seen`, for its end, or for so long. */
  async nextOutput(callId: string, seen: number, ms: number): Promise<void> {
    const until = Date.now() + ms
    for (let left = ms; left > 0 && this.has(callId); left = until - Date.now()) {
      const output = this.output(callId)
      if (output) return output.next(seen, left)
      await this.nextEnd(left)
    }
  }

  /** Waits for the end of a call, for the first output of one, or for so long. */
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
