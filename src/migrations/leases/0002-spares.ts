import type { Migration } from '../migration.ts'

/** Table of spare sandboxes: see `src/leases/spare-table.ts`. */
export const spares: Migration = {
  name: '0002-spares',
  upgrade: (sql) => {
    sql.all(`CREATE TABLE spares (
      label TEXT PRIMARY KEY, state TEXT NOT NULL, sandbox_id TEXT, shape TEXT NOT NULL, watch_port INTEGER, watched TEXT,
      supervisor_pid INTEGER, taking TEXT UNIQUE, since INTEGER NOT NULL
    ) STRICT`)
  },
}
