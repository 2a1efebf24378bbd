import type { Sql, SqlRow, SqlValue } from '../ports/sql.ts'

/**
 * A table that few sessions need, made before its first row is written: an empty one takes 4 KiB of disk, and as much again for
 * each index, in every session that there is.
 */
export class LazyTable {
  readonly #sql: Sql
  readonly #name: string
  readonly #columns: string
  #isThere = false

  /** @param columns what stands between the parentheses of its definition */
  constructor(sql: Sql, name: string, columns: string) {
    this.#sql = sql
    this.#name = name
    this.#columns = columns
  }

  /** Runs a statement that adds no row. @returns nothing while there is no table */
  read<Row extends SqlRow>(query: string, ...params: SqlValue[]): Row[] {
    this.#isThere ||= this.#sql.all('SELECT 1 AS found FROM sqlite_master WHERE name = ?', this.#name).length > 0
    return this.#isThere ? this.#sql.all<Row>(query, ...params) : []
  }

  /** Runs a statement that adds a row. */
  write(query: string, ...params: SqlValue[]): void {
    this.#sql.all(`CREATE TABLE IF NOT EXISTS ${this.#name} (${this.#columns}) STRICT`)
    this.#sql.all(query, ...params)
  }
}
