import { DurableObject } from 'cloudflare:workers'
import { blobDeleterR2 } from '../adapters/blobs-r2.ts'
import { disk } from '../adapters/disk.ts'
import { serveGroups } from '../adapters/object-groups.ts'
import { cloudflareSemantics } from '../adapters/semantics-cloudflare.ts'
import { type DurableSql, durableSql } from '../adapters/sql-durable.ts'
import { readConfig } from '../config.ts'
import { type SessionName, sessionKey, type TenantId, tenantId } from '../core/ids.ts'
import { isNewerState } from '../core/newer-state.ts'
import { openTables } from '../migrations/open-tables.ts'
import { TENANT_MIGRATIONS } from '../migrations/tenant/tenant.ts'
import { sessionClient, TENANT_RULES } from '../objects.ts'
import { checkReceiver, outsideHttpOfObject } from '../outside.ts'
import { catalog } from '../tools/catalog.ts'
import type { TenantApi } from './api.ts'
import { SecretBox } from './secret-box.ts'
import { Tenant } from './tenant.ts'

/** Delay after a failure of R2: short beside the day that the work waited already. */
const RETRY_MS = 60_000

// biome-ignore lint/suspicious/noConsole: the platform's log is where unforeseen errors go
const logError = (thrown: unknown) => console.error('unforeseen in a tenant', thrown)

// biome-ignore lint/suspicious/noConsole: the platform's log is where the owner of the server looks
const tellOwner = (advice: string) => console.warn(JSON.stringify({ level: 'warn', message: advice }))

/** Durable Object of one tenant: wires tenant.ts to its storage and its alarm, and serves its groups. */
export class TenantObject extends DurableObject<Env> {
  readonly #sql: DurableSql = durableSql(this.ctx.storage)
  #tenant: Tenant | null = null

  static {
    serveGroups<TenantObject, TenantApi>(TenantObject, TENANT_RULES, {
      open: (object) => object.#open(),
      removing: (object, work) => object.#sql.removing(work),
    })
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
    const config = readConfig(this.env)
    const { secretsKey, semantics } = config
    this.#tenant = new Tenant({
      sql: this.#sql,
      tenant: this.#name(),
      box: secretsKey === null ? null : new SecretBox(secretsKey),
      deleter: blobDeleterR2(this.env.BLOBS, this.#name()),
      databaseBytes: () => this.ctx.storage.sql.databaseSize,
      clock: { now: () => Date.now() },
      builtin: (name) => catalog.info(name),
      semantics: semantics && cloudflareSemantics(semantics),
      limitsChanged: (session, version) => {
        const key = sessionKey(this.#name(), session as SessionName)
        return sessionClient(() => this.env.SESSIONS.getByName(key)).limitsChanged(version)
      },
      toolsChanged: (session, revision) => {
        const key = sessionKey(this.#name(), session as SessionName)
        return sessionClient(() => this.env.SESSIONS.getByName(key)).toolsChanged(revision)
      },
      http: outsideHttpOfObject(config),
      checkReceiver: (url) => checkReceiver(config, url),
      keepAlive: (work) => this.ctx.waitUntil(work),
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
