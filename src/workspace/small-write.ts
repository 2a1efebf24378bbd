import { sha256 } from '../core/sha256.ts'
import { parentPath, ROOT, type WorkspacePath } from '../core/workspace-path.ts'
import type { Sql } from '../ports/sql.ts'
import type { FileEntry } from '../ports/workspace.ts'
import { FILE_MODE, permissions, timeOf } from './changeset.ts'
import { NEXT_LOCAL, PUT_LOCAL } from './contents.ts'
import { ENTRY_COLUMNS } from './entry-row.ts'
import { requireRoom } from './history.ts'
import type { KnownRows } from './known-rows.ts'
import { foldTotals } from './manifest.ts'

export interface SmallWrite {
  readonly path: WorkspacePath
  readonly content: Uint8Array
  readonly mode?: number | undefined
  readonly mtimeMs?: number | undefined
}

/**
 * Writes one small file into an existing directory, as a commit of its own: the most frequent commit of agents. The rows
 * are those of a changeset and its sealing, each written once, from values already known.
 * @returns false, with nothing changed, where the write is of another kind
 * @throws FailureError `limit_exceeded`; nothing is changed then
 */
export function commitSmallWrite(
  sql: Sql,
  known: KnownRows,
  write: SmallWrite,
  { callId, at }: { readonly callId: string; readonly at: number },
): boolean {
  const { path, content, mode, mtimeMs } = write
  const there = known.entryAt(path)
  if (path === ROOT || (there !== null && there.kind !== 'file')) return false
  if (there === null && known.entryAt(parentPath(path))?.kind !== 'directory') return false

  const hash = sha256(content)
  const size = content.length
  const entry: FileEntry = {
    path,
    mode: permissions(mode ?? there?.mode ?? FILE_MODE),
    mtimeMs: timeOf(mtimeMs, at),
    kind: 'file',
    hash,
    size,
  }
  if (there?.hash === hash && there.mode === entry.mode && there.mtimeMs === entry.mtimeMs) return true
  const before = known.totals
  const grown = { entries: there ? 0 : 1, bytes: size - (there?.size ?? 0) }
  const totals = { head: before.head + 1, entries: before.entries + grown.entries, bytes: before.bytes + grown.bytes }
  requireRoom(totals, grown)

  const superseded = there?.size ?? 0
  sql.transaction(() => {
    if (there) sql.run(NOTE_FILE, totals.head, path, there.hash, there.size, there.mode, there.mtimeMs)
    else sql.run(NOTE_NOTHING, totals.head, path)
    sql.run(PUT_FILE, path, hash, size, entry.mode, entry.mtimeMs)
    // One reference moves to history with the noted row; this one is new.
    const [kept] = sql.all<{ local: number; isMissing: number }>(REFER, hash, size)
    const isMissing = kept?.isMissing === 1
    if (kept && isMissing) sql.run(PUT_LOCAL, kept.local, hash, size, content)
    sql.run(PUT_COMMIT, totals.head, callId, at, superseded, grown.entries, grown.bytes, isMissing ? size : 0)
    if (totals.head % FOLD_EVERY === 0) foldTotals(sql)
  })
  known.wrote(entry, totals)
  return true
}

const NOTE_FILE = `INSERT INTO workspace_changes (seq, ${ENTRY_COLUMNS}) VALUES (?, ?, 'file', ?, ?, ?, ?, NULL)`
const NOTE_NOTHING = 'INSERT INTO workspace_changes (seq, path) VALUES (?, ?)'
const PUT_FILE = `INSERT INTO workspace_entries (${ENTRY_COLUMNS}) VALUES (?, 'file', ?, ?, ?, ?, NULL)
  ON CONFLICT (path) DO UPDATE SET hash = excluded.hash, size = excluded.size, mode = excluded.mode, mtime = excluded.mtime`
const REFER = `INSERT INTO workspace_blobs (hash, size, refs, remote, local) VALUES (?, ?, 1, 'no', (${NEXT_LOCAL}))
  ON CONFLICT (hash) DO UPDATE SET refs = refs + 1, local = coalesce(local, excluded.local)
  RETURNING local, NOT EXISTS (SELECT 1 FROM workspace_contents c WHERE c.id = local) AS isMissing`
const PUT_COMMIT = `INSERT INTO workspace_commits
    (seq, call_id, at, changed, superseded_bytes, grown_entries, grown_bytes, local_bytes)
  VALUES (?, ?, ?, 1, ?, ?, ?, ?)`

/** Number of commits between two stored totals: each commit says what it added, and reading totals sums those since. */
const FOLD_EVERY = 64
