import type { WorkspacePath } from '../core/workspace-path.ts'
import type { WorkspaceEntry } from '../ports/workspace.ts'

/** A row of an entry, as the tables hold it. */
export type EntryRow = {
  readonly path: string
  readonly kind: WorkspaceEntry['kind']
  readonly hash: string | null
  readonly size: number | null
  readonly mode: number
  readonly mtime: number
  readonly target: string | null
}

/** Columns of an {@link EntryRow}, in every table that has them. */
export const ENTRY_COLUMNS = 'path, kind, hash, size, mode, mtime, target'

export function entryFromRow(row: EntryRow): WorkspaceEntry {
  const base = { path: pathFromRow(row), mode: row.mode, mtimeMs: row.mtime }
  switch (row.kind) {
    case 'file':
      return { ...base, kind: 'file', hash: row.hash ?? '', size: row.size ?? 0 }
    case 'directory':
      return { ...base, kind: 'directory' }
    case 'link':
      return { ...base, kind: 'link', target: row.target ?? '' }
  }
}

/** All of an entry that a difference shows: everything but its time. Null where there is none. */
export const looksOf = (row: EntryRow | null): string | null =>
  row && JSON.stringify([row.kind, row.hash, row.mode, row.target])

// The cast is sound: every path in the tables was a WorkspacePath when it was written.
export const pathFromRow = (row: { readonly path: string }) => row.path as WorkspacePath
