import { sha256 } from '../core/sha256.ts'
import { parentPath, ROOT, type WorkspacePath } from '../core/workspace-path.ts'
import type { Sql } from '../ports/sql.ts'
import type { FileEntry } from '../ports/workspace.ts'
import { FILE_MODE, permissions, timeOf } from './changeset.ts'
import { requireRoom } from './history/seal.ts'
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

  const put = () =>
    sql.run(
      PUT_SMALL,
      ...[totals.head, path, hash, size, entry.mode, entry.mtimeMs, content],
      ...[callId, at, there?.size ?? 0, grown.entries, grown.bytes],
      ...(there ? ['file', there.hash, there.size, there.mode, there.mtimeMs] : NOTHING),
    )
  if (totals.head % FOLD_EVERY !== 0) put()
  else
    sql.transaction(() => {
      put()
      foldTotals(sql)
    })
  known.wrote(entry, totals)
  return true
}

/** One statement, whose rows a trigger writes: all of them or none. */
const PUT_SMALL = `INSERT INTO workspace_small_writes (seq, path, hash, size, mode, mtime, content,
    call_id, at, superseded_bytes, grown_entries, grown_bytes, old_kind, old_hash, old_size, old_mode, old_mtime)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const NOTHING = [null, null, null, null, null]

/** Number of commits between two stored totals: each commit says what it added, and reading totals sums those since. */
const FOLD_EVERY = 64
