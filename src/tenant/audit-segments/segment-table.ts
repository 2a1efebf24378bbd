import { AUDIT_SEGMENT_ENTRIES, AUDIT_SEGMENTS_DROPPED_AT_ONCE } from '../../core/limits/audit.ts'
import type { Sql } from '../../ports/sql.ts'
import type { AuditHead } from '../audit-api.ts'

/** Segment of the audit log: entries of consecutive numbers. */
export interface Segment {
  readonly first: number
  readonly last: number
  /** Time of the last entry. */
  readonly lastAt: number
  /** Hash of the entry before the first. */
  readonly prev: string
  /** Hash of the last entry. */
  readonly hash: string
}

/** Segment whose entries are in the store alone, in an object of that length and SHA-256. */
export interface SealedSegment extends Segment {
  readonly bytes: number
  readonly sha256: string
}

const COLUMNS = 'first, last, last_at AS lastAt, prev, hash, bytes, sha256'
type Row = { first: number; last: number; lastAt: number; prev: string; hash: string; bytes: number; sha256: string }

/**
 * Table of the audit log's segments. One is `awaited` from before its object is stored, so that a crash leaves no object that nobody
 * knows; then `sealed`, and `deleting` until its object is gone.
 */
export class SegmentTable {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** The segment that is being sealed, which is the newest. */
  awaited(): Segment | null {
    const [row] = this.#sql.all<Row & { state: string }>(
      `SELECT ${COLUMNS}, state FROM audit_segments ORDER BY last DESC LIMIT 1`,
    )
    return row?.state === 'awaited' ? row : null
  }

  await({ first, last, lastAt, prev, hash }: Segment): void {
    this.#sql.run(
      `INSERT INTO audit_segments (last, first, state, last_at, prev, hash, bytes, sha256) VALUES (?, ?, 'awaited', ?, ?, ?, 0, '')`,
      ...[last, first, lastAt, prev, hash],
    )
  }

  /** Notes that the awaited segment is stored. @returns false when it was dropped meanwhile */
  seal(last: number, bytes: number, sha256: string): boolean {
    const rows = this.#sql.all(
      `UPDATE audit_segments SET state = 'sealed', bytes = ?, sha256 = ? WHERE last = ? AND state = 'awaited' RETURNING last`,
      ...[bytes, sha256, last],
    )
    return rows.length > 0
  }

  /** The sealed segment that has the entry after number `after`, or the first one of higher numbers. */
  following(after: number): SealedSegment | null {
    const [row] = this.#sql.all<Row>(
      `SELECT ${COLUMNS} FROM audit_segments WHERE last > ? AND state = 'sealed' ORDER BY last LIMIT 1`,
      after,
    )
    return row ?? null
  }

  /** Last entry of the oldest segments that end before a time, or by number `through`; of AUDIT_SEGMENTS_DROPPED_AT_ONCE at most. */
  lastBefore(time: number, through: number): AuditHead | null {
    const [row] = this.#sql.all<{ seq: number; hash: string }>(
      `SELECT last AS seq, hash FROM (
         SELECT * FROM audit_segments WHERE state = 'sealed' ORDER BY last LIMIT ${AUDIT_SEGMENTS_DROPPED_AT_ONCE}
       ) WHERE last_at < ? OR last <= ? ORDER BY last DESC LIMIT 1`,
      ...[time, through],
    )
    return row ?? null
  }

  /** Marks segments that have entries up to number `through` for deletion. */
  drop(through: number): void {
    this.#sql.run(
      "UPDATE audit_segments SET state = 'deleting' WHERE last < ? AND first <= ?",
      ...[through + AUDIT_SEGMENT_ENTRIES, through],
    )
  }

  /** First numbers of the next segments that are marked for deletion. */
  dropped(): number[] {
    return this.#sql
      .all<{ first: number }>(
        `SELECT first FROM audit_segments WHERE state = 'deleting' LIMIT ${AUDIT_SEGMENTS_DROPPED_AT_ONCE}`,
      )
      .map(({ first }) => first)
  }

  /** Forgets segments whose objects are gone. */
  forget(firsts: readonly number[]): void {
    this.#sql.run(
      "DELETE FROM audit_segments WHERE state = 'deleting' AND first IN (SELECT value FROM json_each(?))",
      JSON.stringify(firsts),
    )
  }
}
