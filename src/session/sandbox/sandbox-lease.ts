import { withAnySignal } from '../../core/any-signal.ts'
import { FailureError } from '../../core/failure.ts'
import { LEASE_MARGIN_MS, MAX_TURN_AGE_MS, NO_SPARES_MS } from '../../core/limits/leases.ts'
import { isNoSandbox, noSandboxFailure } from '../../core/rate-limited.ts'
import { settledWithin } from '../../core/settled-within.ts'
import { unlessAborted } from '../../core/unless-aborted.ts'
import type { SandboxHost } from '../../ports/sandbox.ts'
import type { SandboxLeases } from '../../ports/sandbox-leases.ts'

export interface SandboxLeaseParts {
  readonly leases: SandboxLeases
  readonly host: Pick<SandboxHost, 'plan'>
  /** The session, by the name of its object. */
  readonly holder: string
  /** Time for which a call waits in the queue. */
  readonly waitMs: number
  readonly now: () => number
  readonly logError: (thrown: unknown) => void
}

/** A call's need for a running sandbox. */
export interface Need {
  /** Time for which the sandbox must stay awake. */
  readonly holdMs: number
  /** True while the sandbox runs: then no lease is requested. */
  readonly isAwake: () => boolean
  /** Signals that end the wait. */
  readonly stop: readonly AbortSignal[]
}

/** Request for a lease, with the calls of the session that wait for its answer. */
interface Question {
  readonly answer: Promise<void>
  waiting: number
  isOver: boolean
}

/** Time after the deadline until a missing answer counts as a failure: the answer comes at the deadline at the latest. */
const ANSWER_MS = 5_000

/**
 * The session's lease of a running sandbox. It lasts a little longer than the provider lets the sandbox run, so that a sandbox
 * that is awake needs no request. Where the leases are out of reach, sandboxes run without: the provider has a ceiling of its
 * own.
 */
export class SandboxLease {
  readonly #parts: SandboxLeaseParts
  /** End of the lease, as far as is known here. */
  #until = 0
  #question: Question | null = null
  /** Time until which it is known that there is no spare. */
  #noSparesUntil = 0
  /** Time until which the session may make a sandbox. */
  #turnUntil = 0
  /** The wait for a turn to make a sandbox, of all calls of the session together. */
  #turn: Promise<boolean> | null = null
  /** Last message to the leases. Messages go one after another: they must not overtake each other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: SandboxLeaseParts) {
    this.#parts = parts
  }

  /**
   * Runs `work` with a lease. When the provider has no room for the sandbox all the same, or others make theirs first, waits in the
   * queue and runs it again.
   * @throws FailureError `rate_limited` when there is no lease in time
   */
  async within<T>(need: Need, work: () => Promise<T>): Promise<T> {
    const { now, waitMs } = this.#parts
    const deadline = now() + waitMs
    for (let hostIsFull = false; ; ) {
      if (hostIsFull || !need.isAwake()) await this.#wait(need, Math.max(0, deadline - now()), hostIsFull)
      try {
        return await work()
      } catch (thrown) {
        if (!isNoSandbox(thrown) || now() >= deadline) throw thrown
        hostIsFull = !(thrown instanceof NoTurn)
        if (!hostIsFull && !(await this.#waitForTurn(need, deadline - now()))) throw thrown
      }
    }
  }

  /** Gets a lease for that long, if there is one without waiting. @throws FailureError `rate_limited` */
  async ensure(holdMs: number): Promise<void> {
    const { now } = this.#parts
    if (this.#until >= now() + holdMs) return
    if (this.#until > now()) return this.renew(holdMs)
    if (this.#question) throw new FailureError(noSandboxFailure('a call of this session waits for a sandbox already'))
    this.#until = await this.#acquire(holdMs, 0, false)
  }

  /**
   * Takes the session's turn to make a sandbox, where the account makes so many in a second.
   * @throws FailureError `rate_limited` when others come first; {@link within} waits for the turn then
   */
  async takeTurn(): Promise<void> {
    const { host, now } = this.#parts
    if (host.plan === null) return
    const hasTurn = this.#turnUntil > now() || (!this.#turn && (await this.#mayCreate(0)))
    this.#turnUntil = 0
    if (!hasTurn) throw new NoTurn()
  }

  /** Whether a spare may wait for the session, as far as the answer to its last request for a lease tells. */
  get mayHaveSpare(): boolean {
    return this.#parts.now() >= this.#noSparesUntil
  }

  /** Extends the lease: the sandbox runs for that long from now. */
  async renew(holdMs: number): Promise<void> {
    const { leases, holder, now } = this.#parts
    const lasts = holdMs + LEASE_MARGIN_MS
    this.#until = Math.max(now() + lasts, this.#until)
    await this.#tell(() => leases.renew(holder, lasts))
  }

  /** Releases the lease, since the sandbox runs no more. A lease that cannot be released now expires by itself. */
  async release(): Promise<void> {
    const { leases, holder } = this.#parts
    this.#until = 0
    await this.#tell(() => leases.release(holder))
  }

  /** Whether others wait for the sandbox. Where that is unknown, the sandbox is not paused for them. */
  async isWanted(): Promise<boolean> {
    const { leases, holder, logError } = this.#parts
    try {
      return (await settledWithin(leases.wantsBack(holder), ANSWER_MS))?.value ?? false
    } catch (thrown) {
      logError(thrown)
      return false
    }
  }

  /** Waits for a lease. Calls of the session wait together; the session's place in the queue goes with the last of them. */
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

  /** Waits for a turn to make a sandbox, not within the session's order of calls. @returns false when there was none in time */
  async #waitForTurn({ stop }: Need, waitMs: number): Promise<boolean> {
    this.#turn ??= this.#mayCreate(waitMs)
      .then((isMine) => {
        if (isMine) this.#turnUntil = this.#parts.now() + MAX_TURN_AGE_MS
        return isMine
      })
      .finally(() => {
        this.#turn = null
      })
    const turn = this.#turn
    return withAnySignal(stop, (stopped) => unlessAborted(turn, stopped))
  }

  /** Whether the session may make a sandbox. Where nobody can be asked it may: the provider's own limit holds. */
  async #mayCreate(waitMs: number): Promise<boolean> {
    const { leases, holder, logError } = this.#parts
    try {
      return (await settledWithin(leases.mayCreate(holder, waitMs), waitMs + ANSWER_MS))?.value ?? true
    } catch (thrown) {
      logError(thrown)
      return true
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

  /** Withdraws a request, not behind the request in the message queue, since it ends that. */
  async #withdraw(question: Question): Promise<void> {
    const { leases, holder, logError } = this.#parts
    if (this.#question === question) this.#question = null
    await leases.release(holder).catch(logError)
  }

  /** Acquires a lease. @returns its end */
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
        // A restarted object answers the second time.
        const answer = await ask().catch(ask)
        if (answer === null) throw new Error('the leases of sandboxes do not answer')
        this.#noSparesUntil = answer.value.noSpares ? now() + NO_SPARES_MS : 0
        if (answer.value.failure) throw new FailureError(answer.value.failure)
      } catch (thrown) {
        if (thrown instanceof FailureError) throw thrown
        logError(thrown)
        if (hostIsFull) throw new FailureError(noSandboxFailure('no sandbox is free now'))
        // Otherwise the sandbox runs without a lease.
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

/** Failure of a session that may make no sandbox now, since others make theirs first. */
class NoTurn extends FailureError {
  constructor() {
    super(noSandboxFailure('many sandboxes are being made just now'))
  }
}
