import type { Actor } from '../core/actor.ts'
import type { Failure } from '../core/failure.ts'
import type { Outcome } from '../core/outcome.ts'
import type { SentCall } from '../core/packed-call.ts'
import type { Expiry, NewSettings, SessionSettings, SessionState } from '../core/session-settings.ts'
import type { HumanTask } from '../ports/people.ts'
import type { BroughtTool } from '../ports/toolbox.ts'
import type { Caller } from '../tenant/api.ts'
import type { RunningBuiltin } from '../tenant/calls-api.ts'
import type { EndedSandboxes } from '../tenant/deletion-api.ts'
import type { SessionCallsApi } from './calls-api.ts'
import type { ExportAnswer, ExportPlace } from './export-api.ts'
import type { SessionFilesApi } from './files-api.ts'
import type { ForkOrigin, SessionForksApi } from './forks-api.ts'
import type { SessionHistoryApi } from './history-api.ts'
import type { SessionLinksApi } from './links-api.ts'
import type { SessionRecovery } from './recovery-api.ts'
import type { SessionSnapshotsApi } from './snapshots-api.ts'
import type { SessionWatchApi } from './watch-api.ts'

/** A session as the work of the server's owner on its tenant sees it. Plain methods, which also answer when there is no session. */
export interface OwnedSession extends SessionRecovery {
  /**
   * Ends the sandbox and removes all of the session's data, for a tenant that is being deleted: the tenant hears nothing of it.
   * Repeated, it changes nothing. @throws when the sandbox could not be ended: the session is out of use then
   */
  purge(): Promise<void>
  /** Cancels what uses the sandbox, and ends it after its files were taken over, if it is one of these. @throws when the provider cannot be asked */
  endSandbox(which?: EndedSandboxes): Promise<void>
  /**
   * Part of the session's export from a place on; null for the first one, before which changes of the sandbox are taken over.
   * @param prefix directory of the session in the archive, with a slash at its end
   */
  exportPart(prefix: string, from: ExportPlace | null): Promise<ExportAnswer>
}

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
    by?: Actor,
  ): Promise<{ readonly created: boolean; readonly info: SessionInfo } | { readonly failure: Failure }>
  /** Facts of the session. @returns null when there is no such session */
  info(): Promise<SessionInfo | null>
  /** Ends the sandbox and removes all of the session's data. @returns false when there was no such session */
  remove(by?: Actor): Promise<boolean>
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
  /** Voids copies of the tenant's tools and secrets of earlier revisions. Called by the tenant when these change. */
  toolsChanged(revision: number): Promise<void>
  readonly files: SessionFilesApi
  readonly history: SessionHistoryApi
  readonly snapshots: SessionSnapshotsApi
  readonly forks: SessionForksApi
  readonly links: SessionLinksApi
  readonly calls: SessionCallsApi
  readonly tools: SessionToolsApi
  readonly people: SessionPeopleApi
  readonly life: SessionLifeApi
  readonly nodes: SessionNodesApi
  readonly watch: SessionWatchApi
  /**
   * Opens a WebSocket that gets a message after each commit, and is closed when the session is removed. The request is an upgrade.
   * @returns 101 with the WebSocket; 404 where there is no such session, 429 where it has MAX_WATCHERS
   */
  fetch(request: Request): Promise<Response>
}

/** Answer to {@link SessionApi.begin}: the id of the call that runs, or the outcome of one that was refused. */
export type Begun =
  | {
      readonly callId: string
      /** Whether the call was begun before, with the same idempotency key. */
      readonly replayed?: true
    }
  | { readonly refused: Outcome }

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
  change(changes: SessionChanges, by?: Actor): Promise<SessionView>
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
  /** Session that it is a fork of, and the commit whose files it got; null for any other. */
  readonly origin: { readonly session: string; readonly commit: number } | null
  readonly settings: SessionSettings
  readonly state: SessionState
  /** Time from which the state is known; null for a session that never had a sandbox. */
  readonly stateAt: number | null
  /** Time of the last call, change of a file, or change of the session; of creation when there was none. */
  readonly usedAt: number
  /** Time at which the session is removed if it is not used any more; null for never. */
  readonly expiry: Expiry | null
  /** Number of files, directories and links, and of directories alone, null where there are too many to count; and the size of the files. */
  readonly files: { readonly entries: number; readonly directories: number | null; readonly bytes: number }
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
  /** Left out: USUAL_SETTINGS, with the tenant's default lifetimes. */
  readonly settings?: NewSettings
  /** Session whose files the new one gets. Set by the object of that session alone; such a session has no default lifetimes. */
  readonly fork?: ForkOrigin
}

export interface SessionInfo {
  readonly name: string
  readonly nodeId: string
  readonly title: string
  readonly requirements: readonly string[]
  /** Milliseconds since 1970. */
  readonly createdAt: number
}
