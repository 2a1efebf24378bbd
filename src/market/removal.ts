import type { TenantId } from '../core/ids.ts'
import { type Database, sql } from '../ports/database.ts'
import type { TenantRows } from '../ports/tenant-removal.ts'

/**
 * All that a tenant has in the marketplace, to be removed with the tenant: packages, installs, reports. Its public name stays taken:
 * under it somebody else could publish to those who installed something of this tenant.
 */
export const ownedPackages = (db: Database, tenant: TenantId): TenantRows => ({
  async count() {
    const [row] = await db.rows<{ packages: number }>(sql(`SELECT count(*) AS packages FROM (${OWNED})`, tenant))
    return row?.packages ?? 0
  },

  async removeSome() {
    await db.batch([
      sql(`DELETE FROM market_index WHERE rowid IN (${OWNED})`, tenant),
      sql(`DELETE FROM market_versions WHERE package IN (${OWNED})`, tenant),
      sql(`DELETE FROM market_installs WHERE tenant = ?1 OR package IN (${OWNED})`, tenant),
      sql(`DELETE FROM market_reports WHERE tenant = ?1 OR package IN (${OWNED})`, tenant),
      sql(`DELETE FROM market_packages WHERE no IN (${OWNED})`, tenant),
    ])
    return false
  },
})

/** Numbers of a tenant's packages. */
const OWNED = `SELECT no FROM market_packages WHERE publisher IN (SELECT name FROM market_publishers WHERE tenant = ?1)`
