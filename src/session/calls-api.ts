import type { Failure } from '../core/failure.ts'
import type { Outcome, Result } from '../core/outcome.ts'
import type { Receipt } from '../core/receipt.ts'
import type { LivePiece } from '../ports/runner.ts'

/** Calls of a session, running or ended. */
export interface SessionCallsApi {
  /** Page of the history, newest call first. */
  page(page: HistoryQuery): Promise<HistoryPage>
  /** One call of the history, with its progress and late answer. @throws FailureError `not_found` */
  find(callId: string): Promise<CallView>
  /**
   * Waits until a call has progress beyond the first `after` lines, until it has output beyond piece `printed`, until it ends, or
   * for so long, at most MAX_FOLLOW_MS.
   * @returns the call's state then, with its output where `printed` is given
   * @throws FailureError `not_found`
   */
  follow(request: FollowRequest): Promise<CallView>
  /**
   * Cancels a running call, or the pending work of one; a call that has ended does not change.
   * @throws FailureError `not_found`
   */
  cancel(callId: string): Promise<CallView>
}

/** Request for a page of the history: calls before one, of one tool, in one state. */
export interface HistoryQuery {
  readonly limit: number
  /** Id of the one call that is wanted. */
  readonly callId?: string
  /** Tools of which alone calls are wanted. A call that another tool only passes on is one of the tool behind it. */
  readonly tools?: readonly string[]
  readonly before?: number
  readonly tool?: string
  /** `successful`: those that are done, without those whose command ended with another exit code than 0; `unsuccessful`: those that failed, were refused or lost, and those whose command ended with another exit code than 0. */
  readonly state?: HistoryCall['state'] | 'successful' | 'unsuccessful'
}

export interface HistoryPage {
  readonly calls: readonly HistoryCall[]
  /** The `before` of the next page; absent on the last one. */
  readonly next?: number
}

export interface HistoryCall {
  readonly seq: number
  readonly callId: string
  readonly tool: string
  /** Id of the call that made this one, such as a chain or code; left out for a caller's own. */
  readonly parent?: string
  /** Name of the agent that called; left out where the caller named none. */
  readonly agent?: string
  /** JSON of the arguments, secrets masked, cut to MAX_HISTORY_CHARS. */
  readonly args: string
  /** `running` until the call ends; `lost` when a crash cut it off. */
  readonly state: 'running' | 'lost' | Outcome['kind']
  /** Start of the answer's text, or the failure's message. */
  readonly answer: string
  /** Exit code of its command, where that is not 0. */
  readonly exitCode?: number
  readonly startedAt: number
  readonly endedAt: number | null
  readonly receipt: Receipt | null
}

export interface FollowRequest {
  readonly callId: string
  /** Number of lines of progress that are known already. */
  readonly after: number
  /** Number of the last known piece of output. */
  readonly printed?: number
  readonly patienceMs: number
}

/** Output of a call beyond a piece that is known. */
export interface LiveView {
  readonly pieces: readonly LivePiece[]
  /** Number of the last piece of all. */
  readonly count: number
  /** Number of pieces that are no longer kept, before the first one here; null where none are, and nobody knows how many there were. */
  readonly missed: number | null
}

export interface CallView {
  readonly call: HistoryCall
  /** Whether the call runs, or its work continues. */
  readonly running: boolean
  /** The newest lines, and the number of all lines. */
  readonly progress: { readonly lines: readonly string[]; readonly count: number }
  /** Final answer of a call whose work continued after it, kept for JOB_KEPT_MS. */
  readonly ended?: { readonly result: Result } | { readonly failure: Failure }
  /** Outcome of a begun call, whole, while it is kept. */
  readonly outcome?: Outcome
  readonly live?: LiveView
}
