import type { Failure } from '../core/failure.ts'
import { MAX_REGISTERED_TIMEOUT_SECONDS } from '../core/limits/registry.ts'
import { LONG_CALL_COUNTS_MS, QUICK_CALL_COUNTS_MS } from '../core/limits/usage.ts'
import type { Outcome, ToolCall } from '../core/outcome.ts'
import type { CallCosts } from '../core/receipt.ts'
import { utf8Length } from '../core/utf8-length.ts'
import type { ObservedCall } from '../ports/call-observer.ts'
import type { Caller } from '../tenant/api.ts'
import type { Admission, Admitted } from './admission.ts'
import { charged, costIn, ReceiptCosts, setPrice } from './call-cost.ts'
import { exitCodeOf } from './call-exit-codes.ts'
import type { CallOutbox, EndInRow, NoteEnd, OpenCall } from './call-outbox.ts'
import type { CallTrace, ObservedCalls } from './observed-calls.ts'
import type { Stopwatch } from './stopwatch.ts'

export interface NewAccount {
  readonly callId: string
  readonly call: ToolCall
  readonly by: Caller
  readonly startedAt: number
  readonly stopwatch: Stopwatch
}

/** Account of one call of a session's tool: its admission and its usage. */
export interface CallAccount {
  /**
   * Admits the call, when it is a counted one.
   * @returns a promise only where the tenant must be asked
   * @throws RefusalError `rate_limited`
   */
  admit(): Promise<void> | null
  /**
   * Takes the amounts of another call, which is counted by itself and has no entry in the history: its sandbox time, in milliseconds, is
   * not this call's, and what it cost stands in this call's receipt.
   */
  countedElsewhere(sandboxMs: number, cost: number | null): void
  /** Takes the cost of a call that this one made, and that has a receipt of its own. */
  madeCall(cost: number): void
  /**
   * Writes the call's completion.
   * @param note writes the history's row of the call, when that is due now; it is called once in any case
   */
  end(outcome: Outcome, note?: NoteCall): void
  /** Keeps the account open after the answer: the completion is that of the work. */
  hold(): void
  /**
   * Takes the end of the call that is counted in place of this one, to write it in this one's new row of the history.
   * Absent where the ends of such calls are written by themselves.
   */
  takeEnd?(write: WriteEnd): void
}

/** Writes the history's row of a call, with the completion to store in it, and the costs for its receipt. */
export type NoteCall = (end: EndInRow | null, costs: CallCosts) => void

/** Writes an end, with the history's row where that is written now. */
export type WriteEnd = (note?: NoteEnd) => void

/** Shared state of a session's accounts. */
export interface Counting {
  readonly outbox: CallOutbox
  readonly admission: Admission
  readonly observed: ObservedCalls
  now(): number
  /** Drops the account of a call. */
  closed(callId: string): void
  /** Adds to the receipt of a call that has ended. */
  addCost(callId: string, cost: number): void
}

/** Account of a call counted under its own tool. */
export class OpenAccount implements CallAccount {
  readonly #accounting: Counting
  readonly #callId: string
  readonly #stopwatch: Stopwatch
  readonly #call: OpenCall
  readonly #isMetered: boolean
  readonly #trace: CallTrace
  #isTight = false
  /** Id of the admission. */
  #as: string | null = null
  #isBegun = false
  #isHeld = false
  #elsewhereMs = 0
  readonly #costs: ReceiptCosts
  #workMs = 0

  constructor(accounting: Counting, { callId, stopwatch, by }: NewAccount, call: OpenCall) {
    this.#accounting = accounting
    this.#callId = callId
    this.#stopwatch = stopwatch
    this.#call = call
    this.#isMetered = by.restrictions?.isMetered === true
    this.#trace = accounting.observed.begin(by)
    this.#costs = new ReceiptCosts((cost) => accounting.addCost(callId, cost))
  }

  admit(): Promise<void> | null {
    const { admission, outbox } = this.#accounting
    const { callId, key, agent, tool, isQuick = false } = this.#call
    const request = { callId, key, agent, tool, lastsMs: lastsMs(this.#call), isQuick, isMetered: this.#isMetered }
    const admitted = outbox.isUrgent
      ? outbox.tell().then(() => admission.admit(request)) // a call that it waits for may have ended in this session
      : admission.admit(request)
    if ('as' in admitted) {
      this.#begin(admitted)
      return null
    }
    return admitted.then(
      (late) => this.#begin(late),
      (thrown) => {
        this.#accounting.closed(this.#callId)
        throw thrown
      },
    )
  }

  #begin({ as, tight }: Admitted): void {
    this.#isBegun = true
    this.#isTight = tight
    this.#as = as
    this.#call.admittedAs = as
    const { outbox, admission } = this.#accounting
    setPrice(this.#call, admission.priceOf(this.#call.tool))
    outbox.begin(this.#callId, this.#call)
    // Other calls wait for its completion, which must be known after a crash too.
    if (tight && !this.#call.isQuick) outbox.note(this.#call)
  }

  countedElsewhere(sandboxMs: number, cost: number | null): void {
    this.#elsewhereMs += sandboxMs
    this.#costs.add(cost)
  }

  madeCall(cost: number): void {
    this.#costs.addCall(cost)
  }

  /**
   * Costs in the call's receipt.
   * @param ranMs time that its work ran in the sandbox, beside what the account has, in milliseconds
   */
  costsWith(ranMs: number): CallCosts {
    return this.#costs.with(costIn(this.#call, this.#sandboxMs() + ranMs))
  }

  #sandboxMs(): number {
    return Math.max(0, this.#stopwatch.sandboxMs - this.#elsewhereMs) + this.#workMs
  }

  hold(): void {
    this.#isHeld = true
  }

  end(outcome: Outcome, note?: NoteCall): void {
    if (!this.#isBegun || this.#isHeld) {
      note?.(null, {})
      if (!this.#isBegun) this.#observe('refused', endOf(outcome), 0)
      return
    }
    const { outbox } = this.#accounting
    this.#accounting.closed(this.#callId)
    const ms = this.#msUntilNow()
    const sandboxMs = this.#sandboxMs()
    const costs = this.costsWith(0)
    this.#costs.end()
    // Limits put meanwhile count the call, and other calls may wait for it.
    const isTight = this.#isTight || this.#call.admittedAs !== this.#as
    const awaitedBy = isTight ? 'others' : this.#as === null ? 'nobody' : 'limited'
    const end = endOf(outcome)
    const noteCall: NoteEnd | undefined = note && ((inRow) => note(inRow, costs))
    if (outbox.end(this.#callId, this.#call, { ...end, ms, ...charged(this.#call, sandboxMs) }, awaitedBy, noteCall))
      this.#observe(end.failure === null ? 'done' : 'failed', end, sandboxMs)
  }

  #observe(outcome: ObservedCall['outcome'], { failure: reason, bytesOut }: CallEnd, sandboxMs: number): void {
    const { tool, startedAt, bytesIn } = this.#call
    const times = { startedAt, ms: this.#msUntilNow(), sandboxMs, queuedMs: this.#stopwatch.queuedMs }
    this.#accounting.observed.ended(this.#trace, { tool, ...times, bytesIn, bytesOut, outcome, reason })
  }

  #msUntilNow(): number {
    return this.#accounting.now() - this.#call.startedAt
  }

  workEnded(outcome: Outcome, ranMs: number): void {
    this.#workMs += ranMs
    if (!this.#isHeld) return
    this.#isHeld = false
    this.end(outcome)
  }
}

/** Longest time that a running call counts, in milliseconds; of a registered tool, which has a version, that of any such tool. */
export const lastsMs = ({ isQuick, version }: OpenCall) => {
  if (version !== undefined) return MAX_REGISTERED_TIMEOUT_SECONDS * 1_000
  return isQuick ? QUICK_CALL_COUNTS_MS : LONG_CALL_COUNTS_MS
}

interface CallEnd {
  readonly failure: string | null
  readonly isNonzeroExit?: true
  readonly bytesOut: number
}

export function endOf(outcome: Outcome): CallEnd {
  switch (outcome.kind) {
    case 'done':
      return {
        failure: null,
        ...(exitCodeOf(outcome) !== 0 && { isNonzeroExit: true }),
        bytesOut: utf8Length(outcome.result.text),
      }
    case 'pending':
      return { failure: null, bytesOut: utf8Length(outcome.soFar.text) }
    default:
      return failed(outcome.failure)
  }
}

const failed = ({ code, message }: Failure) => ({ failure: code, bytesOut: utf8Length(message) })

/** Account of a call that is counted as the call it makes, whose completion stands in its row of the history. */
export class PassedOnAccount implements CallAccount {
  readonly #costs: ReceiptCosts
  #write: WriteEnd = (note) => note?.(null)
  #hasEnded = false

  constructor(accounting: Pick<Counting, 'addCost'>, callId: string) {
    this.#costs = new ReceiptCosts((cost) => accounting.addCost(callId, cost))
  }

  admit(): null {
    return null
  }

  countedElsewhere(_: number, cost: number | null): void {
    this.#costs.add(cost)
  }

  madeCall(cost: number): void {
    this.#costs.addCall(cost)
  }

  hold(): void {}

  takeEnd(write: WriteEnd): void {
    // A chain that is out of time answers before its last step has ended.
    if (this.#hasEnded) write()
    else this.#write = write
  }

  end(_: Outcome, note?: NoteCall): void {
    this.#hasEnded = true
    const costs = this.#costs.with(null)
    this.#costs.end()
    this.#write(note && ((inRow) => note(inRow, costs)))
  }
}

/** Account of a call that is not counted. */
export const NOT_COUNTED: CallAccount = {
  admit: () => null,
  countedElsewhere: () => undefined,
  madeCall: () => undefined,
  end: (_, note) => note?.(null, {}),
  hold: () => undefined,
}
