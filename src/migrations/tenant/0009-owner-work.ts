import { type Migration, runAll } from '../migration.ts'

/** Adds the work that the owner of the server began on a tenant: its deletion, and the end of its sandboxes. */
export const ownerWork: Migration = {
  name: '0009-owner-work',
  upgrade(sql) {
    runAll(sql, [
      // `record` is JSON. A row `deletion` closes the tenant, and stays for good.
      `CREATE TABLE owner_work (
        kind TEXT NOT NULL PRIMARY KEY CHECK (kind IN ('deletion', 'sandboxes')), record TEXT NOT NULL
      ) STRICT, WITHOUT ROWID`,
    ])
  },
}
