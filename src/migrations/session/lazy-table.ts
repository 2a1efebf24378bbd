import type { Sql, SqlRow, SqlValue } from '../../ports/sql.ts'
import { LAZY_TABLES } from './lazy-tables.ts'

/**
 * A table that few sessions need, made before its first row is written: an empty one takes 4 KiB of disk, and as much again for
 * each index, in every session that there is.
 */
export class LazyTable {
  readonly #sql: Sql
  readonly #name: keyof typeof LAZY_TABLES
  #isThere = false

  constructor(sql: Sql, name: keyof typeof LAZY_TABLES) {
    this.#sql = sql
    this.#name = name
  }

  /** Runs a statement that adds no row. @returns nothing while there is no table */
  read<Row extends SqlRow>(query: string, ...params: SqlValue[]): Row[] {
    this.#isThere ||= this.#sql.all('SELECT 1 AS found FROM sqlite_master WHERE name = ?', this.#name).length > 0
    return this.#isThere ? this.#sql.all<Row>(query, ...params) : []
  }

  /** Makes it where it is not there: before a transaction that looks at it after the first write, and may be taken back. */
  make(): void {
    for (const statement of LAZY_TABLES[this.#name]) this.#sql.all(statement)
  }

  /** Runs a statement that adds a row, and makes the table before it where there is none. */
  write<Row extends SqlRow>(query: string, ...params: SqlValue[]): Row[] {
    this.make()
    return this.#sql.all<Row>(query, ...params)
  }
}
