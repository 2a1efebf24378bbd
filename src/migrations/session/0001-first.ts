import { hasColumn, type Migration, runAll } from '../migration.ts'

/** Tables of sessions when versions began to be counted, with the columns that earlier ones lacked. */
export const first: Migration = {
  name: '0001-first',
  upgrade(sql) {
    runAll(sql, WORKSPACE)
    runAll(sql, SESSION)
    if (!hasColumn(sql, 'distributions', 'direct')) runAll(sql, DISTRIBUTIONS_WITH_ORIGIN)
  },
}

const WORKSPACE = [
  // SQLite compares TEXT by UTF-8 bytes: all below `dir` is the range from `dir/` to `dir0`, for `0` follows `/`.
  `CREATE TABLE IF NOT EXISTS workspace_entries (
    path TEXT NOT NULL PRIMARY KEY,
    parent TEXT GENERATED ALWAYS AS (rtrim(rtrim(path, replace(path, '/', '')), '/')) VIRTUAL,
    kind TEXT NOT NULL CHECK (kind IN ('file', 'directory', 'link')),
    hash TEXT, size INTEGER, mode INTEGER NOT NULL, mtime INTEGER NOT NULL, target TEXT
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS workspace_entries_by_parent ON workspace_entries (parent, path)',

  `CREATE TABLE IF NOT EXISTS workspace_commits (
    seq INTEGER PRIMARY KEY, call_id TEXT NOT NULL, at INTEGER NOT NULL, changed INTEGER NOT NULL, superseded_bytes INTEGER NOT NULL
  ) STRICT`,

  // State of `path` before commit `seq`; `kind` is null where it did not exist. The state afterwards is in the next row of that
  // path, or in the manifest.
  `CREATE TABLE IF NOT EXISTS workspace_changes (
    seq INTEGER NOT NULL, path TEXT NOT NULL,
    kind TEXT, hash TEXT, size INTEGER, mode INTEGER, mtime INTEGER, target TEXT,
    PRIMARY KEY (seq, path)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS workspace_changes_by_path ON workspace_changes (path, seq)',

  // `refs`: rows of workspace_entries and workspace_changes with this hash. `remote`: whether the blob store has it on this
  // session's behalf; `maybe` while a put or a release is under way, and after one whose end is unknown.
  `CREATE TABLE IF NOT EXISTS workspace_blobs (
    hash TEXT NOT NULL PRIMARY KEY, size INTEGER NOT NULL, refs INTEGER NOT NULL,
    remote TEXT NOT NULL CHECK (remote IN ('no', 'maybe', 'yes'))
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS workspace_blobs_garbage ON workspace_blobs (hash) WHERE refs = 0`,
  `CREATE INDEX IF NOT EXISTS workspace_blobs_unsent ON workspace_blobs (hash) WHERE remote <> 'yes'`,

  // In order of arrival, which is the order of eviction.
  `CREATE TABLE IF NOT EXISTS workspace_contents (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, content BLOB NOT NULL
  ) STRICT`,

  `CREATE TABLE IF NOT EXISTS workspace_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    head INTEGER NOT NULL DEFAULT 0,
    entries INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
    kept_changes INTEGER NOT NULL DEFAULT 0, kept_bytes INTEGER NOT NULL DEFAULT 0,
    local_bytes INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  'INSERT INTO workspace_state (id) VALUES (1) ON CONFLICT DO NOTHING',
]

const DISTRIBUTIONS = `CREATE TABLE IF NOT EXISTS distributions (
    pin TEXT PRIMARY KEY, direct INTEGER NOT NULL, missing INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`

const DISTRIBUTIONS_WITH_ORIGIN = [
  'ALTER TABLE distributions RENAME TO distributions_before',
  DISTRIBUTIONS,
  'INSERT INTO distributions (pin, direct, missing) SELECT pin, 0, 0 FROM distributions_before',
  'DROP TABLE distributions_before',
]

const SESSION = [
  'CREATE TABLE IF NOT EXISTS session (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL) STRICT',

  // Without AUTOINCREMENT, which writes one more row for each call: the newest is never dropped, so no number comes twice.
  `CREATE TABLE IF NOT EXISTS calls (
    seq INTEGER PRIMARY KEY, call_id TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, args TEXT NOT NULL,
    state TEXT NOT NULL, answer TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER, receipt TEXT
  ) STRICT`,

  `CREATE TABLE IF NOT EXISTS machine (
    id INTEGER PRIMARY KEY CHECK (id = 1), generation INTEGER NOT NULL, state TEXT
  ) STRICT`,
  'CREATE TABLE IF NOT EXISTS left_sandboxes (label TEXT PRIMARY KEY, sandbox_id TEXT) STRICT, WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS packages (spec TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  DISTRIBUTIONS,
  `CREATE TABLE IF NOT EXISTS sandbox_files (
    path TEXT PRIMARY KEY, stamp TEXT NOT NULL, signature TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE TABLE IF NOT EXISTS sandbox_links (path TEXT PRIMARY KEY, first TEXT NOT NULL) STRICT, WITHOUT ROWID',

  'CREATE TABLE IF NOT EXISTS limits_lease (id INTEGER PRIMARY KEY CHECK (id = 1), held TEXT NOT NULL) STRICT',
  // The names are from the time when only registered tools were counted.
  'CREATE TABLE IF NOT EXISTS registered_running (call_id TEXT NOT NULL PRIMARY KEY, call TEXT NOT NULL) STRICT, WITHOUT ROWID',
  // The newest row stays, so no number comes twice. An acknowledged completion is an empty text then.
  'CREATE TABLE IF NOT EXISTS registered_ended (number INTEGER PRIMARY KEY, call TEXT NOT NULL) STRICT',
]
