import type { Actor } from '../core/actor.ts'
import type { CallOrigin } from '../core/call-origin.ts'
import type { Expiry, Lifetimes, SessionSettings, SessionState } from '../core/session-settings.ts'
import type { BlobLedger } from '../ports/blob-ledger.ts'
import type { LimitSettings } from '../registry/limit-settings.ts'
import type { AuditApi } from './audit-api.ts'
import type { CallsApi, LimitsLease } from './calls-api.ts'
import type { ChildKeysApi } from './child-keys-api.ts'
import type { LedgerApi } from './ledger-api.ts'
import type { MarketApi } from './market-api.ts'
import type { McpServersApi } from './mcp-servers-api.ts'
import type { ToolkitsApi } from './toolkits-api.ts'
import type { ToolsApi } from './tools-api.ts'
import type { UsageApi } from './usage-api.ts'
import type { WebhooksApi } from './webhooks-api.ts'

/**
 * A tenant's object as the rest of the server sees it, in groups of methods. Each group has one class, which `tenant.ts` makes, and
 * a row in the table of rules in `objects.ts`. Methods throw FailureError for what cannot be.
 */
export interface TenantApi {
  readonly sessions: SessionsApi
  /** References of the tenant's sessions to its blobs. */
  readonly blobs: BlobLedger
  readonly secrets: SecretsApi
  readonly humanTaskNames: HumanTaskNamesApi
  /** Questions that wait for a person. */
  readonly questions: OpenQuestionsApi
  readonly tools: ToolsApi
  readonly mcpServers: McpServersApi
  readonly toolkits: ToolkitsApi
  readonly calls: CallsApi
  readonly limits: LimitsApi
  readonly usage: UsageApi
  readonly market: MarketApi
  readonly audit: AuditApi
  readonly childKeys: ChildKeysApi
  /** Requests with an idempotency key. */
  readonly ledger: LedgerApi
  readonly webhooks: WebhooksApi
}

/** Sessions of one tenant. */
export interface SessionsApi {
  /**
   * Notes a session. The session itself repeats the call until it succeeds.
   * @param by whoever made it, for the audit log
   * @returns its first lease of the limits, and the lifetimes that the tenant's defaults give it
   * @throws FailureError `limit_exceeded`
   */
  add(session: NewSession, by?: Actor): Promise<ListingLease>
  /** Changes what the list has of a session. A session with another node id of that name is left alone. */
  change(session: Pick<ListedSession, 'name' | 'nodeId'>, changes: ListChanges): Promise<void>
  /** Removes a session. */
  remove(name: string, why?: SessionRemoval): Promise<void>
  /** Sessions in order of creation. `after` is the `next` of the page before; any other value gives an empty page. */
  list(page: { readonly limit: number; readonly after?: string }): Promise<SessionPage>
  /** Sessions with their states and settings, newest first. */
  browse(query: SessionQuery): Promise<BrowsedSessions>
  /** Finds the end of a session that expired, among the last MAX_EXPIRED_SESSIONS. @returns null when there was none, or there is a new one */
  expired(name: string): Promise<Expiry | null>
  /** Finds a session by node id. @returns its name; null when this tenant has no such node */
  find(nodeId: string): Promise<string | null>
}

export interface ListedSession {
  readonly name: string
  readonly nodeId: string
  readonly title: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** A session that the list does not have. */
export interface NewSession extends ListedSession {
  readonly settings?: SessionSettings
  /** Session whose files it began with, and the commit of those; absent for one that is no fork. */
  readonly origin?: { readonly session: string; readonly commit: number }
  /** Lifetimes that are the tenant's defaults, in place of those in the settings; absent for none. */
  readonly defaulted?: readonly (keyof Lifetimes)[]
  /** True for a session that was set back: what it reports is new again, and what another one of its name refers to is released. */
  readonly isRecovered?: true
}

/** Lease that a listed session gets. */
export interface ListingLease extends LimitsLease {
  /** Absent without any. */
  readonly lifetimes?: Partial<Lifetimes>
}

/** Why a session is removed, for the audit log. */
export interface SessionRemoval {
  /** Set when its lifetime was over, which is remembered for a while. */
  readonly expired?: Expiry
  readonly by?: Actor
}

/** Changes of a session that the list has. */
export interface ListChanges {
  readonly title?: string
  readonly settings?: SessionSettings
  readonly state?: ReportedState
  /** Time of a use by no call, in milliseconds since 1970. */
  readonly usedAt?: number
  /** A request that changed these fields, for the audit log. */
  readonly change?: { readonly by: Actor; readonly fields: readonly string[] }
}

/** State of a session, since a time in milliseconds since 1970. */
export interface ReportedState {
  readonly state: SessionState
  readonly at: number
}

export interface SessionQuery {
  readonly limit: number
  /** Place of the last session of the page before. */
  readonly before?: SessionPlace
  readonly state?: SessionState
  /** Labels that the sessions have, all of them. */
  readonly labels: readonly (readonly [key: string, value: string])[]
}

/** Place of a session in the list. */
export interface SessionPlace {
  readonly createdAt: number
  readonly name: string
}

export interface BrowsedSessions {
  readonly sessions: readonly BrowsedSession[]
  /** Whether more sessions follow. */
  readonly more: boolean
}

/** A session as the list knows it: state and use are some seconds late. */
export interface BrowsedSession extends SessionPlace {
  readonly title: string
  readonly settings: SessionSettings
  readonly state: SessionState
  /** Time of the last change of state; null when there was none. */
  readonly stateAt: number | null
  /** Time of the last report of calls or of another use; of creation where there is none. */
  readonly usedAt: number
}

export interface SessionPage {
  readonly sessions: readonly ListedSession[]
  readonly next?: string
}

/** Secrets of one tenant, for its tools. */
export interface SecretsApi {
  /**
   * Keeps a secret, in place of one with the same name.
   * @throws FailureError `invalid_input`, `limit_exceeded`, `conflict` on a server that keeps none
   */
  put(name: string, value: string, by?: Actor): Promise<SecretInfo>
  /** Secrets in order of their names, without their values. */
  list(): Promise<readonly SecretInfo[]>
  /** Removes a secret. @returns false when there was no such secret */
  remove(name: string, by?: Actor): Promise<boolean>
  /**
   * The value of a secret, for the tool that sends it to its service.
   * @returns null when there is no such secret
   * @throws FailureError `upstream` when it cannot be opened
   */
  open(name: string): Promise<string | null>
}

export interface SecretInfo {
  readonly name: string
  /** Milliseconds since 1970. */
  readonly changedAt: number
}

/** Questions of a tenant's sessions that wait for a person. */
export interface OpenQuestionsApi {
  /** Open questions, newest first. @param page `before` is the place of the last one of the page before */
  list(page: { readonly limit: number; readonly before?: number }): Promise<readonly OpenQuestion[]>
}

/** A question as the tenant knows it. */
export interface OpenQuestion {
  /** Grows with each question. */
  readonly place: number
  readonly session: string
  /** Id of the human task in its session. */
  readonly task: string
  /** The first MAX_LISTED_QUESTION_CHARS characters of its text. */
  readonly words: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** Clients' own names of human tasks. */
export interface HumanTaskNamesApi {
  /**
   * Keeps a name, in place of an equal one of its session. The oldest names are dropped first.
   * @throws FailureError `invalid_input` for an empty or too long name
   */
  put(named: HumanTaskName): Promise<void>
  /** Human tasks of that name in all sessions, newest first. */
  find(kind: HumanTaskName['kind'], name: string): Promise<readonly HumanTaskName[]>
  /** Names of human tasks in one session, oldest first. */
  of(session: string): Promise<readonly HumanTaskName[]>
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

/** Limits of a tenant's calls. */
export interface LimitsApi {
  read(): Promise<LimitSettings>
  /**
   * Replaces the limits; amounts used under the earlier ones stay used. Every session that holds a lease of the old limits
   * knows the new ones when this returns.
   * @param known {@link limitsTag} of the limits that these replace; without it they replace any
   * @returns false, and nothing has changed, where the limits are others than those known
   */
  put(settings: LimitSettings, by: Actor, known?: string): Promise<boolean>
}

/** The caller of a session, made from a key by the code that checked it. */
export interface Caller extends Actor {
  /** Whether the caller may change what belongs to the tenant: its tools and its secrets. */
  readonly mayAdmin?: boolean
  /** Restrictions of a child key; absent for other keys. */
  readonly restrictions?: CallRestrictions
  /** The request that the call came with, for logs and traces; it decides nothing. */
  readonly origin?: CallOrigin
}

/** Restrictions of a child key's calls, as far as a session must know them. */
export interface CallRestrictions {
  /** Tools that the key may call, and that calls of it may call in turn; null for all. */
  readonly tools: readonly string[] | null
  /** Sessions that the key may use, each list on its own; all when there is none. */
  readonly sessions?: readonly { readonly names: readonly string[]; readonly prefixes: readonly string[] }[]
  /** Whether the tenant counts each call of the key: it has a rate or a budget. */
  readonly isMetered: boolean
}
