import type { Sql } from '../ports/sql.ts'

/** One numbered change of the tables of an object. Its number is its place in {@link Migrations.steps}, from 1. */
export interface Migration {
  /** The name of its file, for people who look into the table `migrations`. */
  readonly name: string
  /** Brings a database of the version before to this one, rows included. */
  readonly upgrade: (sql: Sql) => void
  /**
   * Makes the tables of this version in a new database. Without it a new one takes every step since the last that has it:
   * statements at each creation, and pages that tables of before leave behind.
   */
  readonly create?: (sql: Sql) => void
}

/** All versions of the tables of one kind of object. */
export interface Migrations {
  /** What the log calls such an object. */
  readonly object: string
  /** In their order. One that was ever released stays as it is, and in its place. */
  readonly steps: readonly Migration[]
}

/** True for a table that has such a column. */
export const hasColumn = (sql: Sql, table: string, column: string): boolean =>
  sql.all('SELECT 1 AS found FROM pragma_table_info(?) WHERE name = ?', table, column).length > 0

/** Runs several statements without parameters. */
export function runAll(sql: Sql, statements: readonly string[]): void {
  for (const statement of statements) sql.all(statement)
}
