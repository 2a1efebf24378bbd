import { hasColumn, type Migration, runAll } from '../migration.ts'

/** Tables of tenants when versions began to be counted, with the columns that earlier ones lacked. */
export const first: Migration = {
  name: '0001-first',
  upgrade(sql) {
    runAll(sql, TABLES)
    if (!hasColumn(sql, 'tool_versions', 'chars')) runAll(sql, COMPARED_VERSIONS)
    // Earlier tables lack revisions, which began with the first copies of the list.
    sql.all('INSERT OR IGNORE INTO tool_revisions (id) SELECT id FROM tools ORDER BY seq')
  },
}

// `seq` keeps the order in which ids were first registered; a deleted tool loses its own.
const TOOLS = `CREATE TABLE IF NOT EXISTS tools (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, stable INTEGER NOT NULL, latest INTEGER NOT NULL,
    versions INTEGER NOT NULL, chars INTEGER NOT NULL, source TEXT, policy TEXT NOT NULL
  ) STRICT`
const TOOL_VERSIONS = `CREATE TABLE IF NOT EXISTS tool_versions (
    id TEXT NOT NULL, version INTEGER NOT NULL, chars INTEGER NOT NULL, made_at INTEGER NOT NULL, made_by TEXT NOT NULL,
    breaking INTEGER NOT NULL, changes TEXT NOT NULL, definition TEXT NOT NULL, PRIMARY KEY (id, version)
  ) STRICT, WITHOUT ROWID`

// Earlier rows lack the differences of versions; where these cannot be computed, a change counts as breaking.
const COMPARED_VERSIONS = [
  'ALTER TABLE tools RENAME TO tools_before',
  'ALTER TABLE tool_versions RENAME TO tool_versions_before',
  TOOLS,
  TOOL_VERSIONS,
  `INSERT INTO tool_versions (id, version, chars, made_at, made_by, breaking, changes, definition)
     SELECT id, version, length(definition), made_at, made_by, version > 1, '[]', definition FROM tool_versions_before`,
  `INSERT INTO tools (seq, id, stable, latest, versions, chars, source, policy)
     SELECT seq, id, stable, latest, (SELECT count(*) FROM tool_versions v WHERE v.id = t.id),
       (SELECT sum(chars) FROM tool_versions v WHERE v.id = t.id), NULL, policy FROM tools_before t`,
  'DROP TABLE tools_before',
  'DROP TABLE tool_versions_before',
]

const TABLES = [
  'CREATE TABLE IF NOT EXISTS tenant (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL) STRICT',

  `CREATE TABLE IF NOT EXISTS sessions (
    name TEXT NOT NULL PRIMARY KEY, node_id TEXT NOT NULL, title TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS sessions_by_age ON sessions (created_at, name)',
  'CREATE INDEX IF NOT EXISTS sessions_by_node ON sessions (node_id)',

  // `deleting` lasts from before the request to the store until its answer: a crash in between leaves the row as the record.
  `CREATE TABLE IF NOT EXISTS blobs (
    hash TEXT NOT NULL PRIMARY KEY, state TEXT NOT NULL CHECK (state IN ('awaited', 'stored', 'deleting')),
    unreferenced_since INTEGER
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS blobs_unreferenced ON blobs (unreferenced_since) WHERE unreferenced_since IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS blobs_deleting ON blobs (hash) WHERE state = 'deleting'`,

  `CREATE TABLE IF NOT EXISTS refs (
    hash TEXT NOT NULL, node_id TEXT NOT NULL, PRIMARY KEY (hash, node_id)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS refs_by_node ON refs (node_id, hash)',

  'CREATE TABLE IF NOT EXISTS secrets (name TEXT NOT NULL PRIMARY KEY, closed BLOB NOT NULL, changed_at INTEGER NOT NULL) STRICT',

  `CREATE TABLE IF NOT EXISTS human_task_names (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, name TEXT NOT NULL, session TEXT NOT NULL, task TEXT NOT NULL,
    UNIQUE (kind, name, session)
  ) STRICT`,
  'CREATE INDEX IF NOT EXISTS human_task_names_by_session ON human_task_names (session)',

  TOOLS,
  TOOL_VERSIONS,
  `CREATE TABLE IF NOT EXISTS deleted_tools (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, latest INTEGER NOT NULL
  ) STRICT`,

  // A change gives a tool a new, higher revision. Deleted tools stay for a while, and one row without a tool says how long.
  `CREATE TABLE IF NOT EXISTS tool_revisions (
    revision INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE
  ) STRICT`,

  // Revision up to which tools have embeddings.
  'CREATE TABLE IF NOT EXISTS tool_meanings (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL) STRICT',

  'CREATE TABLE IF NOT EXISTS limits (id INTEGER PRIMARY KEY CHECK (id = 1), settings TEXT NOT NULL) STRICT',
  'CREATE TABLE IF NOT EXISTS limits_version (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL) STRICT',
  `CREATE TABLE IF NOT EXISTS usage (
    hour INTEGER NOT NULL, tool TEXT NOT NULL, key TEXT NOT NULL, agent TEXT NOT NULL, session TEXT NOT NULL,
    calls INTEGER NOT NULL, failed INTEGER NOT NULL, refused INTEGER NOT NULL, ms INTEGER NOT NULL,
    bytes_in INTEGER NOT NULL, bytes_out INTEGER NOT NULL, sandbox_ms INTEGER NOT NULL, cost INTEGER NOT NULL,
    reasons TEXT NOT NULL, latencies TEXT NOT NULL, PRIMARY KEY (hour, tool, key, agent, session)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS told_ends (
    node_id TEXT NOT NULL PRIMARY KEY, number INTEGER NOT NULL, at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,

  'CREATE TABLE IF NOT EXISTS audit (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, entry TEXT NOT NULL, hash TEXT NOT NULL) STRICT',
  `CREATE TABLE IF NOT EXISTS audit_checkpoint (
    id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL
  ) STRICT`,
]
