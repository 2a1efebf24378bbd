import type { Sql } from '../ports/sql.ts'

/** One numbered change of an object's tables. Its number is its place in {@link Migrations.steps}, from 1. */
export interface Migration {
  /** Name of the migration's file, for readers of the table `migrations`. */
  readonly name: string
  /** Upgrades a database from the version before to this one, rows included. */
  readonly upgrade: (sql: Sql) => void
  /**
   * Makes the tables of this version in a new database. Without it a new database runs every step since the last one that has it:
   * more statements at each creation, and empty pages of earlier tables.
   */
  readonly create?: (sql: Sql) => void
}

/** All versions of the tables of one kind of object. */
export interface Migrations {
  /** Name of such an object in the log. */
  readonly object: string
  /** Migrations in order. A released one never changes, nor does its place. */
  readonly steps: readonly Migration[]
}

/** Whether a table has such a column. */
export const hasColumn = (sql: Sql, table: string, column: string): boolean =>
  sql.all('SELECT 1 AS found FROM pragma_table_info(?) WHERE name = ?', table, column).length > 0

/** Runs several statements without parameters. */
export function runAll(sql: Sql, statements: readonly string[]): void {
  for (const statement of statements) sql.all(statement)
}
