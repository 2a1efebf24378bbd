/**
 * A SQLite database with a synchronous interface: a Durable Object's own, or `node:sqlite` in plain tests. All statements of one
 * {@link Sql.transaction} are committed together or not at all.
 */
export interface Sql {
  /** True while the disk is full: statements that write throw FailureError `insufficient_storage`, and change nothing. */
  readonly isReadOnly: boolean
  /** Runs one statement and returns its rows. At most 100 bound parameters. */
  all<Row extends SqlRow>(query: string, ...params: SqlValue[]): Row[]
  /** Runs one statement without rows, for less than {@link Sql.all} costs. At most 100 bound parameters. */
  run(query: string, ...params: SqlValue[]): void
  /** Runs `work` as one transaction; rolls back when it throws, and rethrows. `work` must not await. */
  transaction<T>(work: () => T): T
}

export type SqlValue = string | number | null | Uint8Array | ArrayBuffer
export type SqlRow = Record<string, SqlValue>
