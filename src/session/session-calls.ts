import { fail } from '../core/failure.ts'
import { MAX_FOLLOW_MS } from '../core/limits/requests.ts'
import { SESSION, say } from '../core/saying/saying.ts'
import type { ServedGroup } from '../core/served.ts'
import type { BegunCalls } from './begun/begun-calls.ts'
import type { CallView, FollowRequest, HistoryPage, HistoryQuery, SessionCallsApi } from './calls-api.ts'
import type { History } from './history.ts'
import type { SessionJobs } from './jobs/jobs.ts'
import type { CutOffCommands } from './lasting/cut-off-commands.ts'
import type { RunningCalls } from './running-calls.ts'

interface CallsParts {
  readonly history: History
  readonly jobs: SessionJobs
  readonly running: RunningCalls
  readonly begun: BegunCalls
  readonly cutOff: CutOffCommands
}

/** Calls of a session, for requests that look at them, wait for them or cancel them. */
export class SessionCalls implements ServedGroup<SessionCallsApi> {
  readonly #history: History
  readonly #jobs: SessionJobs
  readonly #running: RunningCalls
  readonly #begun: BegunCalls
  readonly #cutOff: CutOffCommands

  constructor({ history, jobs, running, begun, cutOff }: CallsParts) {
    this.#history = history
    this.#jobs = jobs
    this.#running = running
    this.#begun = begun
    this.#cutOff = cutOff
  }

  page(page: HistoryQuery): HistoryPage {
    return this.#history.page(page)
  }

  async find(callId: string): Promise<CallView> {
    await this.#jobs.refresh(callId)
    if (this.#cutOff.has(callId)) await this.#cutOff.look(callId, 0)
    return this.lastKnown(callId)
  }

  async follow({ callId, after, printed, patienceMs }: FollowRequest): Promise<CallView> {
    const ms = Math.min(patienceMs, MAX_FOLLOW_MS)
    const begun = this.#begun.find(callId)
    if (begun && !begun.hasEnded) await begun.next(printed ?? Number.POSITIVE_INFINITY, ms)
    else if (this.#jobs.view(callId)) await this.#jobs.wait(callId, ms, after)
    else if (this.#cutOff.has(callId)) await this.#cutOff.look(callId, ms)
    else if (this.#running.has(callId)) await this.#running.nextOutput(callId, printed ?? Number.POSITIVE_INFINITY, ms)
    const output = begun ?? this.#running.output(callId)
    const view = this.lastKnown(callId)
    if (printed === undefined) return view
    if (output) return { ...view, live: output.since(printed) }
    const mayHavePrinted = view.outcome !== undefined && view.call.receipt?.executed_on !== 'edge'
    return mayHavePrinted ? { ...view, live: { pieces: [], count: printed, missed: null } } : view
  }

  async cancel(callId: string): Promise<CallView> {
    if (this.#jobs.view(callId)) await this.#jobs.cancel(callId)
    else await this.#running.cancel(callId)
    return this.lastKnown(callId)
  }

  /** Last known state of a call, without a request to the sandbox. @throws FailureError `not_found` */
  lastKnown(callId: string): CallView {
    const call =
      this.#history.call(callId) ?? fail('not_found', say`the ${SESSION} has no such call, or it is no longer kept`)
    const job = this.#jobs.view(callId)
    const running = call.state === 'running' || (job !== null && !job.ended)
    const kept = call.state === 'running' ? null : this.#begun.outcome(callId)
    // A call that was answered "pending" may have ended since.
    const outcome = kept?.kind === 'pending' && call.state !== 'pending' && job === null ? null : kept
    return {
      call,
      running,
      progress: job?.progress ?? NO_PROGRESS,
      ...(job?.ended && { ended: job.ended }),
      ...(outcome && { outcome }),
    }
  }
}

const NO_PROGRESS = { lines: [], count: 0 }
