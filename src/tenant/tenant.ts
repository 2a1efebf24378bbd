import type { Actor } from '../core/actor.ts'
import { toFailure } from '../core/failure.ts'
import type { TenantId } from '../core/ids.ts'
import { MAX_MARKET_REQUESTS_PER_MINUTE } from '../core/limits/marketplace.ts'
import { LIMITS_NOTIFIED_AT_ONCE } from '../core/limits/usage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Semantics } from '../ports/semantics.ts'
import type { Sql } from '../ports/sql.ts'
import { type DryRun, dryRunChain } from '../registry/chain/dry-run.ts'
import type { LimitSettings } from '../registry/limit-settings.ts'
import type {
  AuditHead,
  AuditPage,
  ChainDryRun,
  ChangedTool,
  HumanTaskName,
  SecretInfo,
  SessionPage,
  TenantApi,
  ToolPage,
  ToolsSince,
} from './api.ts'
import { AuditLog } from './audit-log.ts'
import { changeNotes } from './audit-notes.ts'
import { type BlobDeleter, BlobLedger } from './blob-ledger.ts'
import type { RunningBuiltin } from './calls-api.ts'
import { type BuiltinTool, checkChains, resolverOf } from './chain-check.ts'
import { HumanTaskNames } from './human-task-names.ts'
import { Pace } from './pace.ts'
import type { SecretBox } from './secret-box.ts'
import { SecretList } from './secret-list.ts'
import { SessionList } from './session-list.ts'
import { ToolCalls } from './tool-calls.ts'
import { ToolChanges } from './tool-changes.ts'
import { ToolEmbeddings } from './tool-embeddings.ts'
import { ToolList } from './tool-list.ts'
import { ToolRevisions } from './tool-revisions.ts'

export interface TenantParts {
  readonly sql: Sql
  readonly tenant: TenantId
  readonly deleter: BlobDeleter
  /** Null on a server without a key to encrypt secrets: such a server keeps none. */
  readonly box: SecretBox | null
  readonly clock: Clock
  readonly builtin: BuiltinTool
  /** Embeddings of texts; null on a server without a provider. */
  readonly semantics: Semantics | null
  /** Informs a session of a new version of the limits. @returns the running calls that the tenant has not counted */
  readonly limitsChanged: (session: string, version: number) => Promise<readonly RunningBuiltin[]>
  readonly logError: (thrown: unknown) => void
  /** Schedules {@link Tenant.wake} for then, unless an earlier time is scheduled. */
  readonly wakeAt: (time: number) => Promise<void>
}

/** Logic of a tenant's object, free of Workers types. The tables of {@link TenantParts.sql} must be up to date. */
export class Tenant implements TenantApi {
  readonly #sessions: SessionList
  readonly #blobs: BlobLedger
  readonly #secrets: SecretList
  readonly #humanTaskNames: HumanTaskNames
  readonly #sql: Sql
  readonly #tools: ToolList
  readonly #toolChanges: ToolChanges
  readonly #revisions: ToolRevisions
  readonly #embeddings: ToolEmbeddings | null
  readonly #calls: ToolCalls
  readonly #builtin: BuiltinTool
  readonly #audit: AuditLog
  readonly #clock: Clock
  readonly #marketPace = new Pace(MAX_MARKET_REQUESTS_PER_MINUTE)
  #upkeepAt: number | null = null
  readonly #wakeAt: (time: number) => Promise<void>
  readonly #limitsChanged: TenantParts['limitsChanged']
  readonly #logError: TenantParts['logError']

  constructor(parts: TenantParts) {
    const { sql, tenant, deleter, box, clock, builtin, semantics, logError, wakeAt } = parts
    this.#limitsChanged = parts.limitsChanged
    this.#logError = logError
    this.#sessions = new SessionList(sql)
    this.#blobs = new BlobLedger(sql, deleter, clock)
    this.#humanTaskNames = new HumanTaskNames(sql)
    this.#secrets = new SecretList({ sql, box, clock, tenant })
    this.#sql = sql
    this.#clock = clock
    this.#audit = new AuditLog(sql, clock)
    this.#tools = new ToolList(sql)
    this.#toolChanges = new ToolChanges({ sql, clock, tools: this.#tools })
    const revisions = new ToolRevisions(sql)
    this.#revisions = revisions
    this.#embeddings = semantics && new ToolEmbeddings({ sql, tenant, revisions, semantics, clock, logError })
    this.#calls = new ToolCalls({ sql, clock, tools: this.#tools, audit: this.#audit })
    this.#builtin = builtin
    this.#wakeAt = wakeAt
  }

  async addSession(session: Parameters<TenantApi['addSession']>[0]): ReturnType<TenantApi['addSession']> {
    const added = this.#sessions.add(session)
    return added.ok ? { ok: true, lease: this.#calls.lease(session.nodeId, null) } : added
  }

  async removeSession(name: string): Promise<void> {
    this.#humanTaskNames.forget(name)
    const node = this.#sessions.remove(name)
    if (node !== null) this.#calls.forget(node)
  }

  async nameHumanTask(named: HumanTaskName) {
    try {
      this.#humanTaskNames.put(named)
      return {}
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
  }

  async humanTasksNamed(kind: HumanTaskName['kind'], name: string) {
    return this.#humanTaskNames.find(kind, name)
  }

  async humanTaskNames(session: string) {
    return this.#humanTaskNames.of(session)
  }

  async listSessions(page: { readonly limit: number; readonly after?: string }): Promise<SessionPage> {
    return this.#sessions.page(page)
  }

  async findSession(nodeId: string): Promise<string | null> {
    return this.#sessions.find(nodeId)
  }

  async retainBlobs(nodeId: string, hashes: readonly string[]): Promise<readonly string[]> {
    return this.#blobs.retain(nodeId, hashes)
  }

  async storedBlobs(hashes: readonly string[]): Promise<void> {
    this.#blobs.stored(hashes)
    await this.#plan()
  }

  async releaseBlobs(nodeId: string, hashes: readonly string[] | 'all'): Promise<void> {
    if (hashes === 'all') this.#blobs.releaseAll(nodeId)
    else this.#blobs.release(nodeId, hashes)
    await this.#plan()
  }

  async putSecret(name: string, value: string, by: Actor = NOBODY): ReturnType<TenantApi['putSecret']> {
    try {
      const info = await this.#secrets.put(name, value)
      this.#audit.append([{ action: 'secret.put', by, subject: name, decision: 'done' }])
      await this.#planUpkeep()
      return { info }
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
  }

  async listSecrets(): Promise<readonly SecretInfo[]> {
    return this.#secrets.list()
  }

  async removeSecret(name: string, by: Actor = NOBODY): Promise<boolean> {
    const removed = this.#secrets.remove(name)
    if (removed) this.#audit.append([{ action: 'secret.remove', by, subject: name, decision: 'done' }])
    await this.#planUpkeep()
    return removed
  }

  async openSecret(name: string): ReturnType<TenantApi['openSecret']> {
    try {
      return { value: await this.#secrets.value(name) }
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
  }

  async changeTools(
    ...[changes, by, { dryRun = false } = {}]: Parameters<TenantApi['changeTools']>
  ): ReturnType<TenantApi['changeTools']> {
    try {
      await checkChains(changes, this.#tools, this.#builtin)
      const changed = this.#sql.transaction(() => {
        const made = this.#toolChanges.make(changes, by)
        if (dryRun) throw new NotToBe(made)
        this.#audit.append(changeNotes(made, by))
        this.#revisions.note(made.filter(({ outcome }) => outcome !== 'unchanged').map(({ id }) => id))
        return made
      })
      await this.#planUpkeep()
      await this.#planEmbeddings()
      return { changed }
    } catch (thrown) {
      if (thrown instanceof NotToBe) return { changed: thrown.changed }
      return { failure: toFailure(thrown) }
    }
  }

  dryRunChain({ chain, id, ...known }: ChainDryRun): Promise<DryRun> {
    return dryRunChain(chain, { name: id, ...known }, resolverOf(this.#tools, this.#builtin))
  }

  async listTools(page: { readonly limit: number; readonly after?: number }): Promise<ToolPage> {
    return this.#tools.list(page)
  }

  async toolsSince(revision: number): Promise<ToolsSince> {
    return this.#revisions.since(revision)
  }

  async findTool(reference: string): ReturnType<TenantApi['findTool']> {
    try {
      return { tool: this.#tools.find(reference) }
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
  }

  async listToolVersions(
    ...args: Parameters<TenantApi['listToolVersions']>
  ): ReturnType<TenantApi['listToolVersions']> {
    try {
      return this.#tools.versions(...args)
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
  }

  async permitCall(call: Parameters<TenantApi['permitCall']>[0]): ReturnType<TenantApi['permitCall']> {
    try {
      this.#calls.permit(call)
      return { ok: true }
    } catch (thrown) {
      await this.#planUpkeep()
      return { failure: toFailure(thrown) }
    }
  }

  async beginCall(call: Parameters<TenantApi['beginCall']>[0]): ReturnType<TenantApi['beginCall']> {
    try {
      return this.#calls.begin(call)
    } catch (thrown) {
      await this.#planUpkeep()
      return { failure: toFailure(thrown) }
    }
  }

  async admitCall(call: Parameters<TenantApi['admitCall']>[0]): ReturnType<TenantApi['admitCall']> {
    const answer = this.#calls.admit(call)
    if (answer.failure) await this.#planUpkeep()
    return answer
  }

  async endCalls(...[node, calls, holds]: Parameters<TenantApi['endCalls']>): ReturnType<TenantApi['endCalls']> {
    this.#calls.end(node, calls, holds?.unused)
    await this.#planUpkeep()
    return this.#calls.lease(node, holds?.version ?? null)
  }

  async readLimits(): Promise<LimitSettings> {
    return this.#calls.limits
  }

  async putLimits(settings: LimitSettings, by: Actor): Promise<void> {
    this.#calls.putLimits(settings, by)
    await this.#planUpkeep()
    const { version, sessions } = this.#calls.holders()
    for (let from = 0; from < sessions.length; from += LIMITS_NOTIFIED_AT_ONCE) {
      const some = sessions.slice(from, from + LIMITS_NOTIFIED_AT_ONCE)
      await Promise.all(some.map((session) => this.#tellLimits(session, version)))
    }
  }

  /** Informs a session of new limits. The lease of a session out of reach expires by itself. */
  async #tellLimits(session: string, version: number): Promise<void> {
    try {
      this.#calls.join(await this.#limitsChanged(session, version))
    } catch (thrown) {
      this.#logError(thrown)
    }
  }

  async readUsage(query: Parameters<TenantApi['readUsage']>[0]): ReturnType<TenantApi['readUsage']> {
    try {
      return { report: this.#calls.usage(query) }
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
  }

  async paceMarket(): Promise<number> {
    return this.#marketPace.take(this.#clock.now())
  }

  async noteMarket(
    ...[{ action, package: subject, ...detail }, by]: Parameters<TenantApi['noteMarket']>
  ): Promise<void> {
    this.#audit.append([{ action, by, subject, decision: 'done', detail }])
    await this.#planUpkeep()
  }

  async noteKey(...[{ action, id, ...detail }, by]: Parameters<TenantApi['noteKey']>): Promise<void> {
    this.#audit.append([{ action, by, subject: id, decision: 'done', detail }])
    await this.#planUpkeep()
  }

  async readAudit(page: Parameters<TenantApi['readAudit']>[0]): Promise<AuditPage> {
    return this.#audit.page(page)
  }

  async auditHead(): Promise<AuditHead> {
    return this.#audit.head()
  }

  async noteDenied(...given: Parameters<TenantApi['noteDenied']>): Promise<void> {
    this.#calls.noteDenied(...given)
    await this.#planUpkeep()
  }

  /** Does the work that is due, a batch at a time. */
  async wake(): Promise<void> {
    this.#upkeepAt = null
    this.#calls.upkeep()
    await this.#blobs.sweep()
    await this.#embeddings?.work()
    await this.#plan()
    await this.#planEmbeddings()
    await this.#planUpkeep()
  }

  async #plan(): Promise<void> {
    const due = this.#blobs.dueAt()
    if (due !== null) await this.#wakeAt(due)
  }

  async #planEmbeddings(): Promise<void> {
    const due = this.#embeddings?.dueAt() ?? null
    if (due !== null) await this.#wakeAt(due)
  }

  /** Plans the next upkeep. A plan already made is kept, since every call comes through here. */
  async #planUpkeep(): Promise<void> {
    if (this.#sql.isReadOnly) return
    const nextWriteTime = this.#calls.nextWriteTime()
    if (this.#upkeepAt !== null && this.#upkeepAt <= (nextWriteTime ?? this.#calls.expiresAtSoonest())) return
    const due = nextWriteTime ?? this.#calls.expiresAt()
    if (due === null) return
    this.#upkeepAt = due
    await this.#wakeAt(due)
  }
}

const NOBODY: Actor = { key: null, agent: null }

/** Result of a dry run: thrown so that the transaction is rolled back. */
class NotToBe extends Error {
  readonly changed: readonly ChangedTool[]

  constructor(changed: readonly ChangedTool[]) {
    super('a dry run changes nothing')
    this.changed = changed
  }
}
