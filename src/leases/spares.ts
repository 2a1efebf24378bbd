import { SPARE_DELAY_MS, SPARE_LOOK_MS, SPARE_RETRY_MS } from '../core/limits/spares.ts'
import { isNoSandbox } from '../core/rate-limited.ts'
import type { Spare, SpareMaker } from '../ports/sandbox-spares.ts'
import type { Sql } from '../ports/sql.ts'
import { type ReadySpare, SpareTable } from './spare-table.ts'

export interface SparesParts {
  readonly sql: Sql
  readonly now: () => number
  readonly maker: SpareMaker
  /** Number of spares kept where there is room. */
  readonly count: number
  /** Time for which spares are kept after the last request for a new sandbox; null for as long as the server runs. */
  readonly keptMs: number | null
  /** Number of sandboxes that could run besides those of sessions. */
  readonly free: () => number
  /** Whether a spare may be made now; taken for one that is. */
  readonly mayCreate: () => boolean
  /** Schedules {@link Spares.keepUp} to be called within so many milliseconds. */
  readonly wakeWithin: (ms: number) => void
  readonly logError: (thrown: unknown) => void
}

/**
 * Keeps booted sandboxes for sessions without one. A spare never stands in a session's way: at least one place stays free beside
 * it, and it is ended before any session waits. Each spare is given to one session, over crashes too.
 */
export class Spares {
  readonly #parts: SparesParts
  readonly #table: SpareTable
  /** Queue of the operations that make, check and end spares, one at a time. */
  #turn: Promise<unknown> = Promise.resolve()
  /** The spare being made: its label, and the end of its making. */
  #making: { readonly label: string; readonly done: Promise<void> } | null = null
  /** Time of the last known request for a new sandbox. */
  #wantedAt = 0
  /** Time before which no spare is made. */
  #pausedUntil = 0

  constructor(parts: SparesParts) {
    this.#parts = parts
    this.#table = new SpareTable(parts.sql)
  }

  /** Takes a spare, as in `SandboxSpares.takeSpare`. */
  take(taking: string, shape: string): Spare | null {
    const { sql, now, count, wakeWithin } = this.#parts
    if (count === 0 || sql.isReadOnly) return null
    this.#wantedAt = now()
    const spare = this.#table.take(taking, shape)
    wakeWithin(SPARE_DELAY_MS)
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

  /**
   * Ends the spares without room beside the sandboxes of sessions.
   * @returns when they have ended; null when there were none
   */
  makeRoom(places: number): Promise<void> | null {
    const ready = this.#table.ready()
    const making = this.#making
    const over = ready.length + (making ? 1 : 0) - Math.max(0, places)
    if (over <= 0) return null
    this.#parts.wakeWithin(SPARE_RETRY_MS)
    if (making) this.#table.discard(making.label)
    const gone = ready.slice(0, making ? over - 1 : over).map(({ label }) => this.#discard(label))
    return Promise.all([making?.done, ...gone]).then(() => undefined)
  }

  /** Reports that the host had no room for a session's sandbox. @returns when spares have made room; null without any */
  hostIsFull(): Promise<void> | null {
    this.#pausedUntil = this.#parts.now() + SPARE_RETRY_MS
    return this.makeRoom(0)
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
    const { sql, now, maker, mayCreate } = this.#parts
    // An alarm cannot be set then either: the next taking of a spare sets one.
    if (sql.isReadOnly) return null
    this.#table.bound()
    // Nothing is being made at this moment: these rows are of an object that has ended.
    for (const label of this.#table.labels('making')) this.#table.discard(label)
    for (const label of this.#table.labels('ending')) await this.#end(label)
    for (const spare of this.#table.ready().slice(this.#wanted())) await this.#discard(spare.label)
    for (const spare of this.#table.ready()) {
      if (spare.shape !== maker.shape || !(await this.#isWell(spare))) await this.#discard(spare.label)
    }
    const mayMake = () => this.#table.count('ready') < this.#wanted() && this.#pausedUntil <= now()
    // Where the account makes so many in a second, sessions come first.
    while (mayMake() && mayCreate()) await this.#make()
    return this.#nextLook()
  }

  #nextLook(): number | null {
    const { now, keptMs } = this.#parts
    if (this.#table.count('ending') > 0) return SPARE_RETRY_MS
    if (this.#isWanted() && this.#table.count('ready') < this.#parts.count) return SPARE_RETRY_MS
    if (this.#table.count('ready') === 0) return null
    return keptMs === null ? SPARE_LOOK_MS : Math.min(SPARE_LOOK_MS, Math.max(0, this.#lastWanted() + keptMs - now()))
  }

  /**
   * Time of the last request for a spare. A spare is made soon after such a request, so that its row tells a restarted object.
   */
  #lastWanted(): number {
    return Math.max(this.#wantedAt, ...this.#table.ready().map(({ since }) => since))
  }

  #isWanted(): boolean {
    const { now, count, keptMs } = this.#parts
    return count > 0 && (keptMs === null || now() < this.#lastWanted() + keptMs)
  }

  /** Number of spares wanted now. One place stays free, so that the next session need not wait for the end of a spare. */
  #wanted(): number {
    const { count, free } = this.#parts
    return this.#isWanted() ? Math.max(0, Math.min(count, free() - 1)) : 0
  }

  async #isWell(spare: ReadySpare): Promise<boolean> {
    try {
      return await this.#parts.maker.look(spare)
    } catch (thrown) {
      // A spare out of reach may be intact; the session that takes it will see.
      this.#parts.logError(thrown)
      return true
    }
  }

  #make(): Promise<void> {
    const label = crypto.randomUUID()
    const done = this.#makeOne(label).finally(() => {
      this.#making = null
    })
    this.#making = { label, done }
    return done
  }

  async #makeOne(label: string): Promise<void> {
    const { now, maker, logError } = this.#parts
    this.#table.expect(label, maker.shape, now())
    try {
      const spare = await maker.make(label, (sandboxId) => this.#table.made(label, sandboxId))
      if (spare && this.#table.prepared(label, spare, now())) return
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
