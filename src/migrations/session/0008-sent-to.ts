import { type Migration, runAll } from '../migration.ts'

/**
 * Drops the index of contents that wait for the blob store, a row of each write: a mark says up to which content all were sent. Those
 * whose sending or release was cut off are few, and have an index instead.
 */
export const sentTo: Migration = {
  name: '0008-sent-to',
  upgrade(sql) {
    runAll(sql, [
      'DROP INDEX workspace_blobs_unsent',
      CUT_OFF,
      'ALTER TABLE workspace_state ADD COLUMN sent_to INTEGER NOT NULL DEFAULT 0',
      MARK,
    ])
  },
  create(sql) {
    // On one line each: SQLite keeps these texts as they are written, and reads a page less of them.
    runAll(
      sql,
      [...WORKSPACE, ...SESSION, SMALL_WRITES, TRIGGER].map((statement) => statement.replace(/\s+/g, ' ')),
    )
  },
}

const CUT_OFF = `CREATE INDEX workspace_blobs_cut_off ON workspace_blobs (hash) WHERE remote = 'maybe'`

// `sent_to`: number of a row of workspace_contents. No content up to it is of a row with `remote = 'no'`.
const MARK = `UPDATE workspace_state SET sent_to = coalesce(
  (SELECT min(local) - 1 FROM workspace_blobs WHERE remote = 'no'), (SELECT max(id) FROM workspace_contents), 0)`

// All tables of this version, for new sessions.

const WORKSPACE = [
  // SQLite compares TEXT by UTF-8 bytes: all below `dir` is the range from `dir/` to `dir0`, for `0` follows `/`.
  `CREATE TABLE workspace_entries (
    path TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('file', 'directory', 'link')),
    hash TEXT, size INTEGER, mode INTEGER NOT NULL, mtime INTEGER NOT NULL, target TEXT
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE workspace_commits (
    seq INTEGER PRIMARY KEY, call_id TEXT NOT NULL, at INTEGER NOT NULL, changed INTEGER NOT NULL, superseded_bytes INTEGER NOT NULL,
    grown_entries INTEGER NOT NULL DEFAULT 0, grown_bytes INTEGER NOT NULL DEFAULT 0, local_bytes INTEGER NOT NULL DEFAULT 0,
    restored INTEGER
  ) STRICT`,

  // State of `path` before commit `seq`; `kind` is null where it did not exist. The state afterwards is in the next row of that
  // path, or in the manifest.
  `CREATE TABLE workspace_changes (
    seq INTEGER NOT NULL, path TEXT NOT NULL,
    kind TEXT, hash TEXT, size INTEGER, mode INTEGER, mtime INTEGER, target TEXT,
    PRIMARY KEY (seq, path)
  ) STRICT, WITHOUT ROWID`,

  // `refs`: rows of workspace_entries and workspace_changes with this hash. `remote`: whether the blob store has it on this session's
  // behalf; `maybe` while a put or a release is under way, and after one whose end is unknown. `local`: the row of workspace_contents
  // with the bytes; null where there is none.
  `CREATE TABLE workspace_blobs (
    hash TEXT NOT NULL PRIMARY KEY, size INTEGER NOT NULL, refs INTEGER NOT NULL,
    remote TEXT NOT NULL CHECK (remote IN ('no', 'maybe', 'yes')), local INTEGER
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX workspace_blobs_garbage ON workspace_blobs (hash) WHERE refs = 0`,
  CUT_OFF,

  // In order of arrival, which is the order of eviction.
  `CREATE TABLE workspace_contents (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL, size INTEGER NOT NULL, content BLOB NOT NULL
  ) STRICT`,

  `CREATE TABLE workspace_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    head INTEGER NOT NULL DEFAULT 0,
    entries INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
    kept_changes INTEGER NOT NULL DEFAULT 0, kept_bytes INTEGER NOT NULL DEFAULT 0,
    local_bytes INTEGER NOT NULL DEFAULT 0,
    sent_to INTEGER NOT NULL DEFAULT 0
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

  'CREATE TABLE limits_lease (id INTEGER PRIMARY KEY CHECK (id = 1), held TEXT NOT NULL) STRICT',
  // The name is from the time when only registered tools were counted. An empty row holds the number of the last acknowledged completion; it stays, so no number comes twice.
  'CREATE TABLE registered_ended (number INTEGER PRIMARY KEY, call TEXT NOT NULL) STRICT',
]

const COLUMNS = [
  ...['seq', 'path', 'hash', 'size', 'mode', 'mtime', 'content'],
  ...['call_id', 'at', 'superseded_bytes', 'grown_entries', 'grown_bytes'],
  // The file that stood there before; all null where there was none.
  ...['old_kind', 'old_hash', 'old_size', 'old_mode', 'old_mtime'],
]

/** View without rows of its own: an insert into it writes a small file. */
const SMALL_WRITES = `CREATE VIEW workspace_small_writes AS SELECT ${COLUMNS.map((name) => `NULL AS ${name}`).join(', ')}`

// The reference of the file that stood there moves to history with the noted row; the other is new. `changes()` is 1 where the
// statement before it stored the content, and 0 where the content was there.
const TRIGGER = `CREATE TRIGGER workspace_small_write INSTEAD OF INSERT ON workspace_small_writes BEGIN
  INSERT INTO workspace_changes (seq, path, kind, hash, size, mode, mtime, target)
    VALUES (NEW.seq, NEW.path, NEW.old_kind, NEW.old_hash, NEW.old_size, NEW.old_mode, NEW.old_mtime, NULL);
  INSERT INTO workspace_entries (path, kind, hash, size, mode, mtime, target)
    VALUES (NEW.path, 'file', NEW.hash, NEW.size, NEW.mode, NEW.mtime, NULL)
    ON CONFLICT (path) DO UPDATE SET hash = excluded.hash, size = excluded.size, mode = excluded.mode, mtime = excluded.mtime;
  INSERT INTO workspace_blobs (hash, size, refs, remote, local)
    VALUES (NEW.hash, NEW.size, 1, 'no', (SELECT coalesce(max(id), 0) + 1 FROM workspace_contents))
    ON CONFLICT (hash) DO UPDATE SET refs = refs + 1, local = coalesce(local, excluded.local);
  INSERT INTO workspace_contents (id, hash, size, content)
    SELECT b.local, NEW.hash, NEW.size, NEW.content
      FROM workspace_blobs b WHERE b.hash = NEW.hash AND NOT EXISTS (SELECT 1 FROM workspace_contents WHERE id = b.local);
  INSERT INTO workspace_commits (seq, call_id, at, changed, superseded_bytes, grown_entries, grown_bytes, local_bytes)
    VALUES (NEW.seq, NEW.call_id, NEW.at, 1, NEW.superseded_bytes, NEW.grown_entries, NEW.grown_bytes, changes() * NEW.size);
END`
