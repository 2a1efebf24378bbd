import type { Sql } from '../ports/sql.ts'

/**
 * Makes the tables of a workspace, empty; called when a session is created and never for one that does not exist.
 * Doing it again changes nothing. `docs/storage.md` says what each table is for.
 */
export function createTables(sql: Sql): void {
  for (const statement of TABLES) sql.all(statement)
}

const TABLES = [
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

  // What stood at `path` before commit `seq`; nothing did where `kind` is null. What stood there afterwards is in the
  // next row of that path, or in the manifest.
  `CREATE TABLE IF NOT EXISTS workspace_changes (
    seq INTEGER NOT NULL, path TEXT NOT NULL,
    kind TEXT, hash TEXT, size INTEGER, mode INTEGER, mtime INTEGER, target TEXT,
    PRIMARY KEY (seq, path)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS workspace_changes_by_path ON workspace_changes (path, seq)',

  // `refs`: rows of workspace_entries and workspace_changes with this hash. `remote`: whether the blob store has it on
  // this session's behalf; `maybe` while a put or a release is under way, and after one whose end is unknown.
  `CREATE TABLE IF NOT EXISTS workspace_blobs (
    hash TEXT NOT NULL PRIMARY KEY, size INTEGER NOT NULL, refs INTEGER NOT NULL,
    remote TEXT NOT NULL CHECK (remote IN ('no', 'maybe', 'yes'))
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS workspace_blobs_garbage ON workspace_blobs (hash) WHERE refs = 0`,
  `CREATE INDEX IF NOT EXISTS workspace_blobs_unsent ON workspace_blobs (hash) WHERE remote <> 'yes'`,

  // In order of arrival, which is the order in which they make room.
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
