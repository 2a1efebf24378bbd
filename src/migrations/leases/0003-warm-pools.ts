import type { Migration } from '../migration.ts'

/**
 * Spares of one tenant, with the time from which they are not metered yet, and metered time that the tenant has not confirmed: see
 * `src/leases/spare-table.ts` and `src/leases/warm-time.ts`.
 */
export const warmPools: Migration = {
  name: '0003-warm-pools',
  upgrade: (sql) => {
    sql.all('ALTER TABLE spares ADD COLUMN tenant TEXT')
    sql.all('ALTER TABLE spares ADD COLUMN metered_to INTEGER')
    sql.all(`CREATE TABLE warm_time (
      number INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, started_at INTEGER NOT NULL, running_ms INTEGER NOT NULL
    ) STRICT`)
  },
}
