import { withAnySignal } from '../../core/any-signal.ts'
import { FailureError } from '../../core/failure.ts'
import { LEASE_MARGIN_MS } from '../../core/limits/leases.ts'
import { isNoSandbox, noSandboxFailure } from '../../core/rate-limited.ts'
import { settledWithin } from '../../core/settled-within.ts'
import type { SandboxLeases } from '../../ports/sandbox-leases.ts'

export interface SandboxLeaseParts {
  readonly leases: SandboxLeases
  /** The session, by the name of its object. */
  readonly holder: string
  /** How long a call waits in turn. */
  readonly waitMs: number
  readonly now: () => number
  readonly logError: (thrown: unknown) => void
}

/** What a call needs a running sandbox for. */
export interface Need {
  /** How long the sandbox is to stay awake. */
  readonly holdMs: number
  /** True while the sandbox runs: then nobody is asked. */
  readonly isAwake: () => boolean
  /** What ends the waiting. */
  readonly stop: readonly AbortSignal[]
}

/** Calls of the session that wait for the same answer. */
interface Question {
  readonly answer: Promise<void>
  waiting: number
  isOver: boolean
}

/** The answer comes at the deadline at the latest; when it takes this much longer, there is none. */
const ANSWER_MS = 5_000

/**
 * The session's lease of a running sandbox. It lasts for as long as the host lets the sandbox run, and a little longer, so
 * that a sandbox that is awake needs no question. Where the leases cannot be asked, sandboxes are had without: the host
 * has a ceiling of its own.
 */
export class SandboxLease {
  readonly #parts: SandboxLeaseParts
  /** Until then the session has it, as far as is known here. */
  #until = 0
  #question: Question | null = null
  /** Messages to the leases go one after another: they must not overtake each other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: SandboxLeaseParts) {
    this.#parts = parts
  }

  /**
   * Does `work` with a lease. When the host has no room for the sandbox all the same, waits in turn and does it again.
   * @throws FailureError `rate_limited` when there is none in time
   */
  async within<T>(need: Need, work: () => Promise<T>): Promise<T> {
    const { now, waitMs } = this.#parts
    const deadline = now() + waitMs
    for (let hostIsFull = false; ; hostIsFull = true) {
      if (hostIsFull || !need.isAwake()) await this.#wait(need, Math.max(0, deadline - now()), hostIsFull)
      try {
        return await work()
      } catch (thrown) {
        if (!isNoSandbox(thrown) || now() >= deadline) throw thrown
      }
    }
  }

  /** Has a lease for that long, if there is one without waiting. @throws FailureError `rate_limited` */
  async ensure(holdMs: number): Promise<void> {
    const { now } = this.#parts
    if (this.#until >= now() + holdMs) return
    if (this.#until > now()) return this.renew(holdMs)
    if (this.#question) throw new FailureError(noSandboxFailure('a call of this session waits for a sandbox already'))
    this.#until = await this.#acquire(holdMs, 0, false)
  }

  /** The sandbox runs for that long from now. */
  async renew(holdMs: number): Promise<void> {
    const { leases, holder, now } = this.#parts
    const lasts = holdMs + LEASE_MARGIN_MS
    this.#until = Math.max(now() + lasts, this.#until)
    await this.#tell(() => leases.renew(holder, lasts))
  }

  /** The session's sandbox runs no more. A lease that cannot be given back now ends by itself. */
  async release(): Promise<void> {
    const { leases, holder } = this.#parts
    this.#until = 0
    await this.#tell(() => leases.release(holder))
  }

  /** Whether others wait for the sandbox. Where that cannot be asked, it is not paused for them. */
  async isWanted(): Promise<boolean> {
    const { leases, holder, logError } = this.#parts
    try {
      return (await settledWithin(leases.wantsBack(holder), ANSWER_MS))?.value ?? false
    } catch (thrown) {
      logError(thrown)
      return false
    }
  }

  /** Calls of the session wait together; its place in the queue goes with the last of them. */
  async #wait({ holdMs, stop }: Need, waitMs: number, hostIsFull: boolean): Promise<void> {
    this.#question ??= this.#ask(holdMs, waitMs, hostIsFull)
    const question = this.#question
    question.waiting += 1
    try {
      await withAnySignal(stop, (stopped) => unlessAborted(question.answer, stopped))
    } finally {
      question.waiting -= 1
      if (question.waiting === 0 && !question.isOver) await this.#withdraw(question)
    }
  }

  #ask(holdMs: number, waitMs: number, hostIsFull: boolean): Question {
    const answer = this.#acquire(holdMs, waitMs, hostIsFull).then((until) => {
      if (this.#question === question) this.#until = until
    })
    const question: Question = { answer, waiting: 0, isOver: false }
    answer
      .catch(() => undefined)
      .finally(() => {
        question.isOver = true
        if (this.#question === question) this.#question = null
      })
    return question
  }

  /** Not behind the question, which is what it ends. */
  async #withdraw(question: Question): Promise<void> {
    const { leases, holder, logError } = this.#parts
    if (this.#question === question) this.#question = null
    await leases.release(holder).catch(logError)
  }

  /** @returns until when it lasts */
  #acquire(holdMs: number, waitMs: number, hostIsFull: boolean): Promise<number> {
    const { leases, holder, now, logError } = this.#parts
    return this.#next(async () => {
      const lasts = holdMs + LEASE_MARGIN_MS
      const deadline = now() + waitMs
      const ask = () => {
        const left = Math.max(0, deadline - now())
        return settledWithin(leases.acquire({ holder, holdMs: lasts, waitMs: left, hostIsFull }), left + ANSWER_MS)
      }
      try {
        // An object that was restarted answers the second time.
        const answer = await ask().catch(ask)
        if (answer === null) throw new Error('the leases of sandboxes do not answer')
        if (answer.value.failure) throw new FailureError(answer.value.failure)
      } catch (thrown) {
        if (thrown instanceof FailureError) throw thrown
        logError(thrown)
        if (hostIsFull) throw new FailureError(noSandboxFailure('no sandbox is free now'))
        // Else a sandbox is had without.
      }
      return now() + lasts
    })
  }

  #tell(send: () => Promise<void>): Promise<void> {
    return this.#next(send).catch(this.#parts.logError)
  }

  #next<T>(send: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(send, send)
    this.#last = mine.catch(() => undefined)
    return mine
  }
}

/** What `promise` comes to. @throws the signal's reason when it aborts first */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
