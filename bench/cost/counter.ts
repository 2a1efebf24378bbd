/** Items of a bill, counted between two moments for everything in this isolate. */
export interface Counted {
  /** Rows of objects' SQLite, those of indexes and alarms among them. */
  readonly rowsRead: number
  readonly rowsWritten: number
  readonly d1Read: number
  readonly d1Written: number
  readonly classA: number
  readonly classB: number
  /** Bytes that go to R2, and that it answers with. */
  readonly bytesToR2: number
  readonly bytesFromR2: number
  readonly workerRequests: number
  /** RPC calls of objects, their fetches and alarms. */
  readonly objectRequests: number
}

type Count = { -readonly [Name in keyof Counted]: number }

const NOTHING: Counted = {
  rowsRead: 0,
  rowsWritten: 0,
  d1Read: 0,
  d1Written: 0,
  classA: 0,
  classB: 0,
  bytesToR2: 0,
  bytesFromR2: 0,
  workerRequests: 0,
  objectRequests: 0,
}

type Cursor = SqlStorageCursor<Record<string, SqlStorageValue>>

/** Rows written by each statement, to find where they come from. */
export type ByStatement = Readonly<Record<string, number>>

/** Counts for the Worker and the objects of this isolate, and moves their clock. */
class Counter {
  #count: Count = { ...NOTHING }
  readonly #cursors: [statement: string, cursor: Cursor][] = []
  #isOn = false
  #watches = false
  #ahead = 0

  start(): void {
    this.#count = { ...NOTHING }
    this.#cursors.splice(0)
    this.#isOn = true
  }

  stop(): { readonly counted: Counted; readonly byStatement: ByStatement } {
    this.#isOn = false
    const byStatement: Record<string, number> = {}
    for (const [statement, cursor] of this.#cursors.splice(0)) {
      this.#count.rowsRead += cursor.rowsRead
      this.#count.rowsWritten += cursor.rowsWritten
      if (cursor.rowsWritten > 0) byStatement[statement] = (byStatement[statement] ?? 0) + cursor.rowsWritten
    }
    return { counted: this.#count, byStatement }
  }

  add(what: keyof Counted, count = 1): void {
    if (this.#isOn) this.#count[what] += count
  }

  /** Counts the rows and alarms of all objects, which share the prototypes of this one's storage. */
  watch(storage: DurableObjectStorage): void {
    if (this.#watches) return
    this.#watches = true
    const sql = Object.getPrototypeOf(storage.sql) as SqlStorage
    const { exec } = sql
    const executed = (statement: string, cursor: Cursor) => {
      if (this.#isOn) this.#cursors.push([statement, cursor])
    }
    sql.exec = function (this: SqlStorage, ...args: Parameters<typeof exec>) {
      const cursor = exec.apply(this, args)
      executed(args[0], cursor as unknown as Cursor)
      return cursor
    } as typeof exec
    const stored = Object.getPrototypeOf(storage) as DurableObjectStorage
    const { setAlarm } = stored
    const alarmAt = (time: number | Date) => {
      this.add('rowsWritten')
      return Number(time) - this.#ahead
    }
    stored.setAlarm = function (this: DurableObjectStorage, time, options) {
      return setAlarm.call(this, alarmAt(time), options)
    }
  }

  /** Moves the clock of the Worker and all objects forward. */
  pass(ms: number): void {
    if (this.#ahead === 0) {
      const now = Date.now.bind(Date)
      Date.now = () => now() + this.#ahead
    }
    this.#ahead += ms
  }
}

export const counter = new Counter()
