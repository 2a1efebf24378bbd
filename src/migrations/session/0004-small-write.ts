import { type Migration, runAll } from '../migration.ts'

/** Makes a commit of one small file one statement, which a trigger turns into its rows. */
export const smallWrite: Migration = {
  name: '0004-small-write',
  upgrade(sql) {
    runAll(sql, [SMALL_WRITES, TRIGGER])
  },
}

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
