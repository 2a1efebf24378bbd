import { type Migration, runAll } from '../migration.ts'

/** Adds the lifetimes of new sessions that bring none. */
export const sessionDefaults: Migration = {
  name: '0011-session-defaults',
  upgrade(sql) {
    runAll(sql, [
      // In milliseconds; null for no end.
      'CREATE TABLE session_defaults (id INTEGER PRIMARY KEY CHECK (id = 1), lifetime INTEGER, idle_lifetime INTEGER) STRICT',
    ])
  },
}
