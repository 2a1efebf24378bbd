import { DurableObject } from 'cloudflare:workers'
import { auditSegmentsR2 } from '../adapters/audit-segments-r2.ts'
import { blobDeleterR2 } from '../adapters/blobs-r2.ts'
import { d1Database } from '../adapters/database-d1.ts'
import { disk } from '../adapters/disk.ts'
import { serveGroups } from '../adapters/object-groups.ts'
import { openRequests } from '../adapters/open-requests.ts'
import { cloudflareSemantics } from '../adapters/semantics-cloudflare.ts'
import { type DurableSql, durableSql } from '../adapters/sql-durable.ts'
import { tenantEntryD1 } from '../adapters/tenant-entry-d1.ts'
import { tenantObjectsR2 } from '../adapters/tenant-objects-r2.ts'
import { readConfig } from '../config.ts'
import { connectionListName } from '../connections/connection-list.ts'
import { TENANT_CLOSED } from '../core/closed-tenant.ts'
import { FailureError } from '../core/failure.ts'
import { type SessionName, sessionKey, type TenantId, tenantId } from '../core/ids.ts'
import { isNewerState } from '../core/newer-state.ts'
import { once } from '../core/once.ts'
import type { Lifetimes } from '../core/session-settings.ts'
import { ownedPackages } from '../market/removal.ts'
import { openTables } from '../migrations/open-tables.ts'
import { TENANT_MIGRATIONS } from '../migrations/tenant/tenant.ts'
import { leasesClient, ownedSessionClient, sessionClient, TENANT_RULES } from '../objects.ts'
import { checkReceiver, outsideHttpOfObject } from '../outside.ts'
import { ownedPapers } from '../papers/removal.ts'
import { embeddingId } from '../registry/tool-embedding.ts'
import { catalog } from '../tools/catalog.ts'
import type { TenantApi } from './api.ts'
import type { Deletion, EndedSandboxes, ExportedTools, TenantOwnerApi, ToolPlace } from './deletion-api.ts'
import { exportedTools } from './owner/exported-tools.ts'
import { SandboxEnd } from './owner/sandbox-end.ts'
import { TenantDeletion } from './owner/tenant-deletion.ts'
import type { Renewal, SealedState } from './sealed-api.ts'
import { SecretBox } from './secret-box.ts'
import { Tenant } from './tenant.ts'

/** Delay after a failure of R2: short beside the day that the work waited already. */
const RETRY_MS = 60_000

// biome-ignore lint/suspicious/noConsole: the platform's log is where unforeseen errors go
const logError = (thrown: unknown) => console.error('unforeseen in a tenant', thrown)

// biome-ignore lint/suspicious/noConsole: the platform's log is where the owner of the server looks
const tellOwner = (advice: string) => console.warn(JSON.stringify({ level: 'warn', message: advice }))

/**
 * Durable Object of one tenant: wires tenant.ts to its storage and its alarm, and serves its groups. Of a deleted tenant it serves
 * nothing but the owner of the server, for good.
 */
export class TenantObject extends DurableObject<Env> implements TenantOwnerApi {
  readonly #config = once(() => readConfig(this.env))
  readonly #sql: DurableSql = durableSql(this.ctx.storage)
  readonly #openRequests = openRequests()
  #tenant: Tenant | null = null
  #owned: { readonly deletion: TenantDeletion; readonly sandboxes: SandboxEnd } | null = null

  static {
    serveGroups<TenantObject, TenantApi>(TenantObject, TENANT_RULES, {
      open: (object) => object.#open(),
      removing: (object, work) => object.#sql.removing(work),
    })
  }

  override async alarm(): Promise<void> {
    const places = this.#config().disk
    await disk.look(places)
    // The next alarm could not be written either.
    if (disk.isFull) return this.ctx.waitUntil(disk.untilRoom(places).then(() => this.ctx.storage.setAlarm(Date.now())))
    try {
      const { deletion, sandboxes } = this.#ofOwner()
      if (deletion.isBegun) return await this.#sql.removing(() => deletion.work())
      const tenant = this.#open()
      // First, since the store of contents may be out of reach.
      await sandboxes.work()
      await tenant.wake()
      await this.#deleter().deleteAbandoned(Date.now())
    } catch (thrown) {
      // Retries are our own: the platform gives up after six. Newer code may run again later and has what this alarm was set for;
      // the owner was informed.
      if (!isNewerState(thrown)) logError(thrown)
      await this.ctx.storage.setAlarm(Date.now() + RETRY_MS)
    }
  }

  async beginDeletion(): Promise<Deletion> {
    const { deletion, sandboxes } = this.#ofOwner()
    const begun = await this.#sql.removing(async () => {
      if (!deletion.isBegun) {
        this.#open()
        sandboxes.stop()
      }
      const begun = await deletion.begin()
      this.#tenant = null
      return begun
    })
    await deletion.informHolders()
    return begun
  }

  async deletion(): Promise<Deletion | null> {
    return this.#ofOwner().deletion.read()
  }

  async endSandboxes(which?: EndedSandboxes): Promise<void> {
    const { deletion, sandboxes } = this.#ofOwner()
    if (deletion.isBegun) return
    this.#open()
    await sandboxes.begin(which)
  }

  async keepSandboxes(): Promise<void> {
    this.#ofOwner().sandboxes.stop()
    // The end of all may have taken the place of an end of some.
    await this.endSandboxes('exceeding')
  }

  async sealed(): Promise<SealedState> {
    return this.#ofOwner().deletion.isBegun ? { keyId: null, records: [], remaining: 0 } : this.#open().sealed.read()
  }

  async renewSealed(): Promise<Renewal> {
    try {
      return { state: await this.#open().sealed.renew() }
    } catch (thrown) {
      if (thrown instanceof FailureError) return { failure: thrown.failure }
      throw thrown
    }
  }

  async sessionDefaults(): Promise<Lifetimes | null> {
    return this.#ofOwner().deletion.isBegun ? null : this.#open().sessionDefaults.read()
  }

  async putSessionDefaults(lifetimes: Lifetimes): Promise<boolean> {
    if (this.#ofOwner().deletion.isBegun) return false
    await this.#open().sessionDefaults.put(lifetimes)
    return true
  }

  async beginExport(): Promise<boolean> {
    if (this.#ofOwner().deletion.isBegun) return false
    await this.#open().audit.noteExport()
    return true
  }

  async exportTools(after: ToolPlace): Promise<ExportedTools> {
    this.#open()
    return exportedTools(this.#sql, after)
  }

  /** The work of the server's owner. Its tables may not be there yet. */
  #ofOwner() {
    if (this.#owned) return this.#owned
    // Before the tables are opened there is no other; an alarm finds them.
    const name = this.ctx.id.name === undefined ? this.#name() : tenantId(this.ctx.id.name)
    const config = this.#config()
    const { semantics, leases } = config
    const vectors = semantics && cloudflareSemantics(semantics)
    const db = d1Database(config.db)
    const clock = { now: () => Date.now() }
    const session = (of: string) =>
      ownedSessionClient(() => this.#config().sessions.getByName(sessionKey(name, of as SessionName)))
    this.#owned = {
      deletion: new TenantDeletion({
        sql: this.#sql,
        clock,
        logError,
        entry: tenantEntryD1(db, name),
        objects: tenantObjectsR2(config.bucketOf(name), name, this.#openRequests.toStore),
        papers: ownedPapers({
          db: d1Database(config.papers.db),
          earlier: config.papers.earlier && d1Database(config.papers.earlier),
          owner: name,
          semantics: vectors,
        }),
        packages: ownedPackages(db, name),
        removeSession: (of) => session(of).purge(),
        toolsChanged: (of, revision) => this.#toolsChanged(of, revision),
        endConnections: () => config.connections.getByName(connectionListName(name)).endSome(),
        removeVectors: async (tools) => {
          const ids = tools.map((tool) => embeddingId(name, tool))
          await vectors?.remove(ids, new AbortController().signal)
        },
        wakeAt: (time) => this.ctx.storage.setAlarm(time),
      }),
      sandboxes: new SandboxEnd({
        sql: this.#sql,
        clock,
        logError,
        running: async () => {
          const holders = await leasesClient(leases).holdersOf(name)
          return holders.map((holder) => holder.slice(name.length + 1))
        },
        endSandbox: (of, which) => session(of).endSandbox(which),
        wakeAt: (time) => this.#wakeAt(time),
      }),
    }
    return this.#owned
  }

  /** The tenant. @throws FailureError {@link TENANT_CLOSED} for one that was deleted: its tables may be gone */
  #open(): Tenant {
    if (this.#tenant) return this.#tenant
    if (this.#ofOwner().deletion.isBegun) throw new FailureError(TENANT_CLOSED)
    openTables(this.#sql, TENANT_MIGRATIONS, tellOwner)
    const config = this.#config()
    const { secretsKey, semantics } = config
    this.#tenant = new Tenant({
      sql: this.#sql,
      tenant: this.#name(),
      box: secretsKey === null ? null : new SecretBox(secretsKey),
      deleter: this.#deleter(),
      blobGraceMs: config.blobGraceMs,
      segments: auditSegmentsR2(config.bucketOf(this.#name()), this.#name(), this.#openRequests.toStore),
      databaseBytes: () => this.ctx.storage.sql.databaseSize,
      clock: { now: () => Date.now() },
      builtin: (name) => catalog.info(name),
      semantics: semantics && cloudflareSemantics(semantics),
      limitsChanged: (session, version) => {
        const key = sessionKey(this.#name(), session as SessionName)
        return sessionClient(() => this.#config().sessions.getByName(key)).limitsChanged(version)
      },
      toolsChanged: (session, revision) => this.#toolsChanged(session, revision),
      http: outsideHttpOfObject(config, this.#openRequests),
      checkReceiver: (url) => checkReceiver(config, url, this.#openRequests),
      keepAlive: (work) => this.ctx.waitUntil(work),
      logError,
      wakeAt: (time) => this.#wakeAt(time),
    })
    return this.#tenant
  }

  #toolsChanged(session: string, revision: number): Promise<void> {
    const key = sessionKey(this.#name(), session as SessionName)
    return sessionClient(() => this.#config().sessions.getByName(key)).toolsChanged(revision)
  }

  #deleter() {
    const name = this.#name()
    return blobDeleterR2(this.#config().bucketOf(name), name, this.#openRequests.toStore)
  }

  /** Sets the alarm, unless it is set for an earlier time. */
  async #wakeAt(time: number): Promise<void> {
    const planned = await this.ctx.storage.getAlarm()
    if (planned === null || planned > time) await this.ctx.storage.setAlarm(time)
  }

  /**
   * The tenant's name. The Worker names the object by it after checking the key, so no body can choose it. Stored, because an
   * object woken by its alarm may not know its name.
   * @see https://github.com/cloudflare/workerd/issues/6850
   */
  #name(): TenantId {
    const [kept] = this.#sql.all<{ name: string }>('SELECT name FROM tenant')
    const name = this.ctx.id.name ?? kept?.name
    if (!name) throw new Error('a tenant is opened by name')
    if (!kept) this.#sql.all('INSERT INTO tenant (id, name) VALUES (1, ?)', name)
    return tenantId(name)
  }
}
