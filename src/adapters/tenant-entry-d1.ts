import type { TenantId } from '../core/ids.ts'
import { type Database, sql } from '../ports/database.ts'
import type { TenantEntry } from '../ports/tenant-removal.ts'
import { CLOSE_TENANT } from './keys-d1.ts'

/** A tenant's keys and its row in D1, tables of `migrations/0001_keys.sql`, `0004_child_keys.sql`, `0005_deleted_tenants.sql`, `0007_tenant_internet.sql`, `0008_plans.sql`, `0010_console_sessions.sql` and `0011_warm_sandboxes.sql`. */
export const tenantEntryD1 = (db: Database, tenant: TenantId): TenantEntry => ({
  async count() {
    const [row] = await db.rows<{ keys: number }>(sql('SELECT count(*) AS keys FROM keys WHERE tenant = ?', tenant))
    return row?.keys ?? 0
  },

  async close(at) {
    await db.rows(sql(CLOSE_TENANT, at, tenant))
  },

  async remove(at) {
    await db.batch([
      // The ids of a chain begin with that of the key at its root.
      sql(
        `DELETE FROM revoked_children
         WHERE substr(chain, 1, instr(chain, '.') - 1) IN (SELECT id FROM keys WHERE tenant = ?)`,
        tenant,
      ),
      sql('DELETE FROM keys WHERE tenant = ?', tenant),
      sql('DELETE FROM console_sessions WHERE tenant = ?', tenant),
      sql('DELETE FROM tenant_plans WHERE tenant = ?', tenant),
      sql(
        "UPDATE tenants SET name = '', internet = NULL, warm_sandboxes = 0, purged_at = coalesce(purged_at, ?) WHERE id = ?",
        at,
        tenant,
      ),
    ])
  },
})
