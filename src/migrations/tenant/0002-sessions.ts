import { type Migration, runAll } from '../migration.ts'

/** Settings and states of sessions in the tenant's list, the index of their labels, and a note of those that expired. */
export const sessions: Migration = {
  name: '0002-sessions',
  upgrade(sql) {
    runAll(sql, [
      // `settings` is JSON; null for a session without any of its own.
      'ALTER TABLE sessions ADD COLUMN settings TEXT',
      "ALTER TABLE sessions ADD COLUMN state TEXT NOT NULL DEFAULT 'ready'",
      'ALTER TABLE sessions ADD COLUMN state_at INTEGER',
      // Use by no call, of which `told_ends` knows.
      'ALTER TABLE sessions ADD COLUMN used_at INTEGER NOT NULL DEFAULT 0',
      // Most sessions are ready: their rows cost nothing here.
      "CREATE INDEX sessions_by_state ON sessions (state, created_at, name) WHERE state <> 'ready'",
      `CREATE TABLE session_labels (
        key TEXT NOT NULL, value TEXT NOT NULL, created_at INTEGER NOT NULL, name TEXT NOT NULL,
        PRIMARY KEY (key, value, created_at, name)
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX session_labels_by_session ON session_labels (name)',
      `CREATE TABLE expired_sessions (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, lifetime TEXT NOT NULL
      ) STRICT`,
    ])
  },
}
