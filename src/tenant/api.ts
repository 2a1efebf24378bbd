import type { Actor } from '../core/actor.ts'
import type { Failure } from '../core/failure.ts'
import type { DryRun } from '../registry/chain/dry-run.ts'
import type { ToolDefinition, ToolPolicy } from '../registry/definition.ts'
import type { LimitSettings } from '../registry/limit-settings.ts'
import type { RegisteredTool } from '../registry/registered-tool.ts'
import type { SchemaChange } from '../registry/schema-change.ts'
import type { CallsApi, LimitsLease } from './calls-api.ts'

/** A tenant's object as the rest of the server sees it: its sessions, references to blobs, secrets and tools. */
export interface TenantApi extends CallsApi {
  /** Notes a session. The session itself repeats the call until it succeeds. */
  addSession(session: {
    readonly name: string
    readonly nodeId: string
    readonly title: string
    readonly createdAt: number
  }): Promise<{ readonly ok: true; readonly lease?: LimitsLease } | { readonly ok: false; readonly message: string }>
  removeSession(name: string): Promise<void>
  /** Sessions in order of creation. `after` is the `next` of the page before; any other value gives an empty page. */
  listSessions(page: { readonly limit: number; readonly after?: string }): Promise<SessionPage>
  /** @returns the name of the session with that node id; null when this tenant has none */
  findSession(nodeId: string): Promise<string | null>

  /**
   * Notes that the session `nodeId` refers to these blobs. Waits for the end of a delete of one of them.
   * @returns hashes of blobs that are stored already, so that they need not be sent again
   */
  retainBlobs(nodeId: string, hashes: readonly string[]): Promise<readonly string[]>
  /** Notes that these blobs are in the store. Called after the put that follows {@link retainBlobs}. */
  storedBlobs(hashes: readonly string[]): Promise<void>
  /** Removes the session's references to these blobs, or to all of its blobs. Blobs without a reference are deleted. */
  releaseBlobs(nodeId: string, hashes: readonly string[] | 'all'): Promise<void>

  /** Keeps a secret, in place of one with the same name. */
  putSecret(
    name: string,
    value: string,
    by?: Actor,
  ): Promise<{ readonly info: SecretInfo } | { readonly failure: Failure }>
  /** Secrets in order of their names, without their values. */
  listSecrets(): Promise<readonly SecretInfo[]>
  /** @returns false when there was no such secret */
  removeSecret(name: string, by?: Actor): Promise<boolean>
  /** The value of a secret, for the tool that sends it to its service. `value` is null when there is no such secret. */
  openSecret(name: string): Promise<{ readonly value: string | null } | { readonly failure: Failure }>

  /** Keeps a client's own name of a human task. @returns the reason of a refusal, else nothing */
  nameHumanTask(named: HumanTaskName): Promise<{ readonly failure?: Failure }>
  /** Human tasks of that name in all sessions, newest first. */
  humanTasksNamed(kind: HumanTaskName['kind'], name: string): Promise<readonly HumanTaskName[]>
  /** Names of human tasks in one session, oldest first. */
  humanTaskNames(session: string): Promise<readonly HumanTaskName[]>

  /** Makes these changes to the tools in order: all of them or none. With `dryRun` makes none, and returns what they would do. */
  changeTools(
    changes: readonly ToolChange[],
    by: Actor,
    how?: { readonly dryRun?: boolean },
  ): Promise<{ readonly changed: readonly ChangedTool[] } | { readonly failure: Failure }>
  /** Dry run of a chain, saved or not: {@link dryRunChain} over these tools and those that every session has. */
  dryRunChain(request: ChainDryRun): Promise<DryRun>
  /** Tools in the order in which their ids were first registered. `after` is the `next` of the page before. */
  listTools(page: { readonly limit: number; readonly after?: number }): Promise<ToolPage>
  /** Tools changed since an earlier revision; all tools since revision 0. */
  toolsSince(revision: number): Promise<ToolsSince>
  /** @param reference `id`, or `id@version` */
  findTool(reference: string): Promise<{ readonly tool: RegisteredTool } | { readonly failure: Failure }>
  /** Versions of a tool, newest first, starting below the version `before`. */
  listToolVersions(
    id: string,
    page: { readonly limit: number; readonly before?: number },
  ): Promise<ToolVersionPage | { readonly failure: Failure }>

  readLimits(): Promise<LimitSettings>
  /**
   * Replaces the limits; what was used up of the earlier ones stays used up. Every session that holds a lease of the old limits
   * knows the new ones when this returns.
   */
  putLimits(settings: LimitSettings, by: Actor): Promise<void>
  /** Usage by group. Fails with `limit_exceeded` when the report would read too many rows. */
  readUsage(query: UsageQuery): Promise<{ readonly report: UsageReport } | { readonly failure: Failure }>

  /** Counts a request to the marketplace, when one is allowed now. @returns milliseconds until one is; 0 for now */
  paceMarket(): Promise<number>
  /** Writes an action on the marketplace to the audit log. */
  noteMarket(note: MarketNote, by: Actor): Promise<void>
  /** Writes an action on one of the tenant's keys to the audit log. */
  noteKey(note: KeyNote, by: Actor): Promise<void>
  /** Audit log entries that follow number `after`, in order. */
  readAudit(page: { readonly after: number; readonly limit: number }): Promise<AuditPage>
  /** The last entry of the audit log. */
  auditHead(): Promise<AuditHead>
  /**
   * Writes to the audit log a request that its key does not allow. @param what method and path, or the tool and what it was to
   * make
   */
  noteDenied(by: Actor, what: string): Promise<void>
}

/** A client's own name of a human task in a session. */
export interface HumanTaskName {
  /** A model's question, or the confirmation of a call. */
  readonly kind: 'question' | 'confirmation'
  readonly name: string
  readonly session: string
  /** The id of the human task in its session. */
  readonly task: string
}

export interface KeyNote {
  readonly action: 'key.create' | 'key.revoke'
  /** The public part of the key. */
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
}

export interface MarketNote {
  readonly action: 'tool.publish' | 'tool.unpublish' | 'tool.install' | 'tool.upgrade'
  /** `publisher/tool`. */
  readonly package: string
  readonly versions: readonly number[]
  /** The id of the tenant's own tool. */
  readonly id?: string
}

export interface AuditPage {
  /** Entries as JSON, one each. The first one says so when entries after `after` are no longer kept. */
  readonly lines: readonly string[]
  /** The `after` of the next page; null when there is no next page yet. */
  readonly next: number | null
}

export interface AuditHead {
  /** 0 for an empty log. */
  readonly seq: number
  /** SHA-256 as 64 hex digits. */
  readonly hash: string
}

export type UsageGroup = 'tool' | 'agent' | 'key' | 'session' | 'day' | 'hour'

export interface UsageQuery {
  /** Hours since 1970; `to` is exclusive. A call belongs to the hour in which it began. */
  readonly from: number
  readonly to: number
  readonly groupBy: UsageGroup | null
  readonly where: Readonly<Partial<Record<'tool' | 'agent' | 'key' | 'session', string>>>
  /** Only sessions whose names begin with this prefix, which ends with a slash. */
  readonly below?: string
  /** Largest number of groups. */
  readonly limit: number
}

export interface UsageReport {
  readonly total: Used
  /** Days and hours in their order, named by their numbers since 1970; other groups by number of calls, most first. */
  readonly groups: readonly Used[]
  readonly more: boolean
}

/** Sums over calls. Times in milliseconds, cost in millionths. */
export interface UsageSums {
  readonly calls: number
  readonly failed: number
  /** Calls refused before they began, by a limit or a permission; not among `calls`. */
  readonly refused: number
  readonly ms: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly sandboxMs: number
  readonly cost: number
}

/** Usage of one group. Percentiles are within 4.5 %, null without calls. */
export interface Used extends UsageSums {
  /** Name of the group: null for nobody, `*` for several that were counted together. */
  readonly name: string | null
  /** Failed and refused calls by code. */
  readonly reasons: Readonly<Record<string, number>>
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
}

/** The caller of a session, made from a key by the code that checked it. */
export interface Caller extends Actor {
  /** Whether the caller may change what belongs to the tenant: its tools and its secrets. */
  readonly mayAdmin?: boolean
}

export interface ChainDryRun {
  readonly chain: unknown
  /** The id under which the chain would be saved. */
  readonly id: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** Input of the chain; left out when it is not known. */
  readonly input?: Readonly<Record<string, unknown>>
}

export type ToolChange =
  /**
   * Puts a new tool, or a new version where the definition differs. The version becomes the stable one, unless it is `staged`.
   * `policy`: left out, it stays as it is. `expected`: the newest version that must be there, 0 for none; else the change is a
   * `conflict`.
   * `source`: where the tool comes from, for `delete_others`.
   */
  | {
      readonly op: 'put'
      readonly definition: ToolDefinition
      readonly policy?: Partial<ToolPolicy>
      readonly source?: string | null
      readonly expected?: number
      readonly staged?: boolean
    }
  /** Changes the policy. Fields left out stay. */
  | { readonly op: 'policy'; readonly id: string; readonly policy: Partial<ToolPolicy> }
  /** Sets the version that a reference without a version means. */
  | { readonly op: 'stable'; readonly id: string; readonly version: number }
  /** Deletes a tool with all its versions. A tool registered again under the id continues their numbers. */
  | { readonly op: 'delete'; readonly id: string }
  /** Deletes all tools last put with this source, except these ids. */
  | { readonly op: 'delete_others'; readonly source: string; readonly keep: readonly string[] }

export interface ChangedTool {
  readonly id: string
  readonly op: 'put' | 'policy' | 'stable' | 'delete'
  /** The version that was made or changed; null for a deleted tool. */
  readonly version: number | null
  /** `unchanged`: the tool was the same before. */
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'deleted'
  /** Whether the version may break callers of the version before it, or of the one that was stable. */
  readonly breaking: boolean
  /** True when a version was made and another one stays stable. */
  readonly staged?: boolean
  /** The current policy, when it changed. */
  readonly policy?: ToolPolicy
  /** Chains that call the tool and may fail from now on; only some where there are many. */
  readonly usedBy?: readonly string[]
}

export interface ToolPage {
  /**
   * Tools in their stable versions, disabled ones too. Long tools make the page shorter than its limit: `next` says whether more
   * follow.
   */
  readonly tools: readonly RegisteredTool[]
  readonly total: number
  readonly next?: number
}

/** A tool in its stable version, with the fields that lists and searches show. */
export interface ShownTool {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly toolkit: string | null
  readonly hidden: boolean
  readonly source: string | null
  readonly policy: ToolPolicy
}

export interface ToolsSince {
  /** The revision for the next request. */
  readonly revision: number
  /** True when the copy of the list must be dropped and built anew. */
  readonly anew: boolean
  readonly tools: readonly ShownTool[]
  /** Ids of deleted tools. */
  readonly gone: readonly string[]
  /** True when more changes follow: ask again at once. */
  readonly more: boolean
}

export interface ToolVersionPage {
  readonly versions: readonly ToolVersion[]
  /** The `before` of the next page; absent on the last one. */
  readonly next?: number
}

export interface ToolVersion {
  readonly version: number
  readonly stable: boolean
  /** Milliseconds since 1970. */
  readonly madeAt: number
  readonly madeBy: Actor
  /** Whether the version may break callers of the newest version before it. */
  readonly breaking: boolean
  readonly changes: readonly SchemaChange[]
}

export interface SecretInfo {
  readonly name: string
  /** Milliseconds since 1970. */
  readonly changedAt: number
}

export interface SessionPage {
  readonly sessions: readonly {
    readonly name: string
    readonly nodeId: string
    readonly title: string
    readonly createdAt: number
  }[]
  readonly next?: string
}
