import { type Migration, runAll } from '../migration.ts'

/**
 * Moves the end of a call into its row of the history, where that is written once, and drops the index of call ids: a call of a
 * file tool writes one row for history and use in place of three.
 */
export const endsInHistory: Migration = {
  name: '0002-ends-in-history',
  upgrade(sql) {
    runAll(sql, [
      'ALTER TABLE calls RENAME TO calls_before',
      CALLS,
      `INSERT INTO calls (${COLUMNS}) SELECT ${COLUMNS} FROM calls_before ORDER BY seq`,
      'DROP TABLE calls_before',
    ])
  },
}

const COLUMNS = 'seq, call_id, tool, args, state, answer, started_at, ended_at, receipt'

// Without AUTOINCREMENT, which writes one more row for each call: the newest is never dropped, so no number comes twice.
// `end_number`, `usage`: as in `registered_ended`, for a call that has no row there.
const CALLS = `CREATE TABLE calls (
    seq INTEGER PRIMARY KEY, call_id TEXT NOT NULL, tool TEXT NOT NULL, args TEXT NOT NULL,
    state TEXT NOT NULL, answer TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER, receipt TEXT,
    end_number INTEGER, usage TEXT
  ) STRICT`
