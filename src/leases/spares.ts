import type { Internet } from '../core/internet.ts'
import { SPARE_DELAY_MS, SPARE_LOOK_MS, SPARE_RETRY_MS, WARM_TURN_MS } from '../core/limits/spares.ts'
import { isNoSandbox } from '../core/rate-limited.ts'
import type { Spare, SpareKind, SpareMaker, WarmPool, WarmTime } from '../ports/sandbox-spares.ts'
import type { Sql } from '../ports/sql.ts'
import { type SpareShare, spareShares } from './spare-shares.ts'
import { type ReadySpare, SpareTable } from './spare-table.ts'
import { WarmTimes } from './warm-time.ts'

export interface SparesParts {
  readonly sql: Sql
  readonly now: () => number
  readonly maker: SpareMaker
  /** Number of spares for any session that are kept where there is room. */
  readonly count: number
  /** Internet policy of those. */
  readonly internet: Internet
  /** Time for which those are kept after the last request for a new sandbox; null for as long as the server runs. */
  readonly keptMs: number | null
  /** Warm pools as the owner of the server set them. */
  readonly pools: () => Promise<readonly WarmPool[]>
  /** Reports the time of a tenant's spares, which it confirms. */
  readonly report: (tenant: string, times: readonly WarmTime[]) => Promise<void>
  /** Number of sandboxes that could run besides those of sessions. */
  readonly free: () => number
  /** Number of sandboxes that a tenant could have besides those of its sessions. */
  readonly roomOf: (tenant: string) => number
  /** Whether a spare may be made now; taken for one that is. */
  readonly mayCreate: () => boolean
  /** Schedules {@link Spares.keepUp} to be called within so many milliseconds. */
  readonly wakeWithin: (ms: number) => void
  readonly logError: (thrown: unknown) => void
}

/**
 * Keeps booted sandboxes for sessions without one: for any session, and in the warm pools of tenants. A spare never stands in a session's way: at least one place stays free beside
 * it, and it is ended before any session waits. Each spare is given to one session, over crashes too.
 */
export class Spares {
  readonly #parts: SparesParts
  readonly #table: SpareTable
  readonly #times: WarmTimes
  /** Warm pools as last read; null before the first time. */
  #pools: readonly WarmPool[] | null = null
  /** Queue of the operations that make, check and end spares, one at a time. */
  #turn: Promise<unknown> = Promise.resolve()
  /** The spare being made: its label, and the end of its making. */
  #making: { readonly label: string; readonly done: Promise<void> } | null = null
  /** Time of the last known request for a new sandbox. */
  #wantedAt = 0
  /** Time of the last good check of each spare, in this object's life. */
  readonly #checkedAt = new Map<string, number>()
  /** Time before which no spare is made. */
  #pausedUntil = 0

  constructor(parts: SparesParts) {
    this.#parts = parts
    this.#times = new WarmTimes(parts)
    this.#table = new SpareTable(parts.sql, this.#times)
  }

  /** Whether none is kept, for any session or in a warm pool, and none waits. False while the pools were not read. */
  get areNone(): boolean {
    return this.#parts.count === 0 && this.#pools?.length === 0 && this.#table.count('ready') === 0
  }

  /** Takes a spare, as in `SandboxSpares.takeSpare`. */
  take(taking: string, shape: string, tenant: string | null): Spare | null {
    const { sql, now, count, wakeWithin } = this.#parts
    if (sql.isReadOnly) return null
    this.#wantedAt = now()
    const spare = this.#table.take(taking, shape, tenant)
    if (spare || count > 0 || this.#pools?.length !== 0) wakeWithin(SPARE_DELAY_MS)
    return spare
  }

  keep(taking: string): void {
    this.#table.forget(taking)
  }

  async drop(taking: string): Promise<void> {
    const label = this.#table.drop(taking, this.#parts.now())
    if (label !== null) await this.#end(label)
  }

  /** Has spares made, after the operations already queued. */
  warm(): void {
    const { sql, now, wakeWithin } = this.#parts
    this.#wantedAt = now()
    if (!sql.isReadOnly) wakeWithin(0)
  }

  /** Has the warm pools compared with what the owner of the server set, after the operations already queued. */
  poolsChanged(): void {
    if (!this.#parts.sql.isReadOnly) this.#parts.wakeWithin(0)
  }

  /**
   * Ends the spares without room beside the sandboxes of sessions.
   * @returns when they have ended; null when there were none
   */
  makeRoom(places: number): Promise<void> | null {
    const ready = this.#firstToEnd()
    const making = this.#making
    const over = ready.length + (making ? 1 : 0) - Math.max(0, places)
    if (over <= 0) return null
    this.#parts.wakeWithin(SPARE_RETRY_MS)
    if (making) this.#table.discard(making.label)
    const gone = ready.slice(0, making ? over - 1 : over).map(({ label }) => this.#discard(label))
    return Promise.all([making?.done, ...gone]).then(() => undefined)
  }

  /**
   * Reports that the host had no room for a session's sandbox: one spare ends.
   * @returns the number of those that stay, when one has made room; null without any
   */
  hostIsFull(): Promise<number> | null {
    this.#pausedUntil = this.#parts.now() + SPARE_RETRY_MS
    const stay = this.#table.count('ready') + (this.#making ? 1 : 0) - 1
    return this.makeRoom(stay)?.then(() => stay) ?? null
  }

  /**
   * Ends spares without an owner, checks the others and makes missing ones.
   * @returns milliseconds until the next call; null when there is nothing to do
   */
  keepUp(): Promise<number | null> {
    const mine = this.#turn.then(() => this.#keepUp())
    this.#turn = mine.catch(() => undefined)
    return mine
  }

  async #keepUp(): Promise<number | null> {
    const { sql, mayCreate } = this.#parts
    // An alarm cannot be set then either: the next taking of a spare sets one.
    if (sql.isReadOnly) return null
    await this.#readPools()
    this.#table.bound()
    // Nothing is being made at this moment: these rows are of an object that has ended.
    for (const label of this.#table.labels('making')) this.#table.discard(label)
    for (const label of this.#table.labels('ending')) await this.#end(label)
    for (const { label } of this.#unwanted()) await this.#discard(label)
    await this.#checkReady()
    // Where the account makes so many in a second, sessions come first.
    for (let kind = this.#missing(); kind && mayCreate(); kind = this.#missing()) await this.#make(kind)
    const isReported = await this.#times.reportAll()
    return isReported ? this.#nextLook() : Math.min(this.#nextLook() ?? SPARE_RETRY_MS, SPARE_RETRY_MS)
  }

  async #readPools(): Promise<void> {
    try {
      this.#pools = await this.#parts.pools()
    } catch (thrown) {
      // Spares of tenants stay as they are.
      this.#parts.logError(thrown)
    }
  }

  /** Number of spares that there should be now, of each kind. One place stays free, so that no session waits for the end of a spare. */
  #shares(): SpareShare[] {
    const { now, count, internet, free, roomOf } = this.#parts
    const common = { kind: { tenant: null, internet }, count: this.#isWanted() ? count : 0 }
    const turn = Math.floor(now() / WARM_TURN_MS)
    return spareShares(free() - 1, this.#pools ?? [], { roomOf, common, turn })
  }

  /** Spares of tenants without a pool, of another internet policy or another version of the server, and those over their number. */
  #unwanted(): ReadySpare[] {
    const { maker } = this.#parts
    const shares = this.#shares()
    const kept = new Map<string | null, number>()
    return this.#table.ready().filter(({ tenant, shape }) => {
      if (tenant !== null && this.#pools === null) return false
      const share = shares.find(({ kind }) => kind.tenant === tenant)
      const have = kept.get(tenant) ?? 0
      if (!share || have >= share.count || shape !== maker.shape(share.kind.internet)) return true
      kept.set(tenant, have + 1)
      return false
    })
  }

  /** Kind of the spare to make next: of those that lack one, the kind that has fewest. */
  #missing(): SpareKind | null {
    if (this.#pausedUntil > this.#parts.now()) return null
    const lacking = this.#shares().flatMap(({ kind, count }) => {
      const have = this.#table.countReady(kind.tenant)
      return have < count ? [{ kind, have }] : []
    })
    return lacking.sort((a, b) => a.have - b.have)[0]?.kind ?? null
  }

  /** Ready spares in the order in which they make room: first those for any session, then of the tenant with most. */
  #firstToEnd(): ReadySpare[] {
    const ready = this.#table.ready()
    const order = ready.filter(({ tenant }) => tenant === null)
    const left = Map.groupBy(
      ready.filter(({ tenant }) => tenant !== null),
      ({ tenant }) => tenant,
    )
    while (order.length < ready.length) {
      const [most = []] = [...left.values()].sort((a, b) => b.length - a.length)
      order.push(...most.splice(0, 1))
    }
    return order
  }

  #nextLook(): number | null {
    const { now, keptMs } = this.#parts
    if (this.#table.count('ending') > 0) return SPARE_RETRY_MS
    // Sessions had all turns to make a sandbox.
    if (this.#missing()) return SPARE_DELAY_MS
    const pools = this.#pools
    if (pools === null || pools.some(({ tenant, count }) => this.#table.countReady(tenant) < count))
      return SPARE_RETRY_MS
    if (this.#isWanted() && this.#table.countReady(null) < this.#parts.count) return SPARE_RETRY_MS
    if (this.#table.count('ready') === 0) return null
    if (keptMs === null || this.#table.countReady(null) === 0) return SPARE_LOOK_MS
    return Math.min(SPARE_LOOK_MS, Math.max(0, this.#lastWanted() + keptMs - now()))
  }

  /**
   * Time of the last request for a spare of no tenant. A spare is made soon after such a request, so that its row tells a restarted object.
   */
  #lastWanted(): number {
    const common = this.#table.ready().filter(({ tenant }) => tenant === null)
    return Math.max(this.#wantedAt, ...common.map(({ since }) => since))
  }

  #isWanted(): boolean {
    const { now, count, keptMs } = this.#parts
    return count > 0 && (keptMs === null || now() < this.#lastWanted() + keptMs)
  }

  /** Checks the spares whose last check is long ago, counts their time, and ends those that are not well. */
  async #checkReady(): Promise<void> {
    const { now } = this.#parts
    const ready = this.#table.ready()
    const labels = new Set(ready.map(({ label }) => label))
    for (const label of this.#checkedAt.keys()) if (!labels.has(label)) this.#checkedAt.delete(label)
    for (const spare of ready) {
      const { label } = spare
      if (now() - (this.#checkedAt.get(label) ?? 0) < SPARE_LOOK_MS - SPARE_RETRY_MS) continue
      const state = await this.#look(spare)
      // Time of one out of reach is counted when it is reached again: its host may have paused it.
      if (state === 'well') {
        this.#checkedAt.set(label, now())
        this.#times.keepUp(label)
      } else if (state === 'gone') await this.#discard(label)
    }
  }

  async #look(spare: ReadySpare): Promise<'well' | 'gone' | 'out of reach'> {
    try {
      return (await this.#parts.maker.look(spare)) ? 'well' : 'gone'
    } catch (thrown) {
      // A spare out of reach may be intact; the session that takes it will see.
      this.#parts.logError(thrown)
      return 'out of reach'
    }
  }

  #make(kind: SpareKind): Promise<void> {
    const label = crypto.randomUUID()
    const done = this.#makeOne(label, kind).finally(() => {
      this.#making = null
    })
    this.#making = { label, done }
    return done
  }

  async #makeOne(label: string, kind: SpareKind): Promise<void> {
    const { now, maker, logError } = this.#parts
    this.#table.expect(label, maker.shape(kind.internet), kind.tenant, now())
    try {
      const spare = await maker.make(label, kind, (sandboxId) => this.#table.made(label, sandboxId, now()))
      if (spare && this.#table.prepared(label, spare, now())) {
        this.#checkedAt.set(label, now())
        return
      }
    } catch (thrown) {
      this.#pausedUntil = now() + SPARE_RETRY_MS
      // The host made no sandbox.
      if (isNoSandbox(thrown)) return this.#table.ended(label)
      logError(thrown)
    }
    await this.#discard(label)
  }

  async #discard(label: string): Promise<void> {
    if (this.#table.discard(label)) await this.#end(label)
  }

  /** Ends a spare. A failure leaves it to be ended later. */
  async #end(label: string): Promise<void> {
    const { maker, logError, wakeWithin } = this.#parts
    try {
      await maker.end(label, this.#table.sandboxId(label))
      this.#table.ended(label)
    } catch (thrown) {
      logError(thrown)
      wakeWithin(SPARE_RETRY_MS)
    }
  }
}
