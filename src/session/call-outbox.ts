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

/** An end that stands in the history's row of its call. */
export interface EndInRow {
  readonly number: number
  /** What that row does not say: JSON. */
  readonly usage: string
}

/** Writes the history's row of a call, with the end that is to stand in it. */
export type NoteEnd = (end: EndInRow | null) => void

/**
 * Who waits for an end to be told: calls that a limit lets begin no sooner (`others`), calls that it may keep from beginning
 * when there are more of them (`limited`), or nobody.
 */
export type AwaitedBy = 'others' | 'limited' | 'nobody'

interface OutboxParts {
  readonly sql: Sql
  /** The session's name, which rows of the history do not have. */
  readonly session: string
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
 * until it was heard, over restarts too: what the tenant counts is what the history has. The end of a call that was not noted
 * while it ran is written in the history's row itself; all others have rows of their own. One sequence numbers both.
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
    const [{ heard, last } = NO_ENDS] = sql.all<Ends>(READ_ENDS)
    this.#last = last
    if (sql.isReadOnly) this.#goingOn = goingOn
    else this.#loseNoted(goingOn)
    this.#openedAt = this.#last
    this.#heard = heard
    this.#forgotten = heard
    this.#queuedTo = this.#heard
  }

  /** True while the tenant has not heard of all ends. */
  get hasUnacknowledged(): boolean {
    return this.#heard < this.#last
  }

  /** True while an end waits that another call may wait for. */
  get isUrgent(): boolean {
    return this.#isUrgent && this.hasUnacknowledged
  }

  begin(historyId: string, call: OpenCall): void {
    const calls = this.#running.get(historyId)
    if (calls) calls.add(call)
    else this.#running.set(historyId, new Set([call]))
  }

  /** Whether no other call runs that the same call of the history makes. */
  isLast(historyId: string, call: OpenCall): boolean {
    const calls = this.#running.get(historyId)
    return calls?.size === 1 && calls.has(call)
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

  /**
   * Writes how a running call ended; nothing when it has ended already.
   * @param note writes the history's row, where it is written now; it is called in any case
   */
  end(historyId: string, call: OpenCall, how: Partial<OpenCall>, awaitedBy: AwaitedBy, note?: NoteEnd): void {
    const calls = this.#running.get(historyId)
    if (!calls?.delete(call)) {
      note?.(null)
      return
    }
    if (calls.size === 0) this.#running.delete(historyId)
    const ended = { ...call, ...how }
    const wasNoted = this.#noted.delete(call)
    if (note && !wasNoted) {
      this.writeWith(ended, awaitedBy, note, historyId)
    } else {
      note?.(null)
      this.write(ended, wasNoted, awaitedBy)
    }
    this.#isUrgent ||= awaitedBy === 'others'
  }

  /**
   * Writes the end of a call that was not noted while it ran, in the history's row where there is room on the disk.
   * @param historyId the call of that row: the one that ended, or the one that made it
   */
  writeWith(call: OpenCall, awaitedBy: AwaitedBy, note: NoteEnd, historyId: string = call.callId): void {
    if (this.#parts.sql.isReadOnly) {
      note(null)
      this.write(call, false, awaitedBy)
      return
    }
    const number = this.#last + 1
    note({ number, usage: usageOf(call, historyId) })
    this.#wrote(call, number)
    this.#wasWritten(call, awaitedBy)
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
    this.#wasWritten(call, awaitedBy)
  }

  #wasWritten(call: OpenCall, awaitedBy: AwaitedBy): void {
    if (!call.isQuick && this.#haste !== OF_LIMITED) this.#haste = awaitedBy === 'nobody' ? OF_UNLIMITED : OF_LIMITED
    // Seldom, and with what is written anyway: for each call it would be a transaction of its own.
    if (this.#heard - this.#forgotten >= FORGOTTEN_TOGETHER) this.forgetHeard()
  }

  /** Writes the ends that waited for room on the disk. */
  writeHeld(): void {
    if (this.#goingOn) {
      this.#loseNoted(this.#goingOn)
      this.#goingOn = null
    }
    for (const [call, wasNoted] of this.#held.splice(0)) this.write(call, wasNoted)
  }

  /** Nothing will be heard of running calls any more: the session is removed. */
  discard(): void {
    for (const calls of this.#running.values()) for (const call of calls) this.write(call, this.#noted.has(call))
    this.#running.clear()
    this.#noted.clear()
    this.#loseNoted([])
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
    const { sql, session } = this.#parts
    const rows = sql.all<UntoldRow>(UNTOLD, this.#heard, MAX_ENDS_AT_ONCE)
    this.#queue = rows.map(({ number, call, call_id: callId, started_at: startedAt }) => ({
      ...(callId !== null && startedAt !== null && { callId, session, startedAt }),
      ...(JSON.parse(call) as OpenCall),
      number,
    }))
    this.#queuedTo = rows.at(-1)?.number ?? this.#queuedTo
  }

  /**
   * Notes up to which number the tenant has heard of ends, and removes their own rows.
   * @returns that number, as a restart would find it
   */
  forgetHeard(): number {
    if (this.#forgotten === this.#heard || this.#parts.sql.isReadOnly) return this.#forgotten
    const { sql } = this.#parts
    sql.transaction(() => {
      sql.run('DELETE FROM registered_ended WHERE number <= ?', this.#heard)
      sql.run(`INSERT INTO registered_ended (number, call) VALUES (?, '')`, this.#heard)
    })
    this.#forgotten = this.#heard
    return this.#forgotten
  }

  #writeEnd(call: OpenCall): void {
    const number = this.#last + 1
    this.#parts.sql.run('INSERT INTO registered_ended (number, call) VALUES (?, ?)', number, JSON.stringify(call))
    this.#wrote(call, number)
  }

  #wrote(call: OpenCall, number: number): void {
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
      const lost = sql.all<{ call: string }>(
        'DELETE FROM registered_running WHERE call_id NOT IN (SELECT value FROM json_each(?)) RETURNING call',
        kept,
      )
      for (const { call } of lost) {
        this.#last += 1
        sql.run('INSERT INTO registered_ended (number, call) VALUES (?, ?)', this.#last, call)
      }
    })
  }
}

/** An end in the history's row, without what the row says: of the call itself its id and its beginning too. */
const usageOf = (call: OpenCall, historyId: string) =>
  JSON.stringify(
    call.callId === historyId
      ? { ...call, callId: undefined, session: undefined, startedAt: undefined }
      : { ...call, session: undefined },
  )

type Ends = { readonly heard: number; readonly last: number }
const NO_ENDS: Ends = { heard: 0, last: 0 }
/**
 * The empty row says up to which end the tenant has heard, at least: a restart tells the others again, by their numbers. Rows of the
 * history are numbered in their order.
 */
const READ_ENDS = `SELECT heard, max(own, inRow) AS last FROM (SELECT
  coalesce((SELECT max(number) FROM registered_ended WHERE call = ''), 0) AS heard,
  coalesce((SELECT max(number) FROM registered_ended), 0) AS own,
  coalesce((SELECT end_number FROM calls WHERE end_number IS NOT NULL ORDER BY seq DESC LIMIT 1), 0) AS inRow)`

type UntoldRow = { number: number; call: string; call_id: string | null; started_at: number | null }
/** Of the history, only rows behind the newest one that was heard are read: they may be large, and ten thousand. */
const UNTOLD = `SELECT number, call, NULL AS call_id, NULL AS started_at FROM registered_ended WHERE number > ?1 AND call <> ''
  UNION ALL SELECT end_number, usage, call_id, started_at FROM calls
    WHERE seq > coalesce((SELECT seq FROM calls WHERE end_number <= ?1 ORDER BY seq DESC LIMIT 1), 0) AND end_number > ?1
  ORDER BY number LIMIT ?2`
