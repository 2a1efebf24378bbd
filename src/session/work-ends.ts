import type { Outcome } from '../core/outcome.ts'
import type { Accounting } from './accounting.ts'
import type { BegunCalls } from './begun/begun-calls.ts'
import type { CallLedger } from './call-ledger.ts'
import type { History } from './history.ts'
import type { Job } from './jobs/job-store.ts'
import type { LastingCommand } from './lasting/lasting-store.ts'

interface Parts {
  readonly history: Pick<History, 'settle' | 'keepAnswer' | 'lose'>
  readonly ledger: Pick<CallLedger, 'endCutOff'>
  readonly session: {
    readonly begun: Pick<BegunCalls, 'keepOutcome'>
    readonly accounting: Pick<Accounting, 'costsWithWork' | 'workEnded'>
  }
  readonly now: () => number
  /** Notes a time when a call began or ended. */
  readonly used: (at: number) => void
}

/** Ends of work that goes on without its call, written wherever a call's end is: in one transaction, since nothing is awaited. */
export class WorkEnds {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** @param ranMs how long it ran in the sandbox */
  ofJob(callId: string, ended: NonNullable<Job['ended']>, ranMs: number): void {
    const { history, session, now, used } = this.#parts
    const outcome: Outcome = 'result' in ended ? { kind: 'done', ...ended } : { kind: 'failed', failure: ended.failure }
    history.settle(callId, outcome, now(), session.accounting.costsWithWork(callId, ranMs))
    session.accounting.workEnded(callId, outcome, ranMs)
    used(now())
  }

  /**
   * Ends the call of a command that a restart cut off from it.
   * @param outcome null for one whose end nobody knows
   */
  ofCutOff({ callId, isBegun }: LastingCommand, outcome: Outcome | null, ranMs: number): void {
    const { history, ledger, session, now, used } = this.#parts
    if (outcome) {
      history.settle(callId, outcome, now(), session.accounting.costsWithWork(callId, ranMs))
      history.keepAnswer(callId, outcome)
      if (isBegun) session.begun.keepOutcome(callId, outcome)
    } else {
      history.lose(callId)
    }
    ledger.endCutOff(callId, outcome && { ...outcome, callId }, now())
    session.accounting.workEnded(callId, outcome, ranMs)
    used(now())
  }
}
