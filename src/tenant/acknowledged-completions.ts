import { LIMITS_LEASE_MS, LIMITS_LEASE_SLACK_MS } from '../core/limits/usage.ts'
import type { Sql } from '../ports/sql.ts'
import type { EndedCall } from './calls-api.ts'

/**
 * Up to which of its ends each session was heard: one that tells again after a crash adds nothing. And when, since whoever
 * tells gets a lease of the limits.
 */
export class AcknowledgedCompletions {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Those that were not told of before. */
  fresh(node: string, calls: readonly EndedCall[]): readonly EndedCall[] {
    const [row] = this.#sql.all<{ number: number }>('SELECT number FROM told_ends WHERE node_id = ?', node)
    return calls.filter(({ number }) => number > (row?.number ?? 0))
  }

  note(node: string, number: number, now: number): void {
    this.#sql.run('INSERT OR REPLACE INTO told_ends (node_id, number, at) VALUES (?, ?, ?)', node, number, now)
  }

  /** A session that has told nothing gets a lease of the limits. */
  leased(node: string, now: number): void {
    // Limits cannot be put on a full disk either, so nobody has to know who holds those of now.
    if (this.#sql.isReadOnly) return
    this.#sql.all(
      'INSERT INTO told_ends (node_id, number, at) VALUES (?, 0, ?) ON CONFLICT (node_id) DO UPDATE SET at = excluded.at',
      node,
      now,
    )
  }

  /** Names of the sessions that may hold a lease of the limits. */
  holders(now: number): readonly string[] {
    return this.#sql
      .all<{ name: string }>(
        'SELECT name FROM told_ends JOIN sessions USING (node_id) WHERE at > ?',
        now - LIMITS_LEASE_MS - LIMITS_LEASE_SLACK_MS,
      )
      .map(({ name }) => name)
  }

  /** The session is gone, and tells nothing again. */
  forget(node: string): void {
    this.#sql.all('DELETE FROM told_ends WHERE node_id = ?', node)
  }

  /** Forgets sessions that have told nothing since. */
  expire(before: number): void {
    this.#sql.all('DELETE FROM told_ends WHERE at < ?', before)
  }
}
