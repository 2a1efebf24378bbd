import { type Migration, runAll } from '../migration.ts'

/** Makes a commit of one small file write fewer rows, and drops an index that only a look far back would use. */
export const leanCommits: Migration = {
  name: '0003-lean-commits',
  upgrade(sql) {
    runAll(sql, ['DROP INDEX workspace_changes_by_path', ...TOTALS, ...CONTENTS])
  },
  create(sql) {
    runAll(sql, [...WORKSPACE, ...SESSION])
  },
}

// Growth by a commit, where `workspace_state` does not have it yet: commits after its `head`.
const TOTALS = ['grown_entries', 'grown_bytes', 'local_bytes'].map(
  (column) => `ALTER TABLE workspace_commits ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`,
)

// `local`: the row of workspace_contents with the bytes; null where there is none.
const CONTENTS = [
  'ALTER TABLE workspace_blobs ADD COLUMN local INTEGER',
  'UPDATE workspace_blobs AS b SET local = (SELECT c.id FROM workspace_contents c WHERE c.hash = b.hash)',
  'ALTER TABLE workspace_contents RENAME TO workspace_contents_before',
  // In order of arrival, which is the order of eviction.
  `CREATE TABLE workspace_contents (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL, size INTEGER NOT NULL, content BLOB NOT NULL
  ) STRICT`,
  `INSERT INTO workspace_contents (id, hash, size, content)
    SELECT id, hash, size, content FROM workspace_contents_before ORDER BY id`,
  'DROP TABLE workspace_contents_before',
]

// All tables of this version, for new sessions.

const WORKSPACE = [
  // SQLite compares TEXT by UTF-8 bytes: all below `dir` is the range from `dir/` to `dir0`, for `0` follows `/`.
  `CREATE TABLE workspace_entries (
    path TEXT NOT NULL PRIMARY KEY,
    parent TEXT GENERATED ALWAYS AS (rtrim(rtrim(path, replace(path, '/', '')), '/')) VIRTUAL,
    kind TEXT NOT NULL CHECK (kind IN ('file', 'directory', 'link')),
    hash TEXT, size INTEGER, mode INTEGER NOT NULL, mtime INTEGER NOT NULL, target TEXT
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX workspace_entries_by_parent ON workspace_entries (parent, path)',

  `CREATE TABLE workspace_commits (
    seq INTEGER PRIMARY KEY, call_id TEXT NOT NULL, at INTEGER NOT NULL, changed INTEGER NOT NULL, superseded_bytes INTEGER NOT NULL,
    grown_entries INTEGER NOT NULL DEFAULT 0, grown_bytes INTEGER NOT NULL DEFAULT 0, local_bytes INTEGER NOT NULL DEFAULT 0
  ) STRICT`,

  // State of `path` before commit `seq`; `kind` is null where it did not exist. The state afterwards is in the next row of that
  // path, or in the manifest.
  `CREATE TABLE workspace_changes (
    seq INTEGER NOT NULL, path TEXT NOT NULL,
    kind TEXT, hash TEXT, size INTEGER, mode INTEGER, mtime INTEGER, target TEXT,
    PRIMARY KEY (seq, path)
  ) STRICT, WITHOUT ROWID`,

  // `refs`: rows of workspace_entries and workspace_changes with this hash. `remote`: whether the blob store has it on
  // this session's behalf; `maybe` while a put or a release is under way, and after one whose end is unknown. `local`: see above.
  `CREATE TABLE workspace_blobs (
    hash TEXT NOT NULL PRIMARY KEY, size INTEGER NOT NULL, refs INTEGER NOT NULL,
    remote TEXT NOT NULL CHECK (remote IN ('no', 'maybe', 'yes')), local INTEGER
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX workspace_blobs_garbage ON workspace_blobs (hash) WHERE refs = 0`,
  `CREATE INDEX workspace_blobs_unsent ON workspace_blobs (hash) WHERE remote <> 'yes'`,

  // In order of arrival, which is the order of eviction.
  `CREATE TABLE workspace_contents (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL, size INTEGER NOT NULL, content BLOB NOT NULL
  ) STRICT`,

  `CREATE TABLE workspace_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    head INTEGER NOT NULL DEFAULT 0,
    entries INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
    kept_changes INTEGER NOT NULL DEFAULT 0, kept_bytes INTEGER NOT NULL DEFAULT 0,
    local_bytes INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  'INSERT INTO workspace_state (id) VALUES (1)',
]

const SESSION = [
  'CREATE TABLE session (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL) STRICT',

  // Without AUTOINCREMENT, which writes one more row for each call: the newest is never dropped, so no number comes twice.
  `CREATE TABLE calls (
    seq INTEGER PRIMARY KEY, call_id TEXT NOT NULL, tool TEXT NOT NULL, args TEXT NOT NULL,
    state TEXT NOT NULL, answer TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER, receipt TEXT,
    end_number INTEGER, usage TEXT
  ) STRICT`,

  `CREATE TABLE machine (
    id INTEGER PRIMARY KEY CHECK (id = 1), generation INTEGER NOT NULL, state TEXT
  ) STRICT`,
  'CREATE TABLE left_sandboxes (label TEXT PRIMARY KEY, sandbox_id TEXT) STRICT, WITHOUT ROWID',
  'CREATE TABLE packages (spec TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  `CREATE TABLE distributions (
    pin TEXT PRIMARY KEY, direct INTEGER NOT NULL, missing INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE sandbox_files (
    path TEXT PRIMARY KEY, stamp TEXT NOT NULL, signature TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE TABLE sandbox_links (path TEXT PRIMARY KEY, first TEXT NOT NULL) STRICT, WITHOUT ROWID',

  'CREATE TABLE limits_lease (id INTEGER PRIMARY KEY CHECK (id = 1), held TEXT NOT NULL) STRICT',
  // The names are from the time when only registered tools were counted.
  'CREATE TABLE registered_running (call_id TEXT NOT NULL PRIMARY KEY, call TEXT NOT NULL) STRICT, WITHOUT ROWID',
  // An empty row holds the number of the last acknowledged completion; it stays, so no number comes twice.
  'CREATE TABLE registered_ended (number INTEGER PRIMARY KEY, call TEXT NOT NULL) STRICT',
]
