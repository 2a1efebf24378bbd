import type { Sql } from '../../ports/sql.ts'

/** Store of the work that the owner of the server began on a tenant: one record of each kind. */
export class OwnerWork<Work extends object> {
  readonly #sql: Sql
  readonly #kind: 'deletion' | 'sandboxes'
  #record: Work | null | undefined

  constructor(sql: Sql, kind: 'deletion' | 'sandboxes') {
    this.#sql = sql
    this.#kind = kind
  }

  /** Record of the work; null when there is none. Tables of earlier versions have none. */
  read(): Work | null {
    if (this.#record === undefined) this.#record = this.#load()
    return this.#record
  }

  write(record: Work): void {
    this.#record = undefined
    this.#sql.all('INSERT OR REPLACE INTO owner_work (kind, record) VALUES (?, ?)', this.#kind, JSON.stringify(record))
    this.#record = record
  }

  remove(): void {
    this.#sql.all('DELETE FROM owner_work WHERE kind = ?', this.#kind)
    this.#record = null
  }

  #load(): Work | null {
    const [table] = this.#sql.all("SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = 'owner_work'")
    if (!table) return null
    const [row] = this.#sql.all<{ record: string }>('SELECT record FROM owner_work WHERE kind = ?', this.#kind)
    return row ? (JSON.parse(row.record) as Work) : null
  }
}
