import type { Sql } from '../ports/sql.ts'
import type { EndedCall } from './calls-api.ts'

/**
 * The number of the last acknowledged completion of each session: completions sent again after a crash count once. The time of
 * the last report is kept too, since each report is answered with leases of the limits and of the tools.
 */
export class AcknowledgedCompletions {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Completions with a number above the last acknowledged one. */
  fresh(node: string, calls: readonly EndedCall[]): readonly EndedCall[] {
    const [row] = this.#sql.all<{ number: number }>('SELECT number FROM told_ends WHERE node_id = ?', node)
    return calls.filter(({ number }) => number > (row?.number ?? 0))
  }

  note(node: string, number: number, now: number): void {
    this.#sql.run('INSERT OR REPLACE INTO told_ends (node_id, number, at) VALUES (?, ?, ?)', node, number, now)
  }

  /** Notes a lease of the limits for a session that has reported no completion. */
  leased(node: string, now: number): void {
    // Limits cannot be put on a full disk either, so the holders of the present ones need not be known.
    if (this.#sql.isReadOnly) return
    this.#sql.all(
      'INSERT INTO told_ends (node_id, number, at) VALUES (?, 0, ?) ON CONFLICT (node_id) DO UPDATE SET at = excluded.at',
      node,
      now,
    )
  }

  /** Names of the sessions that reported, or got a lease of the limits, after `since`. */
  holders(since: number): readonly string[] {
    return this.#sql
      .all<{ name: string }>('SELECT name FROM told_ends JOIN sessions USING (node_id) WHERE at > ?', since)
      .map(({ name }) => name)
  }

  /** Removes the row of a deleted session, which reports nothing again. */
  forget(node: string): void {
    this.#sql.all('DELETE FROM told_ends WHERE node_id = ?', node)
  }

  /** Removes sessions whose last report or lease is older than `before`. */
  expire(before: number): void {
    this.#sql.all('DELETE FROM told_ends WHERE at < ?', before)
  }
}
