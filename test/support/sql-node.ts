import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { DISK_FULL } from '../../src/core/disk-full.ts'
import { FailureError } from '../../src/core/failure.ts'
import type { Sql, SqlRow, SqlValue } from '../../src/ports/sql.ts'

/** `Sql` over Node's own SQLite: a Durable Object's behaviour, in plain tests. Counts its statements. */
export class NodeSql implements Sql {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()
  statements = 0
  /** True for a database on a full disk. */
  isReadOnly = false

  /** @param file an existing database; without it an empty one in memory */
  constructor(file = ':memory:') {
    this.#database = new DatabaseSync(file)
  }

  all<Row extends SqlRow>(query: string, ...params: SqlValue[]): Row[] {
    this.statements += 1
    if (this.isReadOnly && !/^\s*SELECT\b/.test(query)) throw new FailureError(DISK_FULL)
    if (params.length > 100) throw new Error('too many SQL variables: a Durable Object takes 100')
    let statement = this.#prepared.get(query)
    if (!statement) {
      statement = this.#database.prepare(query)
      this.#prepared.set(query, statement)
    }
    const bound = params.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value))
    return statement.all(...bound) as Row[]
  }

  run(query: string, ...params: SqlValue[]): void {
    if (this.all(query, ...params).length > 0) throw new Error('a statement that is run gives no rows')
  }

  transaction<T>(work: () => T): T {
    this.#database.exec('BEGIN')
    try {
      const result = work()
      this.#database.exec('COMMIT')
      return result
    } catch (thrown) {
      this.#database.exec('ROLLBACK')
      throw thrown
    }
  }
}
