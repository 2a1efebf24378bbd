import type { Failure } from '../core/failure.ts'
import type { Outcome, Result } from '../core/outcome.ts'
import type { SentCall } from '../core/packed-call.ts'
import type { Receipt } from '../core/receipt.ts'
import type { HumanTask } from '../ports/people.ts'
import type { BroughtTool } from '../ports/toolbox.ts'
import type { Caller } from '../tenant/api.ts'
import type { RunningBuiltin } from '../tenant/calls-api.ts'

/**
 * A session as the Worker sees it: the RPC surface of its Durable Object. Arguments and results are plain data or streams.
 * Requests to a session that was not created store nothing.
 */
export interface SessionApi {
  /** @returns `created: false` for a session that exists already, which is not changed */
  create(
    spec: SessionSpec,
  ): Promise<{ readonly created: boolean; readonly info: SessionInfo } | { readonly failure: Failure }>
  /** @returns null when there is no such session */
  info(): Promise<SessionInfo | null>
  /** Ends the sandbox and removes all of the session's data. @returns false when there was no such session */
  remove(): Promise<boolean>
  /** Makes a call. Never throws for what a caller did. @returns `refused` with `not_found` when there is no such session */
  call(call: SentCall, by?: Caller): Promise<Outcome>
  /**
   * Voids the limits of earlier versions and reports all completions. Called by the tenant when its limits change.
   * @returns running calls that the tenant has not counted yet
   */
  limitsChanged(version: number): Promise<readonly RunningBuiltin[]>
  /** Voids copies of the tenant's tools of earlier revisions. Called by the tenant when its tools change. */
  toolsChanged(revision: number): Promise<void>
  /** Page of the history, newest call first. @returns null when there is no such session */
  history(page: { readonly limit: number; readonly before?: number }): Promise<HistoryPage | null>
  /** One call of the history, with its progress and late answer. @returns null when there is no such session or call */
  callOf(callId: string): Promise<CallView | null>
  /**
   * Waits until a call has progress beyond the first `after` lines, until it ends, or for so long.
   * @returns the call's state then, as {@link callOf}
   */
  follow(request: {
    readonly callId: string
    readonly after: number
    readonly patienceMs: number
  }): Promise<CallView | null>
  /** Cancels a running call, or the pending work of one; a call that has ended does not change. @returns as {@link callOf} */
  cancel(callId: string): Promise<CallView | null>
  /** Content of one file, as a stream. */
  download(path: string): Promise<Download | { readonly failure: Failure }>
  /** Human tasks of the session, oldest first. @returns null when there is no such session */
  humanTasks(): Promise<readonly HumanTask[] | null>
  /** Takes a person's answer to a human task. @returns the task after it; `not_found`, or `conflict` for a completed task */
  answerHumanTask(
    id: string,
    answer: HumanAnswer,
  ): Promise<{ readonly task: HumanTask } | { readonly failure: Failure }>
  /**
   * Tools of the session besides those of the server and of its tenant, source by source. @returns null when there is no such
   * session
   */
  tools(): Promise<readonly BroughtTool[] | null>
  /** All files as a zip, made while it is read. Links are left out. */
  archive(): Promise<Download | { readonly failure: Failure }>
  /** Stores one file of at most MAX_BODY_BYTES, replacing an earlier one. */
  upload(path: string, content: Uint8Array): Promise<{ readonly failure?: Failure }>

  /**
   * Notes a request by node id, and makes its call, when it brings one and the session runs.
   * @returns null when no session has that node id: removed, or never made
   */
  visit(nodeId: string, call?: SentCall, by?: Caller): Promise<Visit | null>
  /** Ends running calls, and the sandbox once its files are stored. @returns false when no session has that node id */
  close(nodeId: string): Promise<boolean>
  /**
   * Closes the session as {@link close} does, and has it run again. Rejects when its sandbox cannot be ended now.
   * @returns false when no session has that node id
   */
  reconnect(nodeId: string): Promise<boolean>
}

export interface HumanAnswer {
  /** False for a comment that leaves the task open. */
  readonly completed: boolean
  /** The person's text; null for none. */
  readonly result: string | null
}

/**
 * State of a session for clients that use its node id; others are not bound by it. `closed`: by its client. `idle`: no request
 * for SESSION_IDLE_MS. Both keep their files and run again after `reconnect`.
 */
export type NodeState = 'running' | 'closed' | 'idle'

export interface Visit {
  readonly state: NodeState
  /** Outcome of the call, when one came and was made. */
  readonly outcome?: Outcome
}

export interface SessionSpec {
  /** Label for people. */
  readonly title: string
  /** Python requirement specifiers, installed with the first sandbox. */
  readonly requirements: readonly string[]
  /** Directories of a new workspace. Paths are relative to the root. */
  readonly directories: readonly string[]
  readonly files: readonly { readonly path: string; readonly text: string }[]
}

export interface SessionInfo {
  readonly name: string
  readonly nodeId: string
  readonly title: string
  readonly requirements: readonly string[]
  /** Milliseconds since 1970. */
  readonly createdAt: number
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
  /** JSON of the arguments, secrets masked, cut to MAX_HISTORY_CHARS. */
  readonly args: string
  /** `running` until the call ends; `lost` when a crash cut it off. */
  readonly state: 'running' | 'lost' | Outcome['kind']
  /** Start of the answer's text, or the failure's message. */
  readonly answer: string
  readonly startedAt: number
  readonly endedAt: number | null
  readonly receipt: Receipt | null
}

export interface CallView {
  readonly call: HistoryCall
  /** True while the call runs, or its work continues. */
  readonly running: boolean
  /** The newest lines, and the number of all lines. */
  readonly progress: { readonly lines: readonly string[]; readonly count: number }
  /** Final answer of a call whose work continued after it, kept for JOB_KEPT_MS. */
  readonly ended?: { readonly result: Result } | { readonly failure: Failure }
}

export interface Download {
  readonly name: string
  /** In bytes; null when the size is known only at the end. */
  readonly size: number | null
  readonly body: ReadableStream<Uint8Array>
}
