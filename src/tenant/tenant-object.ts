import { DurableObject } from 'cloudflare:workers'
import { blobDeleterR2 } from '../adapters/blobs-r2.ts'
import { disk } from '../adapters/disk.ts'
import { cloudflareSemantics } from '../adapters/semantics-cloudflare.ts'
import { type DurableSql, durableSql } from '../adapters/sql-durable.ts'
import { readConfig } from '../config.ts'
import { type SessionName, sessionKey, type TenantId, tenantId } from '../core/ids.ts'
import { isNewerState } from '../core/newer-state.ts'
import { openTables } from '../migrations/open-tables.ts'
import { TENANT_MIGRATIONS } from '../migrations/tenant/tenant.ts'
import { sessionClient } from '../objects.ts'
import type { LimitSettings } from '../registry/limit-settings.ts'
import { catalog } from '../tools/catalog.ts'
import type { SecretInfo, SessionPage, TenantApi, ToolPage, ToolsSince } from './api.ts'
import { SecretBox } from './secret-box.ts'
import { Tenant } from './tenant.ts'

/** Delay after a failure of R2: short beside the day that the work waited already. */
const RETRY_MS = 60_000

// biome-ignore lint/suspicious/noConsole: the platform's log is where unforeseen errors go
const logError = (thrown: unknown) => console.error('unforeseen in a tenant', thrown)

// biome-ignore lint/suspicious/noConsole: the platform's log is where the owner of the server looks
const tellOwner = (advice: string) => console.warn(JSON.stringify({ level: 'warn', message: advice }))

/** Durable Object of one tenant: wires tenant.ts to its storage and its alarm. */
export class TenantObject extends DurableObject<Env> implements TenantApi {
  readonly #sql: DurableSql = durableSql(this.ctx.storage)
  #tenant: Tenant | null = null

  addSession(session: Parameters<TenantApi['addSession']>[0]): ReturnType<TenantApi['addSession']> {
    return this.#open().addSession(session)
  }

  removeSession(name: string): Promise<void> {
    return this.#sql.removing(() => this.#open().removeSession(name))
  }

  listSessions(page: { readonly limit: number; readonly after?: string }): Promise<SessionPage> {
    return this.#open().listSessions(page)
  }

  findSession(nodeId: string): Promise<string | null> {
    return this.#open().findSession(nodeId)
  }

  retainBlobs(nodeId: string, hashes: readonly string[]): Promise<readonly string[]> {
    return this.#open().retainBlobs(nodeId, hashes)
  }

  storedBlobs(hashes: readonly string[]): Promise<void> {
    return this.#open().storedBlobs(hashes)
  }

  releaseBlobs(nodeId: string, hashes: readonly string[] | 'all'): Promise<void> {
    return this.#sql.removing(() => this.#open().releaseBlobs(nodeId, hashes))
  }

  putSecret(...given: Parameters<TenantApi['putSecret']>): ReturnType<TenantApi['putSecret']> {
    return this.#open().putSecret(...given)
  }

  listSecrets(): Promise<readonly SecretInfo[]> {
    return this.#open().listSecrets()
  }

  removeSecret(...given: Parameters<TenantApi['removeSecret']>): Promise<boolean> {
    return this.#open().removeSecret(...given)
  }

  openSecret(name: string): ReturnType<TenantApi['openSecret']> {
    return this.#open().openSecret(name)
  }

  nameHumanTask(...given: Parameters<TenantApi['nameHumanTask']>): ReturnType<TenantApi['nameHumanTask']> {
    return this.#open().nameHumanTask(...given)
  }

  humanTasksNamed(...args: Parameters<TenantApi['humanTasksNamed']>): ReturnType<TenantApi['humanTasksNamed']> {
    return this.#open().humanTasksNamed(...args)
  }

  humanTaskNames(session: string): ReturnType<TenantApi['humanTaskNames']> {
    return this.#open().humanTaskNames(session)
  }

  changeTools(...given: Parameters<TenantApi['changeTools']>): ReturnType<TenantApi['changeTools']> {
    return this.#open().changeTools(...given)
  }

  dryRunChain(...args: Parameters<TenantApi['dryRunChain']>): ReturnType<TenantApi['dryRunChain']> {
    return this.#open().dryRunChain(...args)
  }

  listTools(page: { readonly limit: number; readonly after?: number }): Promise<ToolPage> {
    return this.#open().listTools(page)
  }

  toolsSince(revision: number): Promise<ToolsSince> {
    return this.#open().toolsSince(revision)
  }

  findTool(reference: string): ReturnType<TenantApi['findTool']> {
    return this.#open().findTool(reference)
  }

  listToolVersions(...args: Parameters<TenantApi['listToolVersions']>): ReturnType<TenantApi['listToolVersions']> {
    return this.#open().listToolVersions(...args)
  }

  permitCall(call: Parameters<TenantApi['permitCall']>[0]): ReturnType<TenantApi['permitCall']> {
    return this.#open().permitCall(call)
  }

  beginCall(call: Parameters<TenantApi['beginCall']>[0]): ReturnType<TenantApi['beginCall']> {
    return this.#open().beginCall(call)
  }

  admitCall(...given: Parameters<TenantApi['admitCall']>): ReturnType<TenantApi['admitCall']> {
    return this.#open().admitCall(...given)
  }

  endCalls(...given: Parameters<TenantApi['endCalls']>): ReturnType<TenantApi['endCalls']> {
    // On a full disk only sessions being removed report their calls.
    return this.#sql.removing(() => this.#open().endCalls(...given))
  }

  readLimits(): Promise<LimitSettings> {
    return this.#open().readLimits()
  }

  putLimits(...given: Parameters<TenantApi['putLimits']>): Promise<void> {
    return this.#open().putLimits(...given)
  }

  readUsage(...given: Parameters<TenantApi['readUsage']>): ReturnType<TenantApi['readUsage']> {
    return this.#open().readUsage(...given)
  }

  paceMarket(): Promise<number> {
    return this.#open().paceMarket()
  }

  noteKey(...given: Parameters<TenantApi['noteKey']>): Promise<void> {
    return this.#open().noteKey(...given)
  }

  noteMarket(...given: Parameters<TenantApi['noteMarket']>): Promise<void> {
    return this.#open().noteMarket(...given)
  }

  readAudit(...given: Parameters<TenantApi['readAudit']>): ReturnType<TenantApi['readAudit']> {
    return this.#open().readAudit(...given)
  }

  auditHead(): ReturnType<TenantApi['auditHead']> {
    return this.#open().auditHead()
  }

  noteDenied(...given: Parameters<TenantApi['noteDenied']>): ReturnType<TenantApi['noteDenied']> {
    return this.#open().noteDenied(...given)
  }

  override async alarm(): Promise<void> {
    const places = readConfig(this.env).disk
    await disk.look(places)
    // The next alarm could not be written either.
    if (disk.isFull) return this.ctx.waitUntil(disk.untilRoom(places).then(() => this.ctx.storage.setAlarm(Date.now())))
    try {
      await this.#open().wake()
      await blobDeleterR2(this.env.BLOBS, this.#name()).deleteAbandoned(Date.now())
    } catch (thrown) {
      // Retries are our own: the platform gives up after six. Newer code may run again later and has what this alarm was set for;
      // the owner was informed.
      if (!isNewerState(thrown)) logError(thrown)
      await this.ctx.storage.setAlarm(Date.now() + RETRY_MS)
    }
  }

  #open(): Tenant {
    if (this.#tenant) return this.#tenant
    openTables(this.#sql, TENANT_MIGRATIONS, tellOwner)
    const { secretsKey, semantics } = readConfig(this.env)
    this.#tenant = new Tenant({
      sql: this.#sql,
      tenant: this.#name(),
      box: secretsKey === null ? null : new SecretBox(secretsKey),
      deleter: blobDeleterR2(this.env.BLOBS, this.#name()),
      clock: { now: () => Date.now() },
      builtin: (name) => catalog.info(name),
      semantics: semantics && cloudflareSemantics(semantics),
      limitsChanged: (session, version) => {
        const key = sessionKey(this.#name(), session as SessionName)
        return sessionClient(() => this.env.SESSIONS.getByName(key)).limitsChanged(version)
      },
      logError,
      wakeAt: async (time) => {
        const planned = await this.ctx.storage.getAlarm()
        if (planned === null || planned > time) await this.ctx.storage.setAlarm(time)
      },
    })
    return this.#tenant
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
