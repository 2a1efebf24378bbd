import worker, * as exported from './index.js'

export default worker

/** An object whose storage tests can ask; bytes of a row are given as base64. */
const inspected = (Base) =>
  class extends Base {
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
