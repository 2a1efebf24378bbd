import type { Actor } from '../core/actor.ts'
import type { Failure } from '../core/failure.ts'
import type { LeasedRule } from '../registry/limit-settings.ts'
import type { RegisteredTool } from '../registry/registered-tool.ts'

/** A tenant's object as its sessions see it when they call tools: who may begin a call, and how calls ended. */
export interface CallsApi {
  /** Whether that call of a registered tool might begin, its limits apart. A refusal is noted; nothing is counted. */
  permitCall(call: AskedCall): Promise<{ readonly ok: true } | { readonly failure: Failure }>
  /**
   * Begins a call of a registered tool, if it may be made. It counts until {@link endCalls} was told of its end, or for as
   * long as it could last.
   */
  beginCall(call: NewCall): Promise<AdmittedCall | { readonly failure: Failure }>
  /**
   * Begins a call of a tool that every session has, if it is not too much. For calls that some rule limits; others begin
   * by the session's {@link LimitsLease} alone.
   */
  admitCall(call: NewBuiltinCall): Promise<AdmittedBuiltin>
  /**
   * Takes ended calls, in the order of their numbers. Telling one twice changes nothing.
   * @param node the session that tells
   * @returns the lease of the limits, anew
   */
  endCalls(node: string, calls: readonly EndedCall[], holds?: HeldLimits): Promise<LimitsLease>
}

/** Which limits a session knows, and what it was granted of them and gives back. */
export interface HeldLimits {
  /** The version of its lease; null without one. */
  readonly version: number | null
  /** Ids of granted calls that were not made in time. */
  readonly unused: readonly string[]
}

/**
 * What a session knows of its tenant's limits, for LIMITS_LEASE_MS: a call that no rule limits begins without asking. When
 * limits are put the tenant tells each session that holds a lease.
 */
export interface LimitsLease {
  /** Grows with each change of the limits. */
  readonly version: number
  /** Left out when the session has those of this version. */
  readonly rules?: readonly LeasedRule[]
  /** Every call asks: the tenant is near the rate that holds without a rule. */
  readonly isBusy: boolean
}

export interface AskedCall extends Actor {
  readonly reference: string
  readonly session: string
}

export interface NewCall extends AskedCall {
  readonly callId: string
  /** The {@link AdmittedCall.mark} of the tool that the session has by this reference: the same one is not sent again. */
  readonly mark?: string
  /** The session has a tool of that id, or is about to; it is counted as {@link OWN_TOOLS}. */
  readonly own?: {
    /** Seconds. */
    readonly timeout: number
    /** It is a `conflict` when the tenant has a tool of that id. */
    readonly isNew: boolean
  }
}

export interface AdmittedCall {
  /** Null for {@link NewCall.own}, when the tenant has no tool of that id, and where the session has it: it sent this mark. */
  readonly tool: RegisteredTool | null
  /** Stands for this version of the tool, as long as no tool of the tenant changes. Left out for one that is not to be kept. */
  readonly mark?: string
  /** Whether its end should be told at once: another call may have to wait for it. */
  readonly tight: boolean
}

export interface NewBuiltinCall extends Actor {
  readonly callId: string
  readonly session: string
  readonly node: string
  readonly tool: string
  /** The call counts as one that runs for this long at most, whoever tells of its end. */
  readonly lastsMs: number
  /** True to be granted some more calls like it, where much is left: for calls that are done at once. */
  readonly wantsMore: boolean
  readonly holds: HeldLimits
}

export interface AdmittedBuiltin {
  readonly failure?: Failure
  /** Ids under which so many calls of the same tool, key and agent may begin within GRANTED_CALLS_MS, without asking. */
  readonly granted: readonly string[]
  /** As of {@link AdmittedCall}. */
  readonly tight: boolean
  readonly lease: LimitsLease
}

/** A call that runs in a session, as far as limits count it. */
export interface RunningBuiltin extends Actor {
  readonly callId: string
  readonly tool: string
  readonly lastsMs: number
}

/** The name under which calls of tools that sessions made are counted; no registered one can have it. */
export const OWN_TOOLS = '@session'

export interface EndedCall extends Actor {
  readonly callId: string
  /** Of the ends of its session: each has a greater one than those before it. */
  readonly number: number
  readonly session: string
  readonly tool: string
  /** For {@link OWN_TOOLS}: which of the session's. */
  readonly made?: string
  /** Of a registered tool. */
  readonly version?: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly ms: number
  /** Why it failed: a FailureCode, or `lost` for one whose end a crash swallowed; null when it worked. */
  readonly failure: string | null
  readonly bytesIn: number
  readonly bytesOut: number
  /** Time that its commands ran in the sandbox. */
  readonly sandboxMs: number
  /** It was done at once, with what the session has: such calls are told together. */
  readonly isQuick?: boolean
  /** It was never begun: there is no such tool. */
  readonly isRefused?: boolean
  /** The id under which it was admitted; null when it began by the lease alone. Left out by registered tools: their own. */
  readonly admittedAs?: string | null
  /** Several calls told as one: amounts are sums, the rest is of the first. Milliseconds and admitted ids of each. */
  readonly each?: { readonly ms: readonly number[]; readonly admitted: readonly string[] }
}
