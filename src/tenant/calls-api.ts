import type { Actor } from '../core/actor.ts'
import type { Failure } from '../core/failure.ts'
import type { CallPrice } from '../registry/call-price.ts'
import type { LeasedRule, Price } from '../registry/limit-settings.ts'
import type { RegisteredTool } from '../registry/registered-tool.ts'

/** Admission of a tenant's calls, and reports of completed ones, as its sessions see them. */
export interface CallsApi {
  /**
   * Checks whether a call of a registered tool may begin, its limits apart. Notes a refusal; counts nothing.
   * @throws FailureError `not_found`, `forbidden`
   */
  permit(call: CallRequest): Promise<void>
  /**
   * Begins a call of a registered tool, when it is allowed. The call counts until {@link end} reports its end, or for its longest
   * possible time.
   * @throws FailureError `not_found`, `conflict`, `forbidden`, `rate_limited`
   */
  begin(call: NewCall): Promise<AdmittedCall>
  /**
   * Begins a call of a built-in tool, within the limits. For calls that a rule limits; others begin by the session's {@link
   * LimitsLease} alone. A refusal comes with a lease, too.
   */
  admit(call: NewBuiltinCall): Promise<AdmittedBuiltin>
  /**
   * Takes completed calls in order of their numbers. A completion reported twice counts once.
   * @param node the reporting session
   * @returns a new lease of the limits, and of the tools
   */
  end(node: string, calls: readonly EndedCall[], holds?: HeldLimits): Promise<LimitsLease & ToolsLease>
}

/** The limits that a session knows, and the granted calls that it returns. */
export interface HeldLimits {
  /** Version of its lease; null without one. */
  readonly version: number | null
  /** Batches of granted calls that are over since the last request that was answered. */
  readonly over?: readonly OverBatch[]
  /** Empty: a tenant's object with older code, during a deployment, reads it. */
  readonly unused: readonly string[]
}

/** A batch of granted calls of which a session makes no more. */
export interface OverBatch {
  readonly id: string
  /** Number of its calls that were made. */
  readonly made: number
}

/**
 * The tenant's limits as a session knows them, for LIMITS_LEASE_MS: a call that no rule limits begins without asking. The tenant
 * informs every session with a lease when limits are put.
 */
export interface LimitsLease {
  /** Grows with each change of the limits. */
  readonly version: number
  /** Left out when the session has the rules of this version. */
  readonly rules?: readonly LeasedRule[]
  /** Prices of calls that begin under the lease. They come with `rules`. */
  readonly prices?: readonly Price[]
  /** True when every call must ask: the tenant is near its default rate. */
  readonly isBusy: boolean
  /** True when a webhook wants ended calls: they are reported soon, and each by itself. */
  readonly isWatched?: true
}

/**
 * The tenant's tools as a session knows them, for TOOLS_LEASE_MS: a call of a tool that it has in this revision begins without
 * asking, where no rule limits it. The tenant informs every session with a lease when tools change.
 */
export interface ToolsLease {
  /** Revision of the tools. Left out for a session that the tenant could not inform. */
  readonly tools?: number
  /** True when the revision is also that of the secrets: the tenant informs of their changes as of those of tools. */
  readonly secrets?: true
}

export interface CallRequest extends Actor {
  readonly reference: string
  readonly session: string
}

export interface NewCall extends CallRequest {
  readonly callId: string
  /** The {@link AdmittedCall.mark} of the session's copy of the tool, which is not sent again. */
  readonly mark?: string
  /** The session's own tool of that id, made or about to be; counted as {@link OWN_TOOLS}. */
  readonly own?: {
    /** Seconds. */
    readonly timeout: number
    /** With true the call is a `conflict` when the tenant has a tool of that id. */
    readonly isNew: boolean
  }
  /** Further calls of the tool to grant the session, as in {@link NewBuiltinCall}, where its limits are rates, quotas and budgets alone. */
  readonly wants?: { readonly node: string; readonly calls: number; readonly over: readonly OverBatch[] }
}

export interface AdmittedCall {
  /** Null for {@link NewCall.own}, when the tenant has no tool of that id, and when the session's mark is current. */
  readonly tool: RegisteredTool | null
  /** Mark of this version of the tool, valid until a tool of the tenant changes. Left out for a tool that must not be kept. */
  readonly mark?: string
  /** Revision of the tools in which this version is the answer. */
  readonly revision?: number
  /** Whether its end must be reported at once, since another call may wait for it. */
  readonly tight: boolean
  /** Price of the call; null for a tenant without prices. */
  readonly price?: CallPrice | null
  /** Granted calls, as in {@link AdmittedBuiltin}: each begins only under a lease of the tools. */
  readonly batch?: NewBatch
}

/** Calls granted together. All have the id of their batch. */
export interface NewBatch {
  readonly id: string
  readonly calls: number
}

export interface NewBuiltinCall extends Actor {
  readonly callId: string
  readonly session: string
  readonly node: string
  readonly tool: string
  /** Longest time that the call counts as running, even when its end is not reported. */
  readonly lastsMs: number
  /** Number of further calls of the same kind to grant, where the limits leave room; 0 for calls that are not quick. */
  readonly wants?: number
  readonly holds: HeldLimits
}

export interface AdmittedBuiltin {
  readonly failure?: Failure
  /** Further calls of the same tool, key and agent, which may begin within GRANTED_CALLS_MS without asking. */
  readonly batch?: NewBatch
  /** Empty: a session with older code, during a deployment, reads it. */
  readonly granted: readonly string[]
  /** Whether its end must be reported at once, as in {@link AdmittedCall}. */
  readonly tight: boolean
  readonly lease: LimitsLease
}

/** A running call of a session, with what limits count. */
export interface RunningBuiltin extends Actor {
  readonly callId: string
  readonly tool: string
  readonly lastsMs: number
}

/** Name under which calls of session-made tools are counted; no registered tool can have it. */
export const OWN_TOOLS = '@session'

/** Name under which the time of sessions' sandboxes is counted, whatever ran in them; no tool can have it. */
export const SANDBOXES = '@sandbox'

/**
 * Name under which the time of the tenant's waiting spare sandboxes is counted, and of their reporter among the sessions: no tool and no
 * session's node can have it.
 */
export const WARM_POOL = '@warm'

/** Time of a session's sandbox, in milliseconds: that it ran, at work or idle, and that it was paused. */
export interface SandboxTime {
  readonly runningMs: number
  readonly pausedMs: number
}

/** State that a session reports of a task of a person. */
export type HumanTaskReport = 'created' | 'completed' | 'dropped'

export interface EndedCall extends Actor {
  readonly callId: string
  /** Number of the completion in its session, ascending. */
  readonly number: number
  readonly session: string
  readonly tool: string
  /** Id of the session's tool, for {@link OWN_TOOLS}. */
  readonly made?: string
  /** Version of a registered tool. */
  readonly version?: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly ms: number
  /** Reason of the failure: a FailureCode, or `lost` when a crash cut the call off; null for success. */
  readonly failure: string | null
  /** Whether a command of the call ended with another code than 0: the call did not fail, nor go well. */
  readonly isNonzeroExit?: true
  readonly bytesIn: number
  readonly bytesOut: number
  /** Time that the call's commands ran in the sandbox. */
  readonly sandboxMs: number
  /**
   * Cost of the call by the prices at its beginning, in millionths of the currency. Left out where the session does not know them: then
   * the tenant's prices at the report hold.
   */
  readonly cost?: number
  /** A call answered at once, from what the session has: such calls are reported together. */
  readonly isQuick?: boolean
  /** A call never begun, since there is no such tool. */
  readonly isRefused?: boolean
  /**
   * Report of a person's task, in an entry that is no call: `callId` is the task's id, and nothing is counted. A dropped one made
   * room for others.
   */
  readonly humanTask?: HumanTaskReport
  /** The first MAX_LISTED_QUESTION_CHARS characters of a task that was created. */
  readonly words?: string
  /** Time of the session's sandbox since `startedAt`, in an entry that is no call: `key` is that of the last call that used it. */
  readonly sandboxTime?: SandboxTime
  /** The id under which the call was admitted; null when it began by a lease alone. Left out where that is its own id. */
  readonly admittedAs?: string | null
  /**
   * Time and admitted id of each call, where one entry stands for several: its amounts are sums, the rest is the first call's.
   */
  readonly each?: { readonly ms: readonly number[]; readonly admitted: readonly string[] }
}
