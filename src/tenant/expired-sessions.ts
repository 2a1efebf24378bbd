import { MAX_EXPIRED_SESSIONS } from '../core/limits/tenants.ts'
import type { Expiry } from '../core/session-settings.ts'
import type { Sql } from '../ports/sql.ts'

/** Names of sessions whose lifetime was over, the newest MAX_EXPIRED_SESSIONS, for those who come late. */
export class ExpiredSessions {
  readonly #sql: Sql
  /** False when no name is noted, so that a new session needs no statement. */
  #mayHave: boolean | null = null

  constructor(sql: Sql) {
    this.#sql = sql
  }

  note(name: string, { at, by }: Expiry): void {
    this.#sql.all('INSERT OR REPLACE INTO expired_sessions (name, at, lifetime) VALUES (?, ?, ?)', name, at, by)
    this.#sql.all(
      'DELETE FROM expired_sessions WHERE seq <= (SELECT max(seq) FROM expired_sessions) - ?',
      MAX_EXPIRED_SESSIONS,
    )
    this.#mayHave = true
  }

  forget(name: string): void {
    this.#mayHave ??= this.#sql.all('SELECT 1 FROM expired_sessions LIMIT 1').length > 0
    if (this.#mayHave) this.#sql.all('DELETE FROM expired_sessions WHERE name = ?', name)
  }

  find(name: string): Expiry | null {
    const [row] = this.#sql.all<{ at: number; lifetime: Expiry['by'] }>(
      'SELECT at, lifetime FROM expired_sessions WHERE name = ?',
      name,
    )
    return row ? { at: row.at, by: row.lifetime } : null
  }
}
