import type { Failure } from '../core/failure.ts'
import type { Outcome, Result } from '../core/outcome.ts'
import type { SentCall } from '../core/packed-call.ts'
import type { Receipt } from '../core/receipt.ts'
import type { Expiry, SessionSettings, SessionState } from '../core/session-settings.ts'
import type { HumanTask } from '../ports/people.ts'
import type { LivePiece } from '../ports/runner.ts'
import type { BroughtTool } from '../ports/toolbox.ts'
import type { Caller } from '../tenant/api.ts'
import type { RunningBuiltin } from '../tenant/calls-api.ts'

/**
 * A session as the Worker sees it: the RPC surface of its Durable Object. Arguments and results are plain data or streams.
 * Requests to a session that was not created store nothing. Methods of groups throw FailureError `session_not_found` then.
 */
export interface SessionApi {
  /**
   * Creates the session.
   * @returns `created: false` for a session that exists already, which is not changed
   */
  create(
    spec: SessionSpec,
  ): Promise<{ readonly created: boolean; readonly info: SessionInfo } | { readonly failure: Failure }>
  /** Facts of the session. @returns null when there is no such session */
  info(): Promise<SessionInfo | null>
  /** Ends the sandbox and removes all of the session's data. @returns false when there was no such session */
  remove(): Promise<boolean>
  /**
   * Makes a call. Never throws for what a caller did.
   * @returns `refused` with `session_not_found` when there is no such session
   */
  call(call: SentCall, by?: Caller): Promise<Outcome>
  /**
   * Begins a call that goes on without its caller, and whose output can be followed while it runs. Answers once the call is noted
   * in the history. Otherwise as {@link call}.
   */
  begin(call: SentCall, by?: Caller): Promise<Begun>
  /**
   * Voids the limits of earlier versions and reports all completions. Called by the tenant when its limits change.
   * @returns running calls that the tenant has not counted yet
   */
  limitsChanged(version: number): Promise<readonly RunningBuiltin[]>
  /** Voids copies of the tenant's tools of earlier revisions. Called by the tenant when its tools change. */
  toolsChanged(revision: number): Promise<void>
  readonly files: SessionFilesApi
  readonly links: SessionLinksApi
  readonly calls: SessionCallsApi
  readonly tools: SessionToolsApi
  readonly people: SessionPeopleApi
  readonly life: SessionLifeApi
  readonly nodes: SessionNodesApi
}

/** Answer to {@link SessionApi.begin}: the id of the call that runs, or the outcome of one that was refused. */
export type Begun =
  | {
      readonly callId: string
      /** Whether the call was begun before, with the same idempotency key. */
      readonly replayed?: true
    }
  | { readonly refused: Outcome }

/** Files of a session, for requests that are no calls of tools. */
export interface SessionFilesApi {
  /** Content of one file, as a stream. @throws FailureError `not_found`; `invalid_input` for a directory */
  download(path: string): Promise<Download>
  /** All files as a zip, made while it is read. Links are left out. */
  archive(): Promise<Download>
  /** Stores one file of at most MAX_BODY_BYTES, replacing an earlier one. @throws FailureError as a commit */
  upload(path: string, content: Uint8Array): Promise<void>
  /** A file with its content or a part of it, if the conditions hold. @throws FailureError `not_found` */
  read(request: FileRead): Promise<FileAnswer>
  /** Page of a directory's entries, sorted by path. @throws FailureError `not_found` */
  list(request: DirectoryPage): Promise<FileList>
  /**
   * Says in advance whether a file could be stored now, so that its content need not be sent for nothing.
   * @returns null when it could
   * @throws FailureError as {@link put}
   */
  mayPut(request: FileChange): Promise<ConditionFailed | null>
  /**
   * Stores one file as a commit, if the conditions hold at that moment. A stream is read before the call waits for its turn.
   * @throws FailureError as a commit
   */
  put(request: FileChange & { readonly sha256: string | null }, content: FileContent): Promise<FileWritten>
  /** Removes a file, or a directory with all that is in it, as a commit. @throws FailureError `not_found` */
  remove(request: FileChange & { readonly recursive: boolean }): Promise<FileRemoved>
  /** Archive of a directory as it is now or was after a commit, made while it is read. Links are left out. @throws FailureError `not_found` */
  pack(request: ArchivePack): Promise<Download>
  /** Unpacks a zip or a tar.gz into a directory, as one commit of all or nothing. @throws FailureError `invalid_input` naming the entry at fault, `limit_exceeded`; as a commit */
  unpack(request: ArchiveUnpack, archive: Uint8Array): Promise<ArchiveUnpacked>
  /** Page of commits, newest first. */
  commits(page: { readonly limit: number; readonly before?: number }): Promise<CommitList>
}

/** Links by which somebody without a key may read or write one file. A link is valid until it expires or is revoked. */
export interface SessionLinksApi {
  /** Makes a link. @throws FailureError `not_found`, `invalid_input`, `limit_exceeded` beyond MAX_LINKS */
  make(link: NewFileLink): Promise<FileLink>
  /** Links that are valid, oldest first. */
  list(): Promise<readonly FileLink[]>
  /** Ends a link, or all of them (null). @returns the number of links that ended */
  revoke(id: string | null): Promise<number>
  isValid(id: string): Promise<boolean>
}

export interface NewFileLink {
  readonly path: string
  readonly method: 'download' | 'upload'
  /** Greatest size of an upload in bytes; null for a download. */
  readonly maxBytes: number | null
  /** Public part of the key that makes it; null on a local server without keys. */
  readonly key: string | null
  /** Time for which it is valid, in milliseconds. */
  readonly lifeMs: number
}

export interface FileLink extends Omit<NewFileLink, 'lifeMs'> {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly expiresAt: number
}

/** Conditions on the present content of a file, given as SHA-256; `any`: whichever content, if there is one. */
export interface FileConditions {
  /** Contents of which the file must have one. */
  readonly match: readonly string[] | 'any' | null
  /** Contents of which the file must have none. */
  readonly noneMatch: readonly string[] | 'any' | null
}

/** Part of a file: from a byte on, to a byte (included) or to the end; or so many last bytes. */
export type RequestedRange = { readonly first: number; readonly last: number | null } | { readonly suffix: number }

export interface FileRead extends FileConditions {
  readonly path: string
  /** Commit after which the file is read; null for its present state. */
  readonly asOf: number | null
  readonly range: RequestedRange | null
  /** Content of which alone a part is wanted, else the whole file; null for any. */
  readonly ifRange: string | null
  /** Whether the content is wanted besides the facts. */
  readonly content: boolean
}

/** Facts of an entry. `hash` and `size` are those of a file, null for anything else. */
export interface FileFacts {
  readonly path: string
  readonly kind: 'file' | 'directory' | 'link'
  readonly size: number | null
  /** SHA-256 of the content, 64 hex digits. */
  readonly hash: string | null
  /** Milliseconds since 1970. */
  readonly modifiedAt: number
}

/** Answer to a change or a read whose conditions do not hold: the file as it is, null where there is none. */
export interface ConditionFailed {
  readonly state: 'condition failed'
  readonly file: FileFacts | null
}

export type FileAnswer =
  | {
      readonly state: 'found'
      readonly file: FileFacts
      /** Bytes of the content that `body` has; null for the whole. */
      readonly part: { readonly offset: number; readonly length: number } | null
      readonly body: ReadableStream<Uint8Array> | null
    }
  | { readonly state: 'unchanged' | 'no such range'; readonly file: FileFacts }
  | { readonly state: 'directory' }
  | ConditionFailed

export interface DirectoryPage {
  readonly path: string
  readonly asOf: number | null
  /** Levels of directories: 1 for the entries of the directory itself. */
  readonly depth: number
  readonly limit: number
  /** Path behind which the page begins; null for the first one. */
  readonly after: string | null
}

export interface FileList {
  readonly entries: readonly FileFacts[]
  /** Whether there are more behind the last entry. */
  readonly more: boolean
  /** Commit whose files these are. */
  readonly commit: number
}

export interface FileChange extends FileConditions {
  readonly path: string
  /** Author of the commit, as history names it. */
  readonly author: string
}

/** Content of a file that comes in. A stream needs its exact size in bytes. */
export type FileContent = Uint8Array | { readonly stream: ReadableStream<Uint8Array>; readonly size: number }

export type FileWritten =
  | { readonly state: 'written'; readonly created: boolean; readonly file: FileFacts; readonly commit: number }
  | ConditionFailed

export type FileRemoved = { readonly state: 'removed'; readonly commit: number } | ConditionFailed

export interface ArchivePack {
  /** Directory whose files the archive has, with names from there on. */
  readonly path: string
  readonly asOf: number | null
  readonly format: 'zip' | 'tar.gz'
}

export interface ArchiveUnpack {
  /** Directory into which the archive is unpacked; made where it does not exist. */
  readonly path: string
  /** `replace`: what else is in the directory is removed. */
  readonly mode: 'merge' | 'replace'
  readonly author: string
}

export interface ArchiveUnpacked {
  readonly files: number
  /** Size of the files together. */
  readonly bytes: number
  readonly commit: number
}

export interface CommitList {
  readonly commits: readonly {
    readonly seq: number
    /** Id of the call that made the commit, or the author of a change that was no call. */
    readonly author: string
    readonly at: number
    /** Number of paths that it changed. */
    readonly changed: number
  }[]
  /** The `before` of the next page; absent on the last one. */
  readonly next?: number
}

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

/** Tools of a session besides those of the server and of its tenant. */
export interface SessionToolsApi {
  /** Tools, source by source. */
  list(): Promise<readonly BroughtTool[]>
}

/** Human tasks of a session. */
export interface SessionPeopleApi {
  /** Human tasks, oldest first. */
  list(): Promise<readonly HumanTask[]>
  /**
   * Takes a person's answer. Repeating the same answer changes nothing.
   * @returns the task after it
   * @throws FailureError `not_found`; `conflict` for an answer to a completed task other than the one before
   */
  answer(id: string, answer: HumanAnswer): Promise<HumanTask>
}

/** Life of a session: its state, its settings, and the pause of its sandbox. */
export interface SessionLifeApi {
  look(): Promise<SessionView>
  /**
   * Changes settings. Another `internet` ends the sandbox, with its files taken over, so that it is in force at once.
   * @throws FailureError `invalid_input` for a lifetime that is over already; `conflict` for another `internet` while calls run
   */
  change(changes: SessionChanges): Promise<SessionView>
  /**
   * Pauses the sandbox with its processes, after its files were taken over. The next call that needs it wakes it.
   * @param force true to cancel running calls first
   * @throws FailureError `conflict` while calls run in it
   */
  pause(force: boolean): Promise<SessionView>
  /** Wakes the sandbox, or makes one. @throws FailureError `rate_limited` when there is none to be had */
  resume(): Promise<SessionView>
}

/** Changes of a session; what is left out stays. Labels are merged: null removes one. */
export interface SessionChanges extends Partial<Omit<SessionSettings, 'labels'>> {
  readonly title?: string
  readonly labels?: Readonly<Record<string, string | null>>
}

/** A session as it is now. Times are milliseconds since 1970. */
export interface SessionView {
  readonly info: SessionInfo
  readonly settings: SessionSettings
  readonly state: SessionState
  /** Time from which the state is known; null for a session that never had a sandbox. */
  readonly stateAt: number | null
  /** Time of the last call, change of a file, or change of the session; of creation when there was none. */
  readonly usedAt: number
  /** Time at which the session is removed if it is not used any more; null for never. */
  readonly expiry: Expiry | null
  /** Files, directories and links, and the size of the files. */
  readonly files: { readonly entries: number; readonly bytes: number }
  /** Ids of running calls that take long, and of work that outlives its call. */
  readonly running: readonly string[]
}

/** A session for clients that come by its node id. Each method throws `session_not_found` for any other node id. */
export interface SessionNodesApi {
  /** Notes a request by node id, and makes its call, when it brings one and the session runs. */
  visit(nodeId: string, call?: SentCall, by?: Caller): Promise<Visit>
  /** Ends running calls, and the sandbox once its files are stored. */
  close(nodeId: string): Promise<void>
  /** Closes the session as {@link close} does, and has it run again. Rejects when its sandbox cannot be ended now. */
  reconnect(nodeId: string): Promise<void>
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
  /** USUAL_SETTINGS when left out. */
  readonly settings?: SessionSettings
}

export interface SessionInfo {
  readonly name: string
  readonly nodeId: string
  readonly title: string
  readonly requirements: readonly string[]
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** Request for a page of the history: calls before one, of one tool, in one state. */
export interface HistoryQuery {
  readonly limit: number
  readonly before?: number
  readonly tool?: string
  readonly state?: HistoryCall['state']
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

export interface Download {
  readonly name: string
  /** Size in bytes; null when it is known only at the end. */
  readonly size: number | null
  readonly body: ReadableStream<Uint8Array>
}
