export interface CountedRows {
  readonly read: number
  readonly written: number
}

/** Counts the rows that SQLite reads and writes for the objects of this isolate, as production bills them; costs nothing while it does not. */
export class RowCounter {
  #cursors: SqlStorageCursor<never>[] = []
  #restore = () => {}

  /** @param sql storage of any object: all have the same prototype */
  start(sql: SqlStorage): void {
    this.#restore()
    this.#cursors = []
    const prototype = Object.getPrototypeOf(sql) as SqlStorage
    const { exec } = prototype
    const cursors = this.#cursors
    prototype.exec = function (this: SqlStorage, ...args: Parameters<typeof exec>) {
      const cursor = exec.apply(this, args)
      cursors.push(cursor as SqlStorageCursor<never>)
      return cursor
    } as typeof exec
    this.#restore = () => {
      prototype.exec = exec
    }
  }

  stop(): CountedRows {
    this.#restore()
    const cursors = this.#cursors.splice(0)
    const sum = (of: (cursor: SqlStorageCursor<never>) => number) => cursors.reduce((all, one) => all + of(one), 0)
    return { read: sum(({ rowsRead }) => rowsRead), written: sum(({ rowsWritten }) => rowsWritten) }
  }
}
