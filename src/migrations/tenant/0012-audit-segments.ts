import { type Migration, runAll } from '../migration.ts'

/** Adds the sealed segments of the audit log, whose entries are in R2. */
export const auditSegments: Migration = {
  name: '0012-audit-segments',
  upgrade(sql) {
    runAll(sql, [
      // `first` and `last` are numbers of entries, `prev` the hash of the entry before the first. A row is `awaited` from before its
      // object is stored until that was read back, and then `sealed`; `deleting` lasts until the store has deleted the object.
      `CREATE TABLE audit_segments (
        last INTEGER PRIMARY KEY, first INTEGER NOT NULL, state TEXT NOT NULL CHECK (state IN ('awaited', 'sealed', 'deleting')),
        last_at INTEGER NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL
      ) STRICT`,
      "CREATE INDEX audit_segments_deleting ON audit_segments (first) WHERE state = 'deleting'",
    ])
  },
}
