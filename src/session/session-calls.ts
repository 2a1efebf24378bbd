import { fail } from '../core/failure.ts'
import { MAX_FOLLOW_MS } from '../core/limits/requests.ts'
import { SESSION, say } from '../core/saying/saying.ts'
import type { ServedGroup } from '../core/served.ts'
import type { CallView, HistoryPage, SessionCallsApi } from './api.ts'
import type { History } from './history.ts'
import type { SessionJobs } from './jobs/jobs.ts'
import type { RunningCalls } from './running-calls.ts'

interface CallsParts {
  readonly history: History
  readonly jobs: SessionJobs
  readonly running: RunningCalls
}

/** Calls of a session, for requests that look at them, wait for them or cancel them. */
export class SessionCalls implements ServedGroup<SessionCallsApi> {
  readonly #history: History
  readonly #jobs: SessionJobs
  readonly #running: RunningCalls

  constructor({ history, jobs, running }: CallsParts) {
    this.#history = history
    this.#jobs = jobs
    this.#running = running
  }

  page(page: { readonly limit: number; readonly before?: number }): HistoryPage {
    return this.#history.page(page)
  }

  async find(callId: string): Promise<CallView> {
    await this.#jobs.refresh(callId)
    return this.lastKnown(callId)
  }

  async follow({ callId, after, patienceMs }: Parameters<SessionCallsApi['follow']>[0]): Promise<CallView> {
    const ms = Math.min(patienceMs, MAX_FOLLOW_MS)
    if (this.#jobs.view(callId)) await this.#jobs.wait(callId, ms, after)
    else if (this.#running.has(callId)) await this.#running.nextEnd(ms)
    return this.lastKnown(callId)
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
    return { call, running, progress: job?.progress ?? NO_PROGRESS, ...(job?.ended && { ended: job.ended }) }
  }
}

const NO_PROGRESS = { lines: [], count: 0 }
