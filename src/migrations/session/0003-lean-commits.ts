import { type Migration, runAll } from '../migration.ts'

/** What a commit of one small file writes: fewer rows, and no index that only a look far back would use. */
export const leanCommits: Migration = {
  name: '0003-lean-commits',
  upgrade(sql) {
    runAll(sql, ['DROP INDEX workspace_changes_by_path', ...TOTALS, ...CONTENTS])
  },
}

// What a commit added to the totals, where `workspace_state` does not have that yet: commits after its `head`.
const TOTALS = ['grown_entries', 'grown_bytes', 'local_bytes'].map(
  (column) => `ALTER TABLE workspace_commits ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`,
)

// `local`: the row of workspace_contents that has the bytes; null where none has.
const CONTENTS = [
  'ALTER TABLE workspace_blobs ADD COLUMN local INTEGER',
  'UPDATE workspace_blobs AS b SET local = (SELECT c.id FROM workspace_contents c WHERE c.hash = b.hash)',
  'ALTER TABLE workspace_contents RENAME TO workspace_contents_before',
  // In order of arrival, which is the order in which they make room.
  `CREATE TABLE workspace_contents (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL, size INTEGER NOT NULL, content BLOB NOT NULL
  ) STRICT`,
  `INSERT INTO workspace_contents (id, hash, size, content)
    SELECT id, hash, size, content FROM workspace_contents_before ORDER BY id`,
  'DROP TABLE workspace_contents_before',
]
