import type { Failure } from '../core/failure.ts'
import type { Outcome, Result } from '../core/outcome.ts'
import type { SentCall } from '../core/packed-call.ts'
import type { Receipt } from '../core/receipt.ts'
import type { HumanTask } from '../ports/people.ts'
import type { BroughtTool } from '../ports/toolbox.ts'
import type { Caller } from '../tenant/api.ts'
import type { RunningBuiltin } from '../tenant/calls-api.ts'

/**
 * A session as the Worker sees it: the RPC surface of its Durable Object. Everything is plain data or a stream.
 * Nothing of a session that was not created is stored, whoever asks for it.
 */
export interface SessionApi {
  /** @returns `created: false` when it exists already; nothing is changed then. */
  create(
    spec: SessionSpec,
  ): Promise<{ readonly created: boolean; readonly info: SessionInfo } | { readonly failure: Failure }>
  /** @returns null when there is no such session. */
  info(): Promise<SessionInfo | null>
  /** Ends its sandbox and removes all its data. @returns false when there was no such session. */
  remove(): Promise<boolean>
  /** @returns `refused` with `not_found` when there is no such session. Never throws for what a caller did. */
  call(call: SentCall, by?: Caller): Promise<Outcome>
  /**
   * Its tenant's limits have another version now: no call begins by an earlier one, and all ends are told.
   * @returns running calls that the tenant has not counted yet
   */
  limitsChanged(version: number): Promise<readonly RunningBuiltin[]>
  /** Newest first. @returns null when there is no such session. */
  history(page: { readonly limit: number; readonly before?: number }): Promise<HistoryPage | null>
  /** One call of the history, and what is known of it beyond that. @returns null when there is no such session or call */
  callOf(callId: string): Promise<CallView | null>
  /**
   * As {@link callOf}, when there is progress beyond the first `after` lines, when the call has ended, or after that
   * long; the call as it is then.
   */
  follow(asked: {
    readonly callId: string
    readonly after: number
    readonly patienceMs: number
  }): Promise<CallView | null>
  /** Stops a call that runs, or the work that outlived it; one that has ended stays as it is. @returns as {@link callOf} */
  cancel(callId: string): Promise<CallView | null>
  /** One file, as a stream. */
  download(path: string): Promise<Download | { readonly failure: Failure }>
  /** What the session has asked of people, oldest first. @returns null when there is no such session */
  humanTasks(): Promise<readonly HumanTask[] | null>
  /** What a person says to one of these. @returns the task as it is then; `not_found`, or `conflict` when it was completed */
  answerHumanTask(
    id: string,
    answer: HumanAnswer,
  ): Promise<{ readonly task: HumanTask } | { readonly failure: Failure }>
  /** Tools that it has besides those of the server and of its tenant, source by source. @returns null when there is no such session */
  tools(): Promise<readonly BroughtTool[] | null>
  /** All files as a zip, made while it is read. Links are left out. */
  archive(): Promise<Download | { readonly failure: Failure }>
  /** Stores one file, of at most MAX_BODY_BYTES; what stood there is replaced. */
  upload(path: string, content: Uint8Array): Promise<{ readonly failure?: Failure }>

  /**
   * Notes a request of whoever holds the node id, and makes its call, if it brings one and the session runs.
   * @returns null when no session has that node id: removed, or never made
   */
  visit(nodeId: string, call?: SentCall, by?: Caller): Promise<Visit | null>
  /** Ends what runs, and the sandbox, once its files are taken over. @returns false when no session has that node id */
  close(nodeId: string): Promise<boolean>
  /**
   * As {@link close}, and then it runs again. Rejects when its sandbox cannot be ended now.
   * @returns false when no session has that node id
   */
  reconnect(nodeId: string): Promise<boolean>
}

export interface HumanAnswer {
  /** False to say something and leave the task open. */
  readonly completed: boolean
  /** Null to say nothing. */
  readonly result: string | null
}

/**
 * `closed`: by its client. `idle`: no request for SESSION_IDLE_MS. Both keep their files and run again after
 * `reconnect`. Only those who come by node id are bound by it.
 */
export type NodeState = 'running' | 'closed' | 'idle'

export interface Visit {
  readonly state: NodeState
  /** Of the call, when there was one and it was made. */
  readonly outcome?: Outcome
}

export interface SessionSpec {
  /** What people call it; a label. */
  readonly title: string
  /** Python requirement specifiers, installed with its first sandbox. */
  readonly requirements: readonly string[]
  /** What its workspace starts with. Paths are relative to the root. */
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
  /** Give it as `before` to read on; absent at the end. */
  readonly next?: number
}

export interface HistoryCall {
  readonly seq: number
  readonly callId: string
  readonly tool: string
  /** JSON of the arguments, secrets masked, cut to MAX_HISTORY_CHARS. */
  readonly args: string
  /** `running` until the call ended; `lost` when it was cut off by a crash. */
  readonly state: 'running' | 'lost' | Outcome['kind']
  /** The start of the answer's text, or the failure's message. */
  readonly answer: string
  readonly startedAt: number
  readonly endedAt: number | null
  readonly receipt: Receipt | null
}

export interface CallView {
  readonly call: HistoryCall
  /** True while it runs, or its work goes on. */
  readonly running: boolean
  /** The newest lines, and how many there were in all. */
  readonly progress: { readonly lines: readonly string[]; readonly count: number }
  /** Of a call whose work outlived it: the whole answer, once there is one; kept for JOB_KEPT_MS. */
  readonly ended?: { readonly result: Result } | { readonly failure: Failure }
}

export interface Download {
  readonly name: string
  /** In bytes; null when that is known only at the end. */
  readonly size: number | null
  readonly body: ReadableStream<Uint8Array>
}
