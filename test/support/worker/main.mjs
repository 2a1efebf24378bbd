import worker, * as exported from './index.js'

export default worker

/** Statements of all objects of this process, with their cursors, since a test began to count; null while none does. */
let cursors = null
let isWatched = false

/** Keeps the cursors of all objects, whose storages have one prototype, and counts an alarm as the row that it is on a bill. */
function watch(storage) {
  if (isWatched) return
  isWatched = true
  const [sql, stored] = [Object.getPrototypeOf(storage.sql), Object.getPrototypeOf(storage)]
  const { exec } = sql
  const { setAlarm } = stored
  sql.exec = function (...args) {
    const cursor = exec.apply(this, args)
    cursors?.push([args[0], cursor])
    return cursor
  }
  stored.setAlarm = function (...args) {
    cursors?.push(['setAlarm', { rowsWritten: 1 }])
    return setAlarm.apply(this, args)
  }
}

/** An object whose storage tests can ask; bytes of a row are given as base64. */
const inspected = (Base) =>
  class extends Base {
    async alarmNow() {
      await this.alarm()
    }

    countRows() {
      watch(this.ctx.storage)
      cursors = []
    }

    /** Rows that each statement has written since. */
    countedRows() {
      const written = {}
      for (const [statement, { rowsWritten }] of cursors) {
        if (rowsWritten > 0) written[statement] = (written[statement] ?? 0) + rowsWritten
      }
      cursors = null
      return written
    }

    inspectStorage(query, values) {
      const rows = this.ctx.storage.sql.exec(query, ...values).toArray()
      return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asJson(value)])))
    }
  }

const asJson = (value) => (value instanceof ArrayBuffer ? { base64: Buffer.from(value).toString('base64') } : value)

export const SessionObject = inspected(exported.SessionObject)
export const TenantObject = inspected(exported.TenantObject)
export const ConnectionObject = inspected(exported.ConnectionObject)
export const LeasesObject = inspected(exported.LeasesObject)
