import type { Actor } from '../core/actor.ts'
import type { Failure } from '../core/failure.ts'
import type { DryRun } from '../registry/chain/dry-run.ts'
import type { ToolDefinition, ToolPolicy } from '../registry/definition.ts'
import type { LimitSettings } from '../registry/limit-settings.ts'
import type { RegisteredTool } from '../registry/registered-tool.ts'
import type { SchemaChange } from '../registry/schema-change.ts'
import type { CallsApi, LimitsLease } from './calls-api.ts'

/** A tenant's own object as the rest of the server sees it: its sessions, who refers to which blob, its secrets, and its tools. */
export interface TenantApi extends CallsApi {
  /** Notes a session. Called by the session itself, again and again until it was told that it worked. */
  addSession(session: {
    readonly name: string
    readonly nodeId: string
    readonly title: string
    readonly createdAt: number
  }): Promise<{ readonly ok: true; readonly lease?: LimitsLease } | { readonly ok: false; readonly message: string }>
  removeSession(name: string): Promise<void>
  /** In order of creation. `after` is the `next` of the page before; after anything else comes nothing. */
  listSessions(page: { readonly limit: number; readonly after?: string }): Promise<SessionPage>
  /** @returns the name of the session with that node id; null when this tenant has none */
  findSession(nodeId: string): Promise<string | null>

  /**
   * Notes that the session `nodeId` refers to these blobs. Waits for the end of a delete of one of them.
   * @returns those that are stored already, so that they need not be sent again
   */
  retainBlobs(nodeId: string, hashes: readonly string[]): Promise<readonly string[]>
  /** These are in the store now. Called after the put that follows {@link retainBlobs}. */
  storedBlobs(hashes: readonly string[]): Promise<void>
  /** The session no longer refers to these; all of its when `hashes` is `all`. Blobs that nobody refers to are deleted. */
  releaseBlobs(nodeId: string, hashes: readonly string[] | 'all'): Promise<void>

  /** Keeps a secret, in the place of one with that name. */
  putSecret(
    name: string,
    value: string,
    by?: Actor,
  ): Promise<{ readonly info: SecretInfo } | { readonly failure: Failure }>
  /** By name. */
  listSecrets(): Promise<readonly SecretInfo[]>
  /** @returns false when there was none */
  removeSecret(name: string, by?: Actor): Promise<boolean>
  /** For a tool that sends it to the service that it is for; nobody else asks. `value` is null when there is none. */
  openSecret(name: string): Promise<{ readonly value: string | null } | { readonly failure: Failure }>

  /** Keeps a client's own name of something that a session asks of people. @returns why not, else nothing */
  nameHumanTask(named: HumanTaskName): Promise<{ readonly failure?: Failure }>
  /** Human tasks of that name, in whichever sessions, the newest first. */
  humanTasksNamed(kind: HumanTaskName['kind'], name: string): Promise<readonly HumanTaskName[]>
  /** The names in one session, oldest first. */
  humanTaskNames(session: string): Promise<readonly HumanTaskName[]>

  /** Makes these changes to the tools, one after the other: all of them or none. With `dryRun` none, and says what would be. */
  changeTools(
    changes: readonly ToolChange[],
    by: Actor,
    how?: { readonly dryRun?: boolean },
  ): Promise<{ readonly changed: readonly ChangedTool[] } | { readonly failure: Failure }>
  /** What a chain would do, saved or not: {@link dryRunChain} over these tools and those that every session has. */
  dryRunChain(asked: ChainDryRun): Promise<DryRun>
  /** In the order in which their ids came first. `after` is the `next` of the page before. */
  listTools(page: { readonly limit: number; readonly after?: number }): Promise<ToolPage>
  /** The tools that changed since a revision that was told before; all since 0. */
  toolsSince(revision: number): Promise<ToolsSince>
  /** @param reference `id`, or `id@version` */
  findTool(reference: string): Promise<{ readonly tool: RegisteredTool } | { readonly failure: Failure }>
  /** Newest first, those before the version `before`. */
  listToolVersions(
    id: string,
    page: { readonly limit: number; readonly before?: number },
  ): Promise<ToolVersionPage | { readonly failure: Failure }>

  readLimits(): Promise<LimitSettings>
  /**
   * Puts limits in the place of those before; what was used up of them stays used up. Every session that holds a lease of
   * the old ones knows it when this returns.
   */
  putLimits(settings: LimitSettings, by: Actor): Promise<void>
  /** What was used. Fails with `limit_exceeded` when that would be made of too many rows. */
  readUsage(query: UsageQuery): Promise<{ readonly report: UsageReport } | { readonly failure: Failure }>

  /** Counts a request to the marketplace, if it may be made now. @returns milliseconds until one may; 0 for now */
  paceMarket(): Promise<number>
  /** Notes in the audit log what was done with the marketplace. */
  noteMarket(note: MarketNote, by: Actor): Promise<void>
  /** Notes in the audit log what was done with a key of the tenant. */
  noteKey(note: KeyNote, by: Actor): Promise<void>
  /** The entries of the audit log that follow number `after`, in their order. */
  readAudit(page: { readonly after: number; readonly limit: number }): Promise<AuditPage>
  /** Its last entry. */
  auditHead(): Promise<AuditHead>
  /** Notes that a request was refused for what its key may not do. @param what method and path, or the tool and what it was to make */
  noteDenied(by: Actor, what: string): Promise<void>
}

/** A client's own name of something that a session asks of people. */
export interface HumanTaskName {
  /** A question of a model, or whether a call may be made. */
  readonly kind: 'question' | 'confirmation'
  readonly name: string
  readonly session: string
  /** The id of the human task there. */
  readonly task: string
}

export interface KeyNote {
  readonly action: 'key.create' | 'key.revoke'
  /** Its public part. */
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
  /** One entry each, as JSON. The first says so when entries after `after` are no longer kept. */
  readonly lines: readonly string[]
  /** The `after` of the next page; null when there is none now. */
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
  /** Hours since 1970; `to` is the first that is no longer meant. A call belongs to the hour in which it began. */
  readonly from: number
  readonly to: number
  readonly groupBy: UsageGroup | null
  readonly where: Readonly<Partial<Record<'tool' | 'agent' | 'key' | 'session', string>>>
  /** Only sessions whose names begin with it; it ends with a slash. */
  readonly below?: string
  /** Of groups. */
  readonly limit: number
}

export interface UsageReport {
  readonly total: Used
  /** Days and hours in their order, by their numbers since 1970; others by their calls, those with most first. */
  readonly groups: readonly Used[]
  readonly more: boolean
}

/** Sums over calls. Times in milliseconds; cost in millionths. */
export interface UsageSums {
  readonly calls: number
  readonly failed: number
  /** Not begun, and not among `calls`: over a limit, or not allowed. */
  readonly refused: number
  readonly ms: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly sandboxMs: number
  readonly cost: number
}

/** Percentiles are within 4.5 %; null without calls. */
export interface Used extends UsageSums {
  /** Null for nobody, `*` for several that were not told apart. */
  readonly name: string | null
  /** How many failed or were refused, and why: by code. */
  readonly reasons: Readonly<Record<string, number>>
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
}

/** Who calls in a session. Made of a key by who checked it. */
export interface Caller extends Actor {
  /** Whether it may change what belongs to the tenant: its tools, and what is done with its secrets. */
  readonly mayAdmin?: boolean
}

export interface ChainDryRun {
  readonly chain: unknown
  /** Under which it would be saved. */
  readonly id: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** What it would be called with; left out when that is not known. */
  readonly input?: Readonly<Record<string, unknown>>
}

export type ToolChange =
  /**
   * A new tool, or a new version of one, if it differs. It becomes the stable one, unless it is `staged`.
   * `policy`: as it is without one. `expected`: the newest version that must be there, 0 for none; else it is a `conflict`.
   * `source`: where it comes from, for `delete_others`.
   */
  | {
      readonly op: 'put'
      readonly definition: ToolDefinition
      readonly policy?: Partial<ToolPolicy>
      readonly source?: string | null
      readonly expected?: number
      readonly staged?: boolean
    }
  /** What is left out stays. */
  | { readonly op: 'policy'; readonly id: string; readonly policy: Partial<ToolPolicy> }
  /** Which version those get who name none. */
  | { readonly op: 'stable'; readonly id: string; readonly version: number }
  /** With all its versions. Registered again, its numbers go on. */
  | { readonly op: 'delete'; readonly id: string }
  /** All that were put last with this source, but for these ids. */
  | { readonly op: 'delete_others'; readonly source: string; readonly keep: readonly string[] }

export interface ChangedTool {
  readonly id: string
  readonly op: 'put' | 'policy' | 'stable' | 'delete'
  /** The version that was made, or that it is about; null for a tool that was deleted. */
  readonly version: number | null
  /** `unchanged`: it was just so before. */
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'deleted'
  /** Whether it may be too different for callers of the version before, or of the one that was stable. */
  readonly breaking: boolean
  /** A version was made, and another one stays stable. */
  readonly staged?: boolean
  /** As it is now, when it changed. */
  readonly policy?: ToolPolicy
  /** Chains that call it and may fail from now on, some of them where there are many. */
  readonly usedBy?: readonly string[]
}

export interface ToolPage {
  /** Each in its stable version, disabled ones too. Fewer than asked for when they are long: `next` says whether it goes on. */
  readonly tools: readonly RegisteredTool[]
  readonly total: number
  readonly next?: number
}

/** A tool in its stable version, as far as lists and searches show it. */
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
  /** What to ask with next time. */
  readonly revision: number
  /** What was known before is to be forgotten. */
  readonly anew: boolean
  readonly tools: readonly ShownTool[]
  /** Ids of those that were deleted. */
  readonly gone: readonly string[]
  /** Ask again at once. */
  readonly more: boolean
}

export interface ToolVersionPage {
  readonly versions: readonly ToolVersion[]
  /** Give it as `before` to read on; absent at the end. */
  readonly next?: number
}

export interface ToolVersion {
  readonly version: number
  readonly stable: boolean
  /** Milliseconds since 1970. */
  readonly madeAt: number
  readonly madeBy: Actor
  /** Against the version that was the newest before it. */
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
