import type { Sql, SqlRow, SqlValue } from '../../ports/sql.ts'
import { LAZY_TABLES } from './lazy-tables.ts'

/**
 * A table that few sessions need, made before its first row is written: an empty one would take 4 KiB of disk in every session,
 * and as much again for each index.
 */
export class LazyTable {
  readonly #sql: Sql
  readonly #name: keyof typeof LAZY_TABLES
  #isThere = false

  constructor(sql: Sql, name: keyof typeof LAZY_TABLES) {
    this.#sql = sql
    this.#name = name
  }

  /** Runs a statement that adds no row. @returns nothing while the table does not exist */
  read<Row extends SqlRow>(query: string, ...params: SqlValue[]): Row[] {
    this.#isThere ||= this.#sql.all('SELECT 1 AS found FROM sqlite_master WHERE name = ?', this.#name).length > 0
    return this.#isThere ? this.#sql.all<Row>(query, ...params) : []
  }

  /**
   * Makes the table where it does not exist, outside of any transaction: before one that reads the table after its first write, and
   * may be rolled back, or that writes many rows.
   */
  make(): void {
    if (this.#isThere) return
    this.#create()
    this.#isThere = true
  }

  /** Runs a statement that adds a row, and makes the table before it where it does not exist. */
  write<Row extends SqlRow>(query: string, ...params: SqlValue[]): Row[] {
    // A table that a transaction makes may go with it, so it is not remembered.
    if (!this.#isThere) this.#create()
    return this.#sql.all<Row>(query, ...params)
  }

  #create(): void {
    for (const statement of LAZY_TABLES[this.#name]) this.#sql.all(statement)
  }
}
