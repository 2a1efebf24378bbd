import { DurableObject } from 'cloudflare:workers'
import { openRequests } from '../adapters/open-requests.ts'
import { type DurableSql, durableSql } from '../adapters/sql-durable.ts'
import { warmPoolsD1 } from '../adapters/warm-pools-d1.ts'
import { readConfig } from '../config.ts'
import { SPARE_RETRY_MS } from '../core/limits/spares.ts'
import { isNewerState } from '../core/newer-state.ts'
import { LEASES_MIGRATIONS } from '../migrations/leases/leases.ts'
import { openTables } from '../migrations/open-tables.ts'
import { leaseHolderClient, tenantClient } from '../objects.ts'
import { sandboxHost } from '../outside.ts'
import type { LeaseCount, LeaseList, LeaseRequest, SandboxLeases } from '../ports/sandbox-leases.ts'
import type { SandboxSpares, Spare } from '../ports/sandbox-spares.ts'
import { HAS_INTERNET, spareMaker } from '../session/sandbox/spare-maker.ts'
import { reportWarmTime } from '../tenant/warm-usage.ts'
import { Leases } from './leases.ts'
import { Spares } from './spares.ts'

// biome-ignore lint/suspicious/noConsole: the platform's log is where unforeseen errors go
const logError = (thrown: unknown) => console.error('unforeseen in the leases of sandboxes', thrown)

// biome-ignore lint/suspicious/noConsole: the platform's log is where the owner of the server looks
const tellOwner = (advice: string) => console.warn(JSON.stringify({ level: 'warn', message: advice }))

/**
 * Durable Object for the leases and spare sandboxes of a deployment: one object, since the provider's account has one ceiling.
 */
export class LeasesObject extends DurableObject<Env> implements SandboxLeases, SandboxSpares, LeaseList, LeaseCount {
  #opened: { readonly sql: DurableSql; readonly leases: Leases; readonly spares: Spares } | null = null
  /** Time of the alarm. An overdue alarm comes by itself: setting it again would have workerd complain. */
  #alarmAt = Number.POSITIVE_INFINITY

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    void ctx.blockConcurrencyWhile(async () => {
      this.#alarmAt = (await ctx.storage.getAlarm()) ?? Number.POSITIVE_INFINITY
    })
  }

  acquire(request: LeaseRequest): ReturnType<SandboxLeases['acquire']> {
    return this.#open().leases.acquire(request)
  }

  renew(holder: string, holdMs: number): Promise<void> {
    return this.#open().leases.renew(holder, holdMs)
  }

  release(holder: string): Promise<void> {
    return this.#open().leases.release(holder)
  }

  async holdersOf(tenant: string): Promise<readonly string[]> {
    return this.#open().leases.holders(tenant)
  }

  async countRunning(): Promise<number> {
    return this.#open().leases.running
  }

  mayCreate(holder: string, waitMs: number): Promise<boolean> {
    return this.#open().leases.mayCreate(holder, waitMs)
  }

  wantsBack(holder: string): Promise<boolean> {
    return this.#open().leases.wantsBack(holder)
  }

  async takeSpare(label: string, shape: string, tenant?: string): Promise<Spare | null> {
    return this.#open().spares.take(label, shape, tenant ?? null)
  }

  async keepSpare(label: string): Promise<void> {
    const { sql, spares } = this.#open()
    await sql.removing(async () => spares.keep(label))
  }

  /** Called when a session ends, which makes room on a full disk. */
  async dropSpare(label: string): Promise<void> {
    const { sql, spares } = this.#open()
    await sql.removing(() => spares.drop(label))
  }

  async warmSpares(): Promise<void> {
    this.#open().spares.warm()
  }

  async poolsChanged(): Promise<void> {
    this.#open().spares.poolsChanged()
  }

  /** Keeps the spares up. */
  override async alarm(): Promise<void> {
    this.#alarmAt = Number.POSITIVE_INFINITY
    try {
      const next = await this.#open().spares.keepUp()
      if (next !== null) this.#wakeWithin(next)
    } catch (thrown) {
      // The platform repeats a failed alarm only a few times. For tables of a newer version the owner was informed.
      if (!isNewerState(thrown)) logError(thrown)
      this.#wakeWithin(SPARE_RETRY_MS)
    }
  }

  #wakeWithin(ms: number): void {
    const now = Date.now()
    const at = now + ms
    if (at >= this.#alarmAt && now < this.#alarmAt + SPARE_RETRY_MS) return
    this.#alarmAt = at
    this.ctx.storage.setAlarm(at).catch(logError)
  }

  #open() {
    if (this.#opened) return this.#opened
    const config = readConfig(this.env)
    const { sandboxEnv, sandboxLimits, sandboxes, sandboxSpares, sessions, tenants } = config
    const sql = durableSql(this.ctx.storage)
    openTables(sql, LEASES_MIGRATIONS, tellOwner)
    const shared = { sql, now: () => Date.now(), logError }
    const leases: Leases = new Leases({
      ...shared,
      max: sandboxLimits.max,
      maxPerTenant: sandboxLimits.maxPerTenant,
      perSecond: sandboxes.plan?.creationsPerSecond ?? null,
      session: (holder) => leaseHolderClient(() => sessions.getByName(holder)),
      spares: {
        makeRoom: (places) => spares.makeRoom(places),
        hostIsFull: () => spares.hostIsFull(),
        get areNone() {
          return spares.areNone
        },
      },
    })
    const spares = new Spares({
      ...shared,
      ...sandboxSpares,
      maker: spareMaker({
        host: sandboxHost(config, openRequests()),
        image: sandboxes.image,
        env: sandboxEnv,
        labels: { service: 'toolyard', spare: 'true' },
      }),
      internet: HAS_INTERNET,
      pools: warmPoolsD1(config.db),
      report: (tenant, times) => reportWarmTime(tenantClient(() => tenants.getByName(tenant)).calls, times),
      free: () => leases.free,
      roomOf: (tenant) => leases.roomOf(tenant),
      mayCreate: () => leases.mayCreateSpare(),
      wakeWithin: (ms) => this.#wakeWithin(ms),
    })
    this.#opened = { sql, leases, spares }
    return this.#opened
  }
}
