import { newCallId } from '../core/ids.ts'
import type { SessionCallsApi } from '../session/calls-api.ts'

const PREFERENCE = 'cancel-on-disconnect'

/** Whether a client wants its calls cancelled when its connection breaks; without the preference they go on to their end. */
export const prefersCancel = ({ headers }: Request): boolean =>
  (headers.get('Prefer') ?? '').split(',').some((preference) => preference.trim().toLowerCase() === PREFERENCE)

/** Calls of one request that are cancelled when its client leaves. */
export class AttendedCalls {
  readonly #running = new Map<string, Pick<SessionCallsApi, 'cancel'>>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Makes a call under an id of its own.
   * @param calls of its session
   */
  async attend<T>(calls: Pick<SessionCallsApi, 'cancel'>, make: (callId: string) => Promise<T>): Promise<T> {
    const callId = newCallId(this.#now())
    this.#running.set(callId, calls)
    try {
      return await make(callId)
    } finally {
      this.#running.delete(callId)
    }
  }

  /** Cancels the calls that run. A call that cannot be cancelled goes on. */
  async cancel(): Promise<void> {
    await Promise.allSettled([...this.#running].map(([callId, calls]) => calls.cancel(callId)))
  }

  /**
   * Does work that makes calls, and cancels these when the client leaves meanwhile.
   * @param signal of the client's request
   * @param goOn has the cancelling continue when the client has left
   */
  async until<T>(signal: AbortSignal, work: () => Promise<T>, goOn: (work: Promise<unknown>) => void): Promise<T> {
    const left = Promise.withResolvers<void>()
    const onAbort = () => void this.cancel().then(left.resolve)
    signal.addEventListener('abort', onAbort, { once: true })
    goOn(left.promise)
    try {
      return await work()
    } finally {
      signal.removeEventListener('abort', onAbort)
      if (!signal.aborted) left.resolve()
    }
  }
}
