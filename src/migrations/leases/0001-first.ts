import type { Migration } from '../migration.ts'

export const first: Migration = {
  name: '0001-first',
  upgrade: (sql) => {
    sql.all('CREATE TABLE IF NOT EXISTS leases (holder TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT')
  },
}
