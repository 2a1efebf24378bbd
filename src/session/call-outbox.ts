import { isTenantClosed } from '../core/closed-tenant.ts'
import {
  COMPLETION_REPORT_MS,
  ENDS_PAUSE_MS,
  ENDS_WORTH_A_REPORT,
  MAX_ENDS_AT_ONCE,
  MAX_ENDS_IN_MEMORY,
  MAX_ENDS_PAUSE_MS,
  QUICK_COMPLETION_REPORT_MS,
} from '../core/limits/usage.ts'
import { LazyTable } from '../migrations/session/lazy-table.ts'
import type { Sql } from '../ports/sql.ts'
import type { CallPrice } from '../registry/call-price.ts'
import type { EndedCall } from '../tenant/calls-api.ts'
import { batchOf } from './ended-batch.ts'

/** A running call, with the values to report if it is lost. */
export type OpenCall = Omit<EndedCall, 'number' | 'each' | 'admittedAs' | 'cost'> & {
  admittedAs?: string | null
  /** Price at its beginning; null for a tenant without prices, undefined where that is not known. */
  price?: CallPrice | null | undefined
  /** Cost so far: until its end, that of one without time in the sandbox. */
  cost?: number
}

/** A completion stored in the history's row of its call. */
export interface EndInRow {
  readonly number: number
  /** Fields that the row lacks, as JSON. */
  readonly usage: string
}

/** Writes the history's row of a call, with the completion to store in it. */
export type NoteEnd = (end: EndInRow | null) => void

/**
 * Awaiter of a completion's report: calls that a limit holds back (`others`), calls that a limit would hold back if there
 * were more (`limited`), or nobody.
 */
export type AwaitedBy = 'others' | 'limited' | 'nobody'

interface OutboxParts {
  readonly sql: Sql
  /** The session's name, which rows of the history lack. */
  readonly session: string
  /** Reports completions. @throws when the report failed */
  readonly tell: (calls: readonly EndedCall[]) => Promise<void>
  /** Whether somebody waits for each completion: they are reported soon, and none together with others alike. */
  readonly isWatched?: () => boolean
  readonly logError: (thrown: unknown) => void
}

const FORGOTTEN_TOGETHER = 50

/** Delay of reports, and whether there is a pause between two of them. */
interface Haste {
  readonly withinMs: number
  readonly hasPause: boolean
}
const OF_QUICK: Haste = { withinMs: QUICK_COMPLETION_REPORT_MS, hasPause: true }
const OF_UNLIMITED: Haste = { withinMs: COMPLETION_REPORT_MS, hasPause: true }
const OF_LIMITED: Haste = { withinMs: COMPLETION_REPORT_MS, hasPause: false }

/**
 * Completions that the tenant has not acknowledged. Each is written in the transaction that writes the history, and reported
 * until it is acknowledged, over restarts too: the tenant counts what the history has. The completion of a call that was not
 * noted while it ran is stored in the history's row; all others have rows of their own. One sequence numbers both.
 */
export class CallOutbox {
  readonly #parts: OutboxParts
  /** Running calls, by id of the call in the history that makes them. */
  readonly #running = new Map<string, Set<OpenCall>>()
  readonly #runningTable: LazyTable
  /** Running calls whose rows are in the database. */
  readonly #noted = new Set<OpenCall>()
  /** The oldest unreported completions, without gaps; later ones are in the database alone. */
  #queue: EndedCall[] = []
  #queuedTo: number
  /** The batch under way, sent unchanged until it is acknowledged: its entries stand for several completions each. */
  #batch: { readonly calls: readonly EndedCall[]; readonly last: number } | null = null
  #telling: Promise<void> | null = null
  /** Time of the next report, in milliseconds of the session's clock; null when none is planned. */
  #dueAt: number | null = null
  #isUrgent = false
  /** Urgency of the completions since the last {@link tellSoon}; null for quick ones that no limit counts. */
  #haste: Haste | null = null
  /** Time of the last report, on the clock of {@link tellSoon}. */
  #reportedAt = Number.NEGATIVE_INFINITY
  /** Pause after that report. */
  #pauseMs = ENDS_PAUSE_MS
  /** Number of the last completion requested to be reported; newer ones wait for their own time. */
  #wanted = 0
  /** Number of the newest completion. */
  #last: number
  /** Number of the last acknowledged completion. */
  #heard: number
  /**
   * Number of the newest completion when the session was opened: up to this one the tenant may have acknowledged some before a
   * crash.
   */
  readonly #openedAt: number
  /** Number of the last completion whose row is removed. */
  #forgotten: number
  /** Completions that wait for room on the disk, oldest first, each with whether its call was noted. */
  readonly #held: (readonly [OpenCall, boolean])[] = []
  /** Ids of continuing calls, while the calls that a restart cut off could not be written as lost on a full disk; else null. */
  #goingOn: readonly string[] | null = null

  /** @param goingOn ids of pending calls, whose work a restart did not cut off */
  constructor(parts: OutboxParts, goingOn: readonly string[]) {
    this.#parts = parts
    const { sql } = parts
    this.#runningTable = new LazyTable(sql, 'registered_running')
    const [{ heard, last } = NO_ENDS] = sql.all<Ends>(READ_ENDS)
    this.#last = last
    if (sql.isReadOnly) this.#goingOn = goingOn
    else this.#loseNoted(goingOn)
    this.#openedAt = this.#last
    this.#heard = heard
    this.#forgotten = heard
    this.#queuedTo = this.#heard
  }

  /** Whether some completion is not acknowledged. */
  get hasUnacknowledged(): boolean {
    return this.#heard < this.#last
  }

  /** Whether a completion is unreported for which another call may wait. */
  get isUrgent(): boolean {
    return this.#isUrgent && this.hasUnacknowledged
  }

  begin(historyId: string, call: OpenCall): void {
    const calls = this.#running.get(historyId)
    if (calls) calls.add(call)
    else this.#running.set(historyId, new Set([call]))
  }

  /** Key of a running call of the history; undefined for none that is counted. */
  keyOf(historyId: string): string | null | undefined {
    const [call] = this.#running.get(historyId) ?? []
    return call?.key
  }

  /** Whether no other call runs that the same call of the history makes. */
  isLast(historyId: string, call: OpenCall): boolean {
    const calls = this.#running.get(historyId)
    return calls?.size === 1 && calls.has(call)
  }

  *running(): Iterable<OpenCall> {
    for (const calls of this.#running.values()) yield* calls
  }

  /** Notes the running calls that a call of the history makes, so that they are known after a crash. */
  noteRunning(historyId: string): void {
    for (const call of this.#running.get(historyId) ?? []) this.note(call)
  }

  note(call: OpenCall): void {
    if (this.#noted.has(call)) return
    this.#noted.add(call)
    const text = JSON.stringify(call)
    this.#runningTable.make()
    this.#parts.sql.all('INSERT OR IGNORE INTO registered_running (call_id, call) VALUES (?, ?)', call.callId, text)
  }

  /** Call as it was noted before the session was opened; null when it was not. */
  noted(callId: string): OpenCall | null {
    const [row] = this.#runningTable.read<{ call: string }>(
      'SELECT call FROM registered_running WHERE call_id = ?',
      callId,
    )
    return row ? (JSON.parse(row.call) as OpenCall) : null
  }

  /**
   * Writes the completion of a running call; does nothing when it has ended already.
   * @param note writes the history's row, when that is due now; it is called in any case
   * @returns whether this was its end
   */
  end(historyId: string, call: OpenCall, how: Partial<OpenCall>, awaitedBy: AwaitedBy, note?: NoteEnd): boolean {
    const calls = this.#running.get(historyId)
    if (!calls?.delete(call)) {
      note?.(null)
      return false
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
    return true
  }

  /**
   * Writes the completion of a call not noted while it ran, in the history's row where there is room on the disk.
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

  /** Writes an entry that is no call, in one transaction with `change`. @throws FailureError on a full disk */
  writeBeside(entry: OpenCall, change: () => void): void {
    this.#parts.sql.transaction(() => {
      change()
      this.#writeEnd(entry)
    })
    this.#wasWritten(entry, 'nobody')
  }

  /**
   * Writes a completion. For a noted call this happens once: the session may have been reopened while the call ran, and have
   * counted it as lost.
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
    if (call.isQuick && awaitedBy !== 'nobody') this.#haste ??= OF_QUICK
    // In batches, and with other writes: for each call alone this would be a transaction of its own.
    if (this.#heard - this.#forgotten >= FORGOTTEN_TOGETHER) this.forgetHeard()
  }

  /** Writes the completions that waited for room on the disk. */
  writeHeld(): void {
    if (this.#goingOn) {
      this.#loseNoted(this.#goingOn)
      this.#goingOn = null
    }
    for (const [call, wasNoted] of this.#held.splice(0)) this.write(call, wasNoted)
  }

  /** Drops the running calls of a removed session, which report nothing any more. */
  discard(): void {
    for (const calls of this.#running.values()) for (const call of calls) this.write(call, this.#noted.has(call))
    this.#running.clear()
    this.#noted.clear()
    this.#loseNoted([])
  }

  /**
   * Reports as {@link tell} does, a moment later where no call waits for the completions: those of several calls together. A few quick
   * ones that no limit counts are left to the session's next alarm, since a timer keeps the object in use, which is billed, for longer than their calls did.
   * @returns null when a report is planned already, or left to the alarm
   */
  tellSoon(now: number): Promise<void> | null {
    const haste = this.#parts.isWatched?.() ? OF_LIMITED : this.#haste
    const { withinMs, hasPause } = haste ?? OF_QUICK
    const unreported = this.#last - this.#heard
    this.#haste = null
    if (this.#isUrgent || unreported >= MAX_ENDS_AT_ONCE) {
      this.#reportedAt = now
      return this.tell()
    }
    if (haste === null && unreported < ENDS_WORTH_A_REPORT) return null
    const dueAt = Math.max(now + withinMs, Math.min(this.#reportedAt, now) + (hasPause ? this.#pauseMs : 0))
    if (this.#dueAt !== null && this.#dueAt <= dueAt) return null
    this.#dueAt = dueAt
    return new Promise<void>((resolve) => setTimeout(resolve, dueAt - now)).then(() => {
      if (this.#dueAt !== dueAt) return // an earlier time was planned since
      this.#dueAt = null
      this.#pauseMs = this.#nextPause(dueAt)
      this.#reportedAt = dueAt
      return this.tell()
    })
  }

  /** Pause after a report made now: sessions that call seldom are heard soon, and those that go on tell many ends together. */
  #nextPause(now: number): number {
    if (now - this.#reportedAt >= 2 * this.#pauseMs) return ENDS_PAUSE_MS
    const count = this.#last - this.#heard
    if (count < ENDS_WORTH_A_REPORT) return Math.min(2 * this.#pauseMs, MAX_ENDS_PAUSE_MS)
    return count < 2 * ENDS_WORTH_A_REPORT ? this.#pauseMs : Math.max(this.#pauseMs / 2, ENDS_PAUSE_MS)
  }

  /** Reports the completions until now to the tenant. A failed report is repeated the next time. */
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
    // Without new completions the storage is not read: the session may have been removed, with its tables. Completions in the
    // meantime wait: reported at once, each call of a busy session would take a report of its own.
    while (this.#heard < this.#wanted) {
      this.#isUrgent = false
      this.#batch ??= this.#nextBatch()
      if (!this.#batch) return
      try {
        await this.#parts.tell(this.#batch.calls)
      } catch (thrown) {
        // Nobody counts the calls of a deleted tenant.
        if (!isTenantClosed(thrown)) {
          this.#parts.logError(thrown)
          return
        }
      }
      this.#heard = this.#batch.last
      this.#batch = null
    }
  }

  #nextBatch(): { readonly calls: readonly EndedCall[]; readonly last: number } | null {
    if (this.#queue.length === 0) this.#load()
    const { calls, count } = batchOf(this.#queue, this.#parts.isWatched?.() ? this.#last : this.#openedAt)
    const last = this.#queue[count - 1]?.number
    this.#queue.splice(0, count)
    return last === undefined ? null : { calls, last }
  }

  #load(): void {
    const { sql, session } = this.#parts
    const rows = sql.all<UnreportedRow>(UNREPORTED, this.#heard, MAX_ENDS_AT_ONCE)
    this.#queue = rows.map(({ number, call, call_id: callId, started_at: startedAt }) => ({
      ...(callId !== null && startedAt !== null && { callId, session, startedAt }),
      ...(JSON.parse(call) as OpenCall),
      number,
    }))
    this.#queuedTo = rows.at(-1)?.number ?? this.#queuedTo
  }

  /**
   * Stores the number of the last acknowledged completion, and removes the rows of completions up to it.
   * @returns that number, as a restart would find it
   */
  forgetHeard(): number {
    if (this.#forgotten === this.#heard || this.#parts.sql.isReadOnly) return this.#forgotten
    const { sql } = this.#parts
    sql.transaction(() => {
      sql.run(DROP_HEARD, this.#heard)
      // One row written, where dropping it and putting in another are two.
      const moved = sql.all(MOVE_HEARD, this.#heard)
      if (moved.length === 0) sql.run(`INSERT INTO registered_ended (number, call) VALUES (?, '')`, this.#heard)
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
    // A gap in memory would be a gap in the report.
    if (this.#queuedTo !== number - 1 || this.#queue.length >= MAX_ENDS_IN_MEMORY) return
    this.#queue.push({ ...call, number })
    this.#queuedTo = number
  }

  #loseNoted(goingOn: readonly string[]): void {
    const { sql } = this.#parts
    const kept = JSON.stringify(goingOn)
    sql.transaction(() => {
      const lost = this.#runningTable.read<{ call: string }>(
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

/** A completion in the history's row, without the fields that the row has: its id and beginning where it is the row's own call. */
const usageOf = (call: OpenCall, historyId: string) =>
  JSON.stringify(
    call.callId === historyId
      ? { ...call, callId: undefined, session: undefined, startedAt: undefined }
      : { ...call, session: undefined },
  )

type Ends = { readonly heard: number; readonly last: number }
const NO_ENDS: Ends = { heard: 0, last: 0 }
/**
 * SQL for the last acknowledged and the newest completion. The empty row holds the former, or an earlier one: a restart reports
 * later ones again, by their numbers. Rows of the history are numbered in order.
 */
const READ_ENDS = `SELECT heard, max(own, inRow) AS last FROM (SELECT
  coalesce((SELECT max(number) FROM registered_ended WHERE call = ''), 0) AS heard,
  coalesce((SELECT max(number) FROM registered_ended), 0) AS own,
  coalesce((SELECT end_number FROM calls WHERE end_number IS NOT NULL ORDER BY seq DESC LIMIT 1), 0) AS inRow)`

const HEARD = "SELECT max(number) FROM registered_ended WHERE call = ''"
const DROP_HEARD = `DELETE FROM registered_ended WHERE number <= ? AND number IS NOT (${HEARD})`
const MOVE_HEARD = `UPDATE registered_ended SET number = ? WHERE number = (${HEARD}) RETURNING number`

type UnreportedRow = { number: number; call: string; call_id: string | null; started_at: number | null }
/**
 * SQL for unreported completions. Of the history, it reads only rows behind the newest acknowledged one: rows may be large, and
 * ten thousand.
 */
const UNREPORTED = `SELECT number, call, NULL AS call_id, NULL AS started_at FROM registered_ended WHERE number > ?1 AND call <> ''
  UNION ALL SELECT end_number, usage, call_id, started_at FROM calls
    WHERE seq > coalesce((SELECT seq FROM calls WHERE end_number <= ?1 ORDER BY seq DESC LIMIT 1), 0) AND end_number > ?1
  ORDER BY number LIMIT ?2`
