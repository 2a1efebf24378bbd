import type { CallFile } from '../core/outcome.ts'
import type { WorkspacePath } from '../core/workspace-path.ts'
import type { Locks } from '../ports/locks.ts'
import type { Change, FileEntry, Workspace, WorkspaceEntry } from '../ports/workspace.ts'
import type { FilesAt } from './files-at.ts'
import type { CommitPage } from './history.ts'

/** The workspace for the sync with a sandbox: which paths may have changed, and contents apart from names. */
export interface SyncedWorkspace extends Workspace {
  readonly locks: Locks
  /** Commits changes already made elsewhere, which locks do not hold back. */
  takeOver(changes: readonly Change[]): Promise<void>
  /** Number of the newest commit, which grows with each. */
  headSeq(): number
  /** Paths touched by commits after `seq`; null when history does not reach back that far. */
  changesSince(seq: number): readonly WorkspacePath[] | null
  /** Present files that did not exist after commit `seq`; null when history does not reach back that far. */
  createdSince(seq: number): readonly WorkspacePath[] | null
  /** Files as they are now (null), or as they were after a commit. @throws FailureError `not_found` for a commit that is not kept */
  filesAt(commit: number | null): FilesAt
  /** Page of commits, newest first. */
  commits(page: { readonly limit: number; readonly before?: number }): CommitPage
  /** Files and links that the call's own commits after `seq` changed, sorted: so many at most, and the number of all. */
  changedByCall(seq: number, limit: number): { readonly files: readonly CallFile[]; readonly count: number }
  /** All entries but the root. */
  entries(): Iterable<WorkspaceEntry>
  /** Content of a file. @throws FailureError `upstream` when the store cannot give it now */
  openContent(entry: FileEntry): Promise<ReadableStream<Uint8Array>>
}
