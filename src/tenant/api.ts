import type { Actor } from '../core/actor.ts'
import type { BlobLedger } from '../ports/blob-ledger.ts'
import type { LimitSettings } from '../registry/limit-settings.ts'
import type { AuditApi } from './audit-api.ts'
import type { CallsApi, LimitsLease } from './calls-api.ts'
import type { LedgerApi } from './ledger-api.ts'
import type { MarketApi } from './market-api.ts'
import type { ToolsApi } from './tools-api.ts'
import type { UsageApi } from './usage-api.ts'

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
  readonly tools: ToolsApi
  readonly calls: CallsApi
  readonly limits: LimitsApi
  readonly usage: UsageApi
  readonly market: MarketApi
  readonly audit: AuditApi
  /** Requests with an idempotency key. */
  readonly ledger: LedgerApi
}

/** Sessions of one tenant. */
export interface SessionsApi {
  /**
   * Notes a session. The session itself repeats the call until it succeeds.
   * @returns its first lease of the limits
   * @throws FailureError `limit_exceeded`
   */
  add(session: ListedSession): Promise<LimitsLease>
  remove(name: string): Promise<void>
  /** Sessions in order of creation. `after` is the `next` of the page before; any other value gives an empty page. */
  list(page: { readonly limit: number; readonly after?: string }): Promise<SessionPage>
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
   */
  put(settings: LimitSettings, by: Actor): Promise<void>
}

/** The caller of a session, made from a key by the code that checked it. */
export interface Caller extends Actor {
  /** Whether the caller may change what belongs to the tenant: its tools and its secrets. */
  readonly mayAdmin?: boolean
}
