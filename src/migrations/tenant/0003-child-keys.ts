import { type Migration, runAll } from '../migration.ts'

/** Child keys that keys of the tenant minted, until they expire: what each may, and what it has used. */
export const childKeys: Migration = {
  name: '0003-child-keys',
  upgrade(sql) {
    runAll(sql, [
      `CREATE TABLE child_keys (
        chain TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, may TEXT NOT NULL, created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL, revoked_at INTEGER, calls INTEGER NOT NULL, cost INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX child_keys_by_expiry ON child_keys (expires_at)',
    ])
  },
}
