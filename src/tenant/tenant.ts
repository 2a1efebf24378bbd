import { toFailure } from '../core/failure.ts'
import type { TenantId } from '../core/ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import { type DryRun, dryRunChain } from '../registry/chain/dry-run.ts'
import type { LimitSettings } from '../registry/limit-settings.ts'
import type { ChainDryRun, SecretInfo, SessionPage, TenantApi, ToolPage } from './api.ts'
import { type BlobDeleter, BlobLedger } from './blob-ledger.ts'
import { type BuiltinTool, checkChains, resolverOf } from './chain-check.ts'
import type { SecretBox } from './secret-box.ts'
import { SecretList } from './secret-list.ts'
import { SessionList } from './session-list.ts'
import { ToolCalls } from './tool-calls.ts'
import { ToolChanges } from './tool-changes.ts'
import { ToolList } from './tool-list.ts'

export interface TenantParts {
  readonly sql: Sql
  readonly tenant: TenantId
  readonly deleter: BlobDeleter
  /** Null on a server without a key to close secrets with: it keeps none. */
  readonly box: SecretBox | null
  readonly clock: Clock
  readonly builtin: BuiltinTool
  /** Asks for {@link Tenant.wake} to be called then, if it was not asked for an earlier time. */
  readonly wakeAt: (time: number) => Promise<void>
}

/** What a tenant's object does, with no Workers types in it. `createTables` must have been called on `sql`. */
export class Tenant implements TenantApi {
  readonly #sessions: SessionList
  readonly #blobs: BlobLedger
  readonly #secrets: SecretList
  readonly #sql: Sql
  readonly #tools: ToolList
  readonly #toolChanges: ToolChanges
  readonly #calls: ToolCalls
  readonly #builtin: BuiltinTool
  #upkeepAt: number | null = null
  readonly #wakeAt: (time: number) => Promise<void>

  constructor({ sql, tenant, deleter, box, clock, builtin, wakeAt }: TenantParts) {
    this.#sessions = new SessionList(sql)
    this.#blobs = new BlobLedger(sql, deleter, clock)
    this.#secrets = new SecretList({ sql, box, clock, tenant })
    this.#sql = sql
    this.#tools = new ToolList(sql)
    this.#toolChanges = new ToolChanges({ sql, clock, tools: this.#tools })
    this.#calls = new ToolCalls({ sql, clock, tools: this.#tools })
    this.#builtin = builtin
    this.#wakeAt = wakeAt
  }

  async addSession(session: Parameters<TenantApi['addSession']>[0]): ReturnType<TenantApi['addSession']> {
    return this.#sessions.add(session)
  }

  async removeSession(name: string): Promise<void> {
    this.#sessions.remove(name)
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

  async putSecret(name: string, value: string): ReturnType<TenantApi['putSecret']> {
    try {
      return { info: await this.#secrets.put(name, value) }
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
  }

  async listSecrets(): Promise<readonly SecretInfo[]> {
    return this.#secrets.list()
  }

  async removeSecret(name: string): Promise<boolean> {
    return this.#secrets.remove(name)
  }

  async openSecret(name: string): ReturnType<TenantApi['openSecret']> {
    try {
      return { value: await this.#secrets.value(name) }
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
  }

  async changeTools(...[changes, by]: Parameters<TenantApi['changeTools']>): ReturnType<TenantApi['changeTools']> {
    try {
      await checkChains(changes, this.#tools, this.#builtin)
      return { changed: this.#sql.transaction(() => this.#toolChanges.make(changes, by)) }
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
  }

  dryRunChain({ chain, id, ...known }: ChainDryRun): Promise<DryRun> {
    return dryRunChain(chain, { name: id, ...known }, resolverOf(this.#tools, this.#builtin))
  }

  async listTools(page: { readonly limit: number; readonly after?: number }): Promise<ToolPage> {
    return this.#tools.list(page)
  }

  async findTool(reference: string): ReturnType<TenantApi['findTool']> {
    try {
      return { tool: this.#tools.find(reference) }
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
  }

  async listToolVersions(
    ...asked: Parameters<TenantApi['listToolVersions']>
  ): ReturnType<TenantApi['listToolVersions']> {
    try {
      return this.#tools.versions(...asked)
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
  }

  async beginCall(call: Parameters<TenantApi['beginCall']>[0]): ReturnType<TenantApi['beginCall']> {
    try {
      return { tool: this.#calls.begin(call) }
    } catch (thrown) {
      await this.#planUpkeep()
      return { failure: toFailure(thrown) }
    }
  }

  async endCalls(...[node, calls]: Parameters<TenantApi['endCalls']>): Promise<void> {
    this.#calls.end(node, calls)
    await this.#planUpkeep()
  }

  async readLimits(): Promise<LimitSettings> {
    return this.#calls.limits
  }

  async putLimits(settings: LimitSettings): Promise<void> {
    this.#calls.putLimits(settings)
  }

  async readUsage(query: Parameters<TenantApi['readUsage']>[0]): ReturnType<TenantApi['readUsage']> {
    try {
      return { report: this.#calls.usage(query) }
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
  }

  /** Does what is due, a batch at a time. */
  async wake(): Promise<void> {
    this.#upkeepAt = null
    this.#calls.upkeep()
    await this.#blobs.sweep()
    await this.#plan()
    await this.#planUpkeep()
  }

  async #plan(): Promise<void> {
    const due = this.#blobs.dueAt()
    if (due !== null) await this.#wakeAt(due)
  }

  /** Asked once, since it is on the way of every call. */
  async #planUpkeep(): Promise<void> {
    const soon = this.#calls.writesAt()
    if (this.#upkeepAt !== null && (soon === null || this.#upkeepAt <= soon)) return
    const due = soon ?? this.#calls.expiresAt()
    if (due === null) return
    this.#upkeepAt = due
    await this.#wakeAt(due)
  }
}
