import type { TenantId } from '../core/ids.ts'
import type { Served } from '../core/served.ts'
import type { SegmentStore } from '../ports/audit-segments.ts'
import type { Clock } from '../ports/clock.ts'
import type { Http } from '../ports/http.ts'
import type { Semantics } from '../ports/semantics.ts'
import type { Sql } from '../ports/sql.ts'
import type { TenantApi } from './api.ts'
import { AuditGroup } from './audit-group.ts'
import { AuditLog } from './audit-log.ts'
import { AuditPages } from './audit-segments/audit-pages.ts'
import { AuditSealer } from './audit-segments/audit-sealer.ts'
import { SegmentTable } from './audit-segments/segment-table.ts'
import { type BlobDeleter, BlobReferences } from './blob-references.ts'
import type { RunningBuiltin } from './calls-api.ts'
import { CallsGroup } from './calls-group.ts'
import type { BuiltinTool } from './chain-check.ts'
import { ChildKeys } from './child-keys.ts'
import { ChildKeysGroup } from './child-keys-group.ts'
import { HumanTaskNames } from './human-task-names.ts'
import { LimitsGroup } from './limits-group.ts'
import { MarketGroup } from './market-group.ts'
import { McpServersGroup } from './mcp-servers/mcp-servers-group.ts'
import { OpenQuestions } from './open-questions.ts'
import { RequestLedger } from './request-ledger.ts'
import { SealedRecords } from './sealed-records.ts'
import type { SecretBox } from './secret-box.ts'
import { SecretList } from './secret-list.ts'
import { SessionDefaults } from './session-defaults.ts'
import { SessionList } from './session-list.ts'
import { ToolCalls } from './tool-calls.ts'
import { ToolEmbeddings } from './tool-embeddings.ts'
import { ToolList } from './tool-list.ts'
import { ToolRevisions } from './tool-revisions.ts'
import { ToolkitList } from './toolkit-list.ts'
import { ToolsGroup } from './tools-group.ts'
import { Upkeep } from './upkeep.ts'
import { WebhookDeliverer } from './webhooks/deliverer.ts'
import { WebhookEvents } from './webhooks/events.ts'
import { WebhookOutbox } from './webhooks/outbox.ts'
import { WebhookList } from './webhooks/webhook-list.ts'
import { WebhooksGroup } from './webhooks/webhooks-group.ts'

export interface TenantParts {
  readonly sql: Sql
  readonly tenant: TenantId
  readonly deleter: BlobDeleter
  readonly segments: SegmentStore
  /** Time that a content without a reference is kept, in milliseconds; a day if not given. */
  readonly blobGraceMs?: number
  /** Size of the database, without its free pages. */
  readonly databaseBytes: () => number
  /** Null on a server without a key to encrypt secrets: such a server keeps none. */
  readonly box: SecretBox | null
  readonly clock: Clock
  readonly builtin: BuiltinTool
  /** Embeddings of texts; null on a server without a provider. */
  readonly semantics: Semantics | null
  /** Informs a session of a new version of the limits. @returns the running calls that the tenant has not counted */
  readonly limitsChanged: (session: string, version: number) => Promise<readonly RunningBuiltin[]>
  /** Informs a session of a new revision of the tools. */
  readonly toolsChanged: (session: string, revision: number) => Promise<void>
  /** Guarded HTTP, for the receivers of webhooks. */
  readonly http: Pick<Http, 'open'>
  /** Checks the address of such a receiver. @throws FailureError `invalid_input`, `forbidden` */
  readonly checkReceiver: (url: string) => Promise<void>
  /** Has work go on that nobody waits for. */
  readonly keepAlive: (work: Promise<void>) => void
  readonly logError: (thrown: unknown) => void
  /** Schedules {@link Tenant.wake} for then, unless an earlier time is scheduled. */
  readonly wakeAt: (time: number) => Promise<void>
}

/**
 * Logic of a tenant's object, free of Workers types: makes the class of each group, and does the work that is due later. The tables
 * of {@link TenantParts.sql} must be up to date.
 */
export class Tenant implements Served<TenantApi> {
  readonly sessions: SessionList
  readonly blobs: BlobReferences
  readonly secrets: SecretList
  readonly humanTaskNames: HumanTaskNames
  readonly questions: OpenQuestions
  readonly tools: ToolsGroup
  readonly mcpServers: McpServersGroup
  readonly toolkits: ToolkitList
  readonly calls: CallsGroup
  readonly limits: LimitsGroup
  readonly usage: Served<TenantApi>['usage']
  readonly market: MarketGroup
  readonly audit: AuditGroup
  readonly childKeys: ChildKeysGroup
  readonly ledger: RequestLedger
  readonly webhooks: WebhooksGroup
  /** Lifetimes of new sessions, for the owner of the server. */
  readonly sessionDefaults: SessionDefaults
  /** Encrypted records, for the owner of the server. */
  readonly sealed: SealedRecords
  readonly #upkeep: Upkeep
  readonly #sealer: AuditSealer
  readonly #embeddings: ToolEmbeddings | null

  constructor(parts: TenantParts) {
    const { sql, clock, wakeAt } = parts
    const segments = { table: new SegmentTable(sql), store: parts.segments }
    const log = new AuditLog(sql, clock, segments.table)
    const sealer = new AuditSealer({ ...parts, log, ...segments })
    const list = new ToolList(sql)
    const revisions = new ToolRevisions(sql)
    const children = new ChildKeys({ sql, clock, audit: log })
    const webhooks = { list: new WebhookList(sql), outbox: new WebhookOutbox(parts) }
    const deliverer = new WebhookDeliverer({
      ...parts,
      ...webhooks,
      audit: log,
      secretsOf: (webhook) => this.webhooks.secretsOf(webhook),
      plan: () => upkeep.plan(),
    })
    const events = new WebhookEvents({ ...parts, ...webhooks, deliverer })
    const questions = new OpenQuestions(sql)
    const calls = new ToolCalls({ sql, clock, tools: list, revisions, audit: log, children, events, questions })
    const upkeep: Upkeep = new Upkeep({ sql, calls, webhooks: deliverer, sealer, wakeAt })
    const { semantics } = parts
    const embeddings = semantics && new ToolEmbeddings({ ...parts, revisions, semantics })
    const humanTaskNames = new HumanTaskNames(sql)
    this.#upkeep = upkeep
    this.#sealer = sealer
    this.#embeddings = embeddings
    this.childKeys = new ChildKeysGroup({ children, upkeep })
    this.humanTaskNames = humanTaskNames
    this.questions = questions
    this.sessionDefaults = new SessionDefaults({ sql, audit: log, upkeep })
    this.blobs = new BlobReferences(parts)
    this.sessions = new SessionList({
      ...{ sql, humanTaskNames, questions, calls, audit: log, defaults: this.sessionDefaults },
      releaseContents: (node) => parts.keepAlive(this.blobs.release(node, 'all').catch(parts.logError)),
    })
    this.secrets = new SecretList({ ...parts, calls, revisions, audit: log, upkeep })
    this.tools = new ToolsGroup({ ...parts, list, revisions, embeddings, calls, audit: log, upkeep })
    this.mcpServers = new McpServersGroup({ ...parts, list, tools: this.tools, audit: log, upkeep })
    this.toolkits = new ToolkitList({ sql, audit: log, upkeep })
    this.calls = new CallsGroup({ calls, sessions: this.sessions, upkeep })
    this.limits = new LimitsGroup({ ...parts, calls, upkeep })
    this.usage = { read: (query) => calls.usage(query), rows: (query) => calls.usageRows(query) }
    this.market = new MarketGroup({ clock, audit: log, upkeep })
    this.audit = new AuditGroup({ log, pages: new AuditPages({ log, ...segments }), clock, calls, upkeep })
    this.ledger = new RequestLedger(parts)
    this.webhooks = new WebhooksGroup({ ...parts, ...webhooks, deliverer, audit: log, upkeep })
    this.sealed = new SealedRecords({ ...parts, webhooks: webhooks.list, audit: log, upkeep })
  }

  /** Does the work that is due, a batch at a time. */
  async wake(): Promise<void> {
    this.#upkeep.run()
    this.ledger.sweep()
    // Before what fails while the store is out of reach: sealing then waits by itself.
    await this.#sealer.work()
    await this.blobs.sweep()
    await this.#embeddings?.work()
    await this.blobs.plan()
    await this.#embeddings?.plan()
    await this.#upkeep.plan()
  }
}
