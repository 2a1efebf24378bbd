import {
  AUDIT_SEAL_RETRY_MS,
  AUDIT_SEGMENT_ENTRIES,
  AUDIT_SEGMENTS_PER_ALARM,
  MAX_AUDIT_SEGMENT_CHARS,
} from '../../core/limits/audit.ts'
import { sha256 } from '../../core/sha256.ts'
import type { SegmentStore } from '../../ports/audit-segments.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Sql } from '../../ports/sql.ts'
import type { AuditLog } from '../audit-log.ts'
import { packSegment, unpackSegment } from './segment-file.ts'
import type { Segment, SegmentTable } from './segment-table.ts'

interface Parts {
  readonly sql: Sql
  readonly clock: Clock
  readonly log: AuditLog
  readonly table: SegmentTable
  readonly store: SegmentStore
  readonly logError: (thrown: unknown) => void
}

/**
 * Sealing of the audit log's oldest entries: each segment of them becomes an object of the store, is read back, and only then leaves
 * the tenant's tables. Cut off anywhere, the next {@link AuditSealer.work} stores the same segment in the same place again.
 */
export class AuditSealer {
  readonly #parts: Parts
  #working: Promise<void> | null = null
  /** Time of the next attempt after a failure. */
  #againAt: number | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Time when {@link work} has something to do; null when it has nothing, or is under way. */
  nextTime(): number | null {
    if (this.#working) return null
    const { log, clock } = this.#parts
    return this.#againAt ?? (log.isLong ? clock.now() : null)
  }

  /** Deletes objects of dropped segments, and seals the next segments. A second call joins the one under way. Failed work is repeated. */
  work(): Promise<void> {
    this.#working ??= this.#tryWork().finally(() => {
      this.#working = null
    })
    return this.#working
  }

  async #tryWork(): Promise<void> {
    const { log, clock, logError } = this.#parts
    this.#againAt = null
    try {
      await this.#deleteDropped()
      for (let count = 0; count < AUDIT_SEGMENTS_PER_ALARM && log.measure(); count++) await this.#sealNext()
      log.measure()
    } catch (thrown) {
      logError(thrown)
      this.#againAt = clock.now() + AUDIT_SEAL_RETRY_MS
    }
  }

  async #deleteDropped(): Promise<void> {
    const { table, store } = this.#parts
    for (let firsts = table.dropped(); firsts.length > 0; firsts = table.dropped()) {
      await store.delete(firsts)
      table.forget(firsts)
    }
  }

  async #sealNext(): Promise<void> {
    const { sql, log, table, store } = this.#parts
    const { first, last } = table.awaited() ?? this.#begin()
    const lines = log.entries(first - 1, last - first + 1).map(({ line }) => line)
    const file = await packSegment(lines)
    await store.put(first, file.content, file.sha256)
    const stored = await store.get(first, file.content.length)
    if (!stored || sha256(stored) !== file.sha256 || !isSame(await unpackSegment(stored), lines)) {
      throw new Error(`entries ${first} to ${last} of an audit log are not in the store as they were sealed`)
    }
    sql.transaction(() => {
      if (table.seal(last, stored.length, file.sha256)) log.removeRows(last)
    })
  }

  /** Notes the segment of the oldest entries. */
  #begin(): Segment {
    const segment = this.#oldest()
    this.#parts.table.await(segment)
    return segment
  }

  #oldest(): Segment {
    const rows = this.#parts.sql.all<{ seq: number; chars: number }>(
      'SELECT seq, length(entry) AS chars FROM audit ORDER BY seq LIMIT ?',
      AUDIT_SEGMENT_ENTRIES,
    )
    let [taken, chars] = [0, 0]
    for (const row of rows) {
      chars += row.chars
      if (taken > 0 && chars > MAX_AUDIT_SEGMENT_CHARS) break
      taken += 1
    }
    const { log } = this.#parts
    const [begin, end] = [log.row(rows[0]?.seq ?? 0), log.row(rows[taken - 1]?.seq ?? 0)]
    if (!begin || !end) throw new Error('an audit log that is to be sealed is empty')
    const { prev } = JSON.parse(begin.entry) as { readonly prev: string }
    return { first: begin.seq, last: end.seq, lastAt: end.at, prev, hash: end.hash }
  }
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((line, at) => line === other[at])
