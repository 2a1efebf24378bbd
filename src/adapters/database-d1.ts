import { fail } from '../core/failure.ts'
import type { Database, DatabaseRow, Statement } from '../ports/database.ts'

/** {@link Database} over D1. */
export function d1Database(db: D1Database): Database {
  const prepare = ({ query, params }: Statement) => db.prepare(query).bind(...params)
  return {
    async rows<Row extends DatabaseRow>(statement: Statement) {
      const { results } = await runQuery(() => prepare(statement).all<Row>())
      return results
    },
    async batch(statements) {
      if (statements.length === 0) return []
      const all = await runQuery(() => db.batch<DatabaseRow>(statements.map(prepare)))
      return all.map(({ results }) => results)
    },
  }
}

async function runQuery<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    fail('upstream', 'the database cannot be asked at the moment; try again in a few seconds', { cause })
  }
}
