import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { fail } from '../../src/core/failure.ts'
import type { Database, DatabaseRow, Statement } from '../../src/ports/database.ts'

/** `Database` over Node's own SQLite, in memory: D1's behaviour, in plain tests. Counts its statements. */
export class NodeDatabase implements Database {
  readonly #database = new DatabaseSync(':memory:')
  readonly #prepared = new Map<string, StatementSync>()
  statements: Statement[] = []

  constructor(...schemas: string[]) {
    for (const schema of schemas) this.#database.exec(schema)
  }

  async rows<Row extends DatabaseRow>(statement: Statement): Promise<Row[]> {
    return this.#runQuery(() => this.#run(statement)) as Row[]
  }

  async batch(statements: readonly Statement[]): Promise<DatabaseRow[][]> {
    return this.#runQuery(() => {
      this.#database.exec('BEGIN')
      try {
        const all = statements.map((statement) => this.#run(statement))
        this.#database.exec('COMMIT')
        return all
      } catch (thrown) {
        this.#database.exec('ROLLBACK')
        throw thrown
      }
    })
  }

  #run(statement: Statement): DatabaseRow[] {
    this.statements.push(statement)
    const { query, params } = statement
    if (params.length > 100) throw new Error('too many SQL variables: D1 takes 100')
    let prepared = this.#prepared.get(query)
    if (!prepared) {
      prepared = this.#database.prepare(query)
      this.#prepared.set(query, prepared)
    }
    return prepared.all(...params) as DatabaseRow[]
  }

  #runQuery<T>(work: () => T): T {
    try {
      return work()
    } catch (cause) {
      fail('upstream', 'the database cannot be asked at the moment; try again in a few seconds', { cause })
    }
  }
}
