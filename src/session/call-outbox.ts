import {
  ENDS_PAUSE_MS,
  ENDS_TOLD_MS,
  MAX_ENDS_AT_ONCE,
  MAX_ENDS_IN_MEMORY,
  QUICK_ENDS_TOLD_MS,
} from '../core/limits/usage.ts'
import type { Sql } from '../ports/sql.ts'
import type { EndedCall } from '../tenant/calls-api.ts'
import { batchOf } from './ended-batch.ts'

/** A call that runs, as it would be told of if nothing were heard of it again. */
export type OpenCall = Omit<EndedCall, 'number' | 'each' | 'admittedAs'> & { admittedAs?: string | null }

/**
 * Who waits for an end to be told: calls that a limit lets begin no sooner (`others`), calls that it may keep from beginning
 * when there are more of them (`limited`), or nobody.
 */
export type AwaitedBy = 'others' | 'limited' | 'nobody'

interface OutboxParts {
  readonly sql: Sql
  /** @throws when the tenant could not be told */
  readonly tell: (calls: readonly EndedCall[]) => Promise<void>
  readonly logError: (thrown: unknown) => void
}

const FORGOTTEN_TOGETHER = 50

/** How soon ends are told, and how long after the last time at least. */
interface Haste {
  readonly withinMs: number
  readonly pauseMs: number
}
const OF_QUICK: Haste = { withinMs: QUICK_ENDS_TOLD_MS, pauseMs: ENDS_PAUSE_MS }
const OF_UNLIMITED: Haste = { withinMs: ENDS_TOLD_MS, pauseMs: ENDS_PAUSE_MS }
const OF_LIMITED: Haste = { withinMs: ENDS_TOLD_MS, pauseMs: 0 }

/**
 * Ends of calls that the tenant has not heard of. Each is written in the transaction that writes the history, and told
 * until it was heard, over restarts too: what the tenant counts is what the history has.
 */
export class CallOutbox {
  readonly #parts: OutboxParts
  /** Running calls, by the call of the history that makes them. */
  readonly #running = new Map<string, Set<OpenCall>>()
  /** Running calls whose rows are in the database. */
  readonly #noted = new Set<OpenCall>()
  /** The oldest untold ends, without gaps; those after them are in the database alone. */
  #queue: EndedCall[] = []
  #queuedTo: number
  /** Sent as it was until it is heard: its entries stand for several ends each. */
  #batch: { readonly calls: readonly EndedCall[]; readonly last: number } | null = null
  #telling: Promise<void> | null = null
  /** When ends are told next, in milliseconds of the session's clock; null when that is not planned. */
  #dueAt: number | null = null
  #isUrgent = false
  /** Of the ends since the last {@link tellSoon}. */
  #haste = OF_QUICK
  /** When ends were last told, on the clock of {@link tellSoon}. */
  #toldAt = Number.NEGATIVE_INFINITY
  /** Ends up to this number are asked to be told; newer ones wait for their own time. */
  #wanted = 0
  /** The number of the newest end. */
  #last: number
  /** The tenant has heard of the ends up to this number. */
  #heard: number
  /** The newest end when the session was opened: of those up to this one the tenant may have heard before a crash. */
  readonly #openedAt: number
  /** The rows of those up to this number are removed. */
  #forgotten: number
  /** Ends that wait for room on the disk, oldest first, each with whether its call was noted. */
  readonly #held: (readonly [OpenCall, boolean])[] = []
  /** Calls that go on, while those that a restart cut off could not be written as lost: the disk was full. */
  #goingOn: readonly string[] | null = null

  /** @param goingOn calls that a restart did not cut off: their work outlives them */
  constructor(parts: OutboxParts, goingOn: readonly string[]) {
    this.#parts = parts
    const { sql } = parts
    if (sql.isReadOnly) this.#goingOn = goingOn
    else this.#loseNoted(goingOn)
    const [{ first, last } = NO_ENDS] = sql.all<Ends>(
      `SELECT min(CASE WHEN call <> '' THEN number END) AS first, max(number) AS last FROM registered_ended`,
    )
    this.#last = last ?? 0
    this.#openedAt = this.#last
    this.#heard = first === null ? this.#last : first - 1
    this.#forgotten = this.#heard
    this.#queuedTo = this.#heard
  }

  /** True while the tenant has not heard of all ends. */
  get hasNews(): boolean {
    return this.#heard < this.#last
  }

  /** True while an end waits that another call may wait for. */
  get isUrgent(): boolean {
    return this.#isUrgent && this.hasNews
  }

  begin(historyId: string, call: OpenCall): void {
    const calls = this.#running.get(historyId)
    if (calls) calls.add(call)
    else this.#running.set(historyId, new Set([call]))
  }

  *running(): Iterable<OpenCall> {
    for (const calls of this.#running.values()) yield* calls
  }

  /** Notes those that a call of the history makes and that run now, so that they are known even after a crash. */
  noteRunning(historyId: string): void {
    for (const call of this.#running.get(historyId) ?? []) this.note(call)
  }

  note(call: OpenCall): void {
    if (this.#noted.has(call)) return
    this.#noted.add(call)
    const text = JSON.stringify(call)
    this.#parts.sql.all('INSERT OR IGNORE INTO registered_running (call_id, call) VALUES (?, ?)', call.callId, text)
  }

  /** The call as it was noted before the session was opened; null when it was not. */
  noted(callId: string): OpenCall | null {
    const [row] = this.#parts.sql.all<{ call: string }>('SELECT call FROM registered_running WHERE call_id = ?', callId)
    return row ? (JSON.parse(row.call) as OpenCall) : null
  }

  /** Writes how a running call ended; nothing when it has ended already. */
  end(historyId: string, call: OpenCall, how: Partial<OpenCall>, awaitedBy: AwaitedBy): void {
    const calls = this.#running.get(historyId)
    if (!calls?.delete(call)) return
    if (calls.size === 0) this.#running.delete(historyId)
    this.write({ ...call, ...how }, this.#noted.delete(call), awaitedBy)
    this.#isUrgent ||= awaitedBy === 'others'
  }

  /**
   * Writes an end. The end of a call that was noted is written once: the session may have been opened anew while the call ran,
   * and counted it as lost.
   * @param wasNoted while the call ran
   */
  write(call: OpenCall, wasNoted: boolean, awaitedBy: AwaitedBy = 'limited'): void {
    const { sql } = this.#parts
    if (sql.isReadOnly) {
      this.#held.push([call, wasNoted])
      return
    }
    if (wasNoted) {
      sql.transaction(() => {
        const noted = sql.all('DELETE FROM registered_running WHERE call_id = ? RETURNING call_id', call.callId)
        if (noted.length > 0) this.#writeEnd(call)
      })
    } else {
      this.#writeEnd(call)
    }
    if (!call.isQuick && this.#haste !== OF_LIMITED) this.#haste = awaitedBy === 'nobody' ? OF_UNLIMITED : OF_LIMITED
    // Seldom, and with what is written anyway: for each call it would be a transaction of its own.
    if (this.#heard - this.#forgotten >= FORGOTTEN_TOGETHER) this.forgetHeard()
  }

  /** Writes the ends that waited for room on the disk. */
  writeHeld(): void {
    if (this.#goingOn) {
      this.#loseNoted(this.#goingOn)
      this.#goingOn = null
      this.#readLast()
    }
    for (const [call, wasNoted] of this.#held.splice(0)) this.write(call, wasNoted)
  }

  /** Nothing will be heard of running calls any more: the session is removed. */
  giveUp(): void {
    for (const calls of this.#running.values()) for (const call of calls) this.write(call, this.#noted.has(call))
    this.#running.clear()
    this.#noted.clear()
    this.#loseNoted([])
    this.#readLast()
  }

  #readLast(): void {
    const [{ last } = NO_ENDS] = this.#parts.sql.all<Ends>(
      'SELECT NULL AS first, max(number) AS last FROM registered_ended',
    )
    this.#last = last ?? this.#last
  }

  /**
   * As {@link tell}, a moment later where nobody waits for the ends: those of several calls together.
   * @returns null when that is planned already
   */
  tellSoon(now: number): Promise<void> | null {
    const { withinMs, pauseMs } = this.#haste
    this.#haste = OF_QUICK
    if (this.#isUrgent || this.#last - this.#heard >= MAX_ENDS_AT_ONCE) {
      this.#toldAt = now
      return this.tell()
    }
    const dueAt = Math.max(now + withinMs, Math.min(this.#toldAt, now) + pauseMs)
    if (this.#dueAt !== null && this.#dueAt <= dueAt) return null
    this.#dueAt = dueAt
    return new Promise<void>((resolve) => setTimeout(resolve, dueAt - now)).then(() => {
      if (this.#dueAt !== dueAt) return // an earlier time was planned since
      this.#dueAt = null
      this.#toldAt = dueAt
      return this.tell()
    })
  }

  /** Tells the tenant of what has ended until now. What could not be told stays for the next time. */
  tell(): Promise<void> {
    this.#wanted = this.#last
    this.#telling ??= this.#tellAll().finally(() => {
      this.#telling = null
    })
    return this.#telling
  }

  async #tellAll(): Promise<void> {
    // The tenant could not write them either.
    if (this.#parts.sql.isReadOnly) return
    // Without news nothing is asked of the storage: the session may have been removed, and its tables with it. What ends
    // meanwhile waits: told at once, each call of a busy session would be told by itself.
    while (this.#heard < this.#wanted) {
      this.#isUrgent = false
      this.#batch ??= this.#nextBatch()
      if (!this.#batch) return
      try {
        await this.#parts.tell(this.#batch.calls)
      } catch (thrown) {
        this.#parts.logError(thrown)
        return
      }
      this.#heard = this.#batch.last
      this.#batch = null
    }
  }

  #nextBatch(): { readonly calls: readonly EndedCall[]; readonly last: number } | null {
    if (this.#queue.length === 0) this.#load()
    const { calls, count } = batchOf(this.#queue, this.#openedAt)
    const last = this.#queue[count - 1]?.number
    this.#queue.splice(0, count)
    return last === undefined ? null : { calls, last }
  }

  #load(): void {
    const rows = this.#parts.sql.all<{ number: number; call: string }>(
      'SELECT number, call FROM registered_ended WHERE number > ? ORDER BY number LIMIT ?',
      this.#heard,
      MAX_ENDS_AT_ONCE,
    )
    this.#queue = rows.map(({ number, call }) => ({ ...(JSON.parse(call) as OpenCall), number }))
    this.#queuedTo = rows.at(-1)?.number ?? this.#queuedTo
  }

  /** Removes what the tenant has heard of. */
  forgetHeard(): void {
    if (this.#forgotten === this.#heard || this.#parts.sql.isReadOnly) return
    const { sql } = this.#parts
    sql.all('DELETE FROM registered_ended WHERE number <= ? AND number < ?', this.#heard, this.#last)
    if (!this.hasNews) sql.all(`UPDATE registered_ended SET call = '' WHERE number = ?`, this.#last)
    this.#forgotten = this.#heard
  }

  #writeEnd(call: OpenCall): void {
    const number = this.#last + 1
    this.#parts.sql.run('INSERT INTO registered_ended (number, call) VALUES (?, ?)', number, JSON.stringify(call))
    this.#last = number
    // A gap in memory would be a gap in what is told.
    if (this.#queuedTo !== number - 1 || this.#queue.length >= MAX_ENDS_IN_MEMORY) return
    this.#queue.push({ ...call, number })
    this.#queuedTo = number
  }

  #loseNoted(goingOn: readonly string[]): void {
    const { sql } = this.#parts
    const kept = JSON.stringify(goingOn)
    sql.transaction(() => {
      const lost = 'FROM registered_running WHERE call_id NOT IN (SELECT value FROM json_each(?))'
      sql.all(`INSERT INTO registered_ended (call) SELECT call ${lost}`, kept)
      sql.all(`DELETE ${lost}`, kept)
    })
  }
}

type Ends = { readonly first: number | null; readonly last: number | null }
const NO_ENDS: Ends = { first: null, last: null }
