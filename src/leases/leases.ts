import type { Failure } from '../core/failure.ts'
import { LEASE_ROUND_MS } from '../core/limits/leases.ts'
import { noSandboxFailure } from '../core/rate-limited.ts'
import type { LeaseAnswer, LeaseHolder, LeaseRequest, SandboxLeases } from '../ports/sandbox-leases.ts'
import type { Sql } from '../ports/sql.ts'
import { Creations } from './creations.ts'
import { GiveBack, type Want } from './give-back.ts'
import { HostRoom } from './host-room.ts'
import { LeaseTable, tenantOf } from './lease-table.ts'
import { Reservations } from './reservations.ts'
import type { Spares } from './spares.ts'
import { WaitQueue } from './wait-queue.ts'

export interface LeasesParts {
  readonly sql: Sql
  readonly now: () => number
  /** Sandboxes that may run at once: of all tenants, and of one. */
  readonly max: number
  readonly maxPerTenant: number
  /** Sandboxes that may be made in a second; null, or left out, where nothing limits them. */
  readonly perSecond?: number | null
  /** Object of the session, which reports how it uses its sandbox. */
  readonly session: (holder: string) => LeaseHolder
  /** Spare sandboxes, where the deployment keeps some: they are ended before any session waits. */
  readonly spares?: Pick<Spares, 'makeRoom' | 'hostIsFull' | 'areNone'>
  readonly logError: (thrown: unknown) => void
}

/**
 * Leases of running sandboxes. When all are taken, the waiting tenant with fewest is next, and an idle sandbox of the
 * tenant with most is requested back for it. A busy sandbox is never taken away.
 */
export class Leases implements SandboxLeases {
  readonly #parts: LeasesParts
  readonly #table: LeaseTable
  readonly #queue = new WaitQueue()
  readonly #reservations = new Reservations()
  readonly #room: HostRoom
  readonly #giveBack: GiveBack
  readonly #creations: Creations
  #rounds: Promise<void> | null = null
  /** Ends the pause between two rounds. */
  #wake = () => {}

  constructor(parts: LeasesParts) {
    this.#parts = parts
    this.#table = new LeaseTable(parts.sql)
    this.#room = new HostRoom(parts.max)
    this.#creations = new Creations({ perSecond: parts.perSecond ?? null, now: parts.now })
    this.#giveBack = new GiveBack({
      ...parts,
      table: this.#table,
      gone: (holder) => this.#release(holder),
    })
  }

  /** Number of sandboxes that could run besides those of sessions. */
  get free(): number {
    const now = this.#parts.now()
    this.#table.expire(now)
    return this.#room.limit(now) - this.#table.size
  }

  /** Number of sandboxes of sessions that run. */
  get running(): number {
    this.#table.expire(this.#parts.now())
    return this.#table.size
  }

  async acquire(request: LeaseRequest): Promise<LeaseAnswer> {
    const { spares } = this.#parts
    const room = request.hostIsFull ? spares?.hostIsFull() : null
    if (room) {
      const stay = await room
      // The place of the spare that ended is this session's.
      const sessions = this.#table.size + (this.#table.has(request.holder) ? 0 : 1)
      this.#room.refused(sessions + stay, this.#parts.now())
    }
    const answer = await this.#acquire({ ...request, hostIsFull: request.hostIsFull === true && !room })
    if (!answer.failure) await spares?.makeRoom(this.free)
    return spares?.areNone ? { ...answer, noSpares: true } : answer
  }

  async #acquire(request: LeaseRequest): Promise<{ failure?: Failure }> {
    const { holder, holdMs, waitMs, hostIsFull } = request
    const now = this.#parts.now()
    this.#table.expire(now)
    if (hostIsFull) {
      this.#table.remove(holder)
      this.#room.refused(this.#table.size, now)
    }
    if (this.#table.has(holder)) {
      this.#table.put(holder, now + holdMs, now)
      return {}
    }
    // An earlier request of this session, whose caller is gone.
    this.#leave(holder)
    const tenant = tenantOf(holder)
    if (!this.#queue.hasRoom(tenant)) return { failure: noSandboxFailure(CROWDED) }
    return (await this.#wait(request)) ? {} : { failure: this.#refusal(tenant, waitMs) }
  }

  async renew(holder: string, holdMs: number): Promise<void> {
    const now = this.#parts.now()
    this.#table.put(holder, now + holdMs, now)
    this.#giveBack.over(holder)
  }

  mayCreate(holder: string, waitMs: number): Promise<boolean> {
    return this.#creations.take(holder, waitMs)
  }

  /** Whether a spare may be made: no session waits for a turn. */
  mayCreateSpare(): boolean {
    return this.#creations.takeFree()
  }

  async release(holder: string): Promise<void> {
    this.#leave(holder)
    this.#creations.leave(holder)
    this.#release(holder)
  }

  /** Number of sandboxes that a tenant could have besides those of its sessions, by its own ceiling. */
  roomOf(tenant: string): number {
    return this.#parts.maxPerTenant - this.#table.count(tenant)
  }

  /** Sessions of a tenant with a lease. */
  holders(tenant: string): readonly string[] {
    this.#table.expire(this.#parts.now())
    return this.#table.holders(tenant)
  }

  async wantsBack(holder: string): Promise<boolean> {
    return this.#table.has(holder) && this.#giveBack.wantsBack(holder, this.#wants())
  }

  #release(holder: string): void {
    this.#giveBack.over(holder)
    if (!this.#table.remove(holder)) return
    this.#serve()
    this.#wake()
  }

  #leave(holder: string): void {
    const waiter = this.#queue.find(holder)
    if (waiter && this.#queue.remove(waiter)) waiter.settle(false)
  }

  /** Waits for a lease. @returns whether the session has one, as soon as it has or the time is over */
  #wait({ holder, holdMs, waitMs, hostIsFull = false }: LeaseRequest): Promise<boolean> {
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const settle = (granted: boolean) => {
        clearTimeout(timer)
        resolve(granted)
      }
      this.#queue.add({ holder, holdMs, settle }, hostIsFull)
      this.#serve()
      if (this.#table.has(holder)) return
      if (waitMs <= 0) return this.#leave(holder)
      timer = setTimeout(() => this.#leave(holder), waitMs)
      this.#begin()
    })
  }

  #refusal(tenant: string, waitMs: number): Failure {
    const { now, max, maxPerTenant } = this.#parts
    if (maxPerTenant < max && this.#table.count(tenant) >= maxPerTenant) {
      return noSandboxFailure(
        `${maxPerTenant} sandboxes of yours run already (SANDBOXES_PER_TENANT), and none is idle`,
        'tenant',
      )
    }
    // A request that did not wait has no turn to keep.
    if (waitMs > 0) this.#reservations.keep(tenant, now())
    return noSandboxFailure(FULL)
  }

  /** Gives leases to the waiting sessions in turn, as far as there is room. */
  #serve(): void {
    const now = this.#parts.now()
    for (;;) {
      const tenant = this.#waiting().find((waiting) => this.#mayHave(waiting))
      const [waiter] = tenant === undefined ? [] : this.#queue.of(tenant)
      if (tenant === undefined || !waiter) return
      this.#queue.remove(waiter)
      this.#queue.served(tenant)
      this.#reservations.drop(tenant)
      this.#table.put(waiter.holder, now + waiter.holdMs, now)
      waiter.settle(true)
    }
  }

  /** Whether a tenant may have one more lease: there is room, and no tenant with fewer has a claim to it. */
  #mayHave(tenant: string): boolean {
    const now = this.#parts.now()
    const own = this.#table.count(tenant)
    if (own >= this.#parts.maxPerTenant) return false
    const claims = this.#reservations.tenants(now).filter((other) => other !== tenant && this.#table.count(other) < own)
    return this.#room.limit(now) - this.#table.size > claims.length
  }

  #begin(): void {
    this.#rounds ??= this.#goRound()
      .catch(this.#parts.logError)
      .finally(() => {
        this.#rounds = null
      })
  }

  /** Repeats while sessions wait: looks for sandboxes to pause, and for leases past their end. */
  async #goRound(): Promise<void> {
    while (this.#queue.size > 0) {
      await this.#giveBack.askFor(this.#wants())
      if (this.#queue.size > 0) await this.#pause()
      this.#table.expire(this.#parts.now())
      this.#serve()
    }
  }

  /** Waiting tenants, in their turn. */
  #waiting(): string[] {
    return this.#queue.tenants((tenant) => this.#table.count(tenant))
  }

  #wants(): Want[] {
    return this.#waiting().map((tenant) => ({
      tenant,
      sessions: this.#queue.of(tenant).length,
      onlyOwn: this.#table.count(tenant) >= this.#parts.maxPerTenant,
    }))
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LEASE_ROUND_MS)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

const FULL = 'all sandboxes are at work, and none came free in time'
const CROWDED = 'too many calls wait for a sandbox already'
