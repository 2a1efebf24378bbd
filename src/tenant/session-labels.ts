import type { Sql } from '../ports/sql.ts'

/** Index of sessions by their labels, in order of creation. */
export class SessionLabels {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Replaces the labels of a session. */
  put(name: string, createdAt: number, labels: Readonly<Record<string, string>>): void {
    this.forget(name)
    for (const [key, value] of Object.entries(labels)) {
      this.#sql.all(
        'INSERT OR REPLACE INTO session_labels (key, value, created_at, name) VALUES (?, ?, ?, ?)',
        key,
        value,
        createdAt,
        name,
      )
    }
  }

  forget(name: string): void {
    this.#sql.all('DELETE FROM session_labels WHERE name = ?', name)
  }
}
