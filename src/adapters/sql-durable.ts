import type { Sql, SqlRow, SqlValue } from '../ports/sql.ts'

/** The SQLite database of a Durable Object. */
export function durableSql(storage: DurableObjectStorage): Sql {
  return {
    all<Row extends SqlRow>(query: string, ...params: SqlValue[]) {
      // The cast: a Durable Object gives BLOBs as ArrayBuffer, one of the forms that SqlValue allows.
      return storage.sql.exec(query, ...params).toArray() as SqlRow[] as Row[]
    },
    transaction: (work) => storage.transactionSync(work),
  }
}
