import { DISK_FULL } from '../core/disk-full.ts'
import { FailureError } from '../core/failure.ts'
import type { Sql, SqlRow, SqlValue } from '../ports/sql.ts'
import { disk } from './disk.ts'

export interface DurableSql extends Sql {
  /** Runs work that removes data: it may write on a full disk too, into the room that the reserve left. */
  removing<T>(work: () => Promise<T>): Promise<T>
}

/** The SQLite database of a Durable Object. On a full disk it is read only: a write that fails would break the object. */
export function durableSql(storage: DurableObjectStorage): DurableSql {
  let removals = 0
  const isReadOnly = () => disk.isFull && removals === 0
  function guard(query: string): void {
    if (isReadOnly() && !/^\s*SELECT\b/i.test(query)) throw new FailureError(DISK_FULL)
  }
  return {
    get isReadOnly() {
      return isReadOnly()
    },
    all<Row extends SqlRow>(query: string, ...params: SqlValue[]) {
      guard(query)
      // The cast: a Durable Object gives BLOBs as ArrayBuffer, one of the forms that SqlValue allows.
      return storage.sql.exec(query, ...params).toArray() as SqlRow[] as Row[]
    },
    run(query, ...params) {
      guard(query)
      // A statement without rows leaves nothing to fetch; an open cursor would keep it from being used again.
      storage.sql.exec(query, ...params)
    },
    transaction: (work) => storage.transactionSync(work),
    async removing(work) {
      removals += 1
      try {
        return await work()
      } finally {
        removals -= 1
      }
    },
  }
}
