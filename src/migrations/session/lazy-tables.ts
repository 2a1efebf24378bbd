/** Table for the address of a program that stays in the sandbox. */
const residentProcess = (name: string) => `CREATE TABLE IF NOT EXISTS ${name} (
  id INTEGER PRIMARY KEY CHECK (id = 1), sandbox_id TEXT NOT NULL, pid INTEGER NOT NULL, version TEXT NOT NULL
) STRICT`

/**
 * Tables that few sessions need, in their newest version: made before their first row is written. A migration of one must check
 * that it exists.
 */
export const LAZY_TABLES = {
  answers: [
    'CREATE TABLE IF NOT EXISTS answers (seq INTEGER PRIMARY KEY, call_id TEXT NOT NULL, answer TEXT NOT NULL) STRICT',
  ],
  call_exit_codes: [
    `CREATE TABLE IF NOT EXISTS call_exit_codes (
      call_id TEXT NOT NULL PRIMARY KEY, exit_code INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
  call_parents: [
    `CREATE TABLE IF NOT EXISTS call_parents (
      call_id TEXT NOT NULL PRIMARY KEY, parent TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
  distributions: [
    `CREATE TABLE IF NOT EXISTS distributions (
      pin TEXT PRIMARY KEY, direct INTEGER NOT NULL, missing INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
  human_tasks: [
    `CREATE TABLE IF NOT EXISTS human_tasks (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, words TEXT NOT NULL, result TEXT,
      created_at INTEGER NOT NULL, due_at INTEGER, completed_at INTEGER
    ) STRICT`,
  ],
  jobs: ['CREATE TABLE IF NOT EXISTS jobs (id TEXT PRIMARY KEY, job TEXT NOT NULL, ended_at INTEGER) STRICT'],
  lasting_commands: [
    `CREATE TABLE IF NOT EXISTS lasting_commands (
      call_id TEXT NOT NULL PRIMARY KEY, command TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
  links: [
    `CREATE TABLE IF NOT EXISTS links (
      id TEXT PRIMARY KEY, path TEXT NOT NULL, method TEXT NOT NULL, max_bytes INTEGER, key_id TEXT,
      created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
  kept_results: [
    `CREATE TABLE IF NOT EXISTS kept_results (
      seq INTEGER PRIMARY KEY, call_id TEXT NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, chars INTEGER NOT NULL,
      ended_at INTEGER NOT NULL
    ) STRICT`,
  ],
  left_sandboxes: [
    'CREATE TABLE IF NOT EXISTS left_sandboxes (label TEXT PRIMARY KEY, sandbox_id TEXT) STRICT, WITHOUT ROWID',
  ],
  ledger: [
    `CREATE TABLE IF NOT EXISTS ledger (
      id TEXT PRIMARY KEY, request TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('accepted', 'running', 'done')),
      call_id TEXT NOT NULL, tool TEXT NOT NULL, at INTEGER NOT NULL, bytes INTEGER NOT NULL, outcome TEXT
    ) STRICT`,
  ],
  machine: [
    `CREATE TABLE IF NOT EXISTS machine (
      id INTEGER PRIMARY KEY CHECK (id = 1), generation INTEGER NOT NULL, state TEXT
    ) STRICT`,
  ],
  made_tools: [
    `CREATE TABLE IF NOT EXISTS made_tools (
      seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, definition TEXT NOT NULL
    ) STRICT`,
  ],
  notes: ['CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, note TEXT NOT NULL) STRICT'],
  own_tools: [
    'CREATE TABLE IF NOT EXISTS own_tools (name TEXT PRIMARY KEY, tool TEXT NOT NULL, code TEXT NOT NULL) STRICT',
  ],
  packages: [
    'CREATE TABLE IF NOT EXISTS packages (spec TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  ],
  python_actions: [
    'CREATE TABLE IF NOT EXISTS python_sources (id INTEGER PRIMARY KEY, source TEXT NOT NULL) STRICT',
    `CREATE TABLE IF NOT EXISTS python_actions (
      name TEXT PRIMARY KEY, described TEXT NOT NULL, source_id INTEGER NOT NULL
    ) STRICT`,
  ],
  python_process: [residentProcess('python_process')],
  // The name is from the time when only registered tools were counted.
  registered_running: [
    `CREATE TABLE IF NOT EXISTS registered_running (
      call_id TEXT NOT NULL PRIMARY KEY, call TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
  sandbox_files: [
    `CREATE TABLE IF NOT EXISTS sandbox_files (
      path TEXT PRIMARY KEY, stamp TEXT NOT NULL, signature TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
  sandbox_links: [
    'CREATE TABLE IF NOT EXISTS sandbox_links (path TEXT PRIMARY KEY, first TEXT NOT NULL) STRICT, WITHOUT ROWID',
  ],
  supervisor_process: [residentProcess('supervisor_process')],
  // A moment is a commit whose state is kept for snapshots of it; without one it is merged into the moment before. `changes` and
  // `bytes`: what history keeps for it behind its time, the rows of workspace_changes with `seq` one more than its own.
  workspace_snapshots: [
    `CREATE TABLE IF NOT EXISTS workspace_moments (
      seq INTEGER PRIMARY KEY, changes INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
      compact_at INTEGER NOT NULL DEFAULT 0
    ) STRICT`,
    `CREATE TABLE IF NOT EXISTS workspace_snapshots (
      name TEXT PRIMARY KEY, seq INTEGER NOT NULL, author TEXT NOT NULL, at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
  // Commits whose rows name contents that are referred to once more than `workspace_blobs` says.
  workspace_uncounted: ['CREATE TABLE IF NOT EXISTS workspace_uncounted (seq INTEGER PRIMARY KEY) STRICT'],
  // Commits that restored the state of a path after an earlier commit.
  workspace_restores: [
    `CREATE TABLE IF NOT EXISTS workspace_restores (
      seq INTEGER PRIMARY KEY, restored INTEGER NOT NULL, path TEXT NOT NULL
    ) STRICT`,
  ],
  workspace_locks: [
    `CREATE TABLE IF NOT EXISTS workspace_locks (
      path TEXT PRIMARY KEY, name TEXT NOT NULL, level INTEGER NOT NULL, locked_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
} satisfies Readonly<Record<string, readonly string[]>>
