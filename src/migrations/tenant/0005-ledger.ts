import { type Migration, runAll } from '../migration.ts'

/** Adds the ledger of requests with an idempotency key, except those that make calls of a session. */
export const ledger: Migration = {
  name: '0005-ledger',
  upgrade(sql) {
    runAll(sql, [LEDGER])
  },
}

// `status` is null while the request is under way, and 0 where nobody knows whether it was carried out. `answer` is null where none is
// kept, and `closed` says whether it is encrypted.
const LEDGER = `CREATE TABLE ledger (
    id TEXT PRIMARY KEY, request TEXT NOT NULL, attempt TEXT NOT NULL, about TEXT NOT NULL, at INTEGER NOT NULL,
    status INTEGER, bytes INTEGER NOT NULL, closed INTEGER NOT NULL, answer BLOB
  ) STRICT`
