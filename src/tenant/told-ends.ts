import type { Sql } from '../ports/sql.ts'
import type { EndedCall } from './api.ts'

/** Up to which of its ends each session was heard: one that tells again after a crash adds nothing. */
export class ToldEnds {
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
    this.#sql.all('INSERT OR REPLACE INTO told_ends (node_id, number, at) VALUES (?, ?, ?)', node, number, now)
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
