import type { WorkspacePath } from '../core/workspace-path.ts'
import type { FileEntry, Workspace, WorkspaceEntry } from '../ports/workspace.ts'

/** The workspace as the sync with a sandbox needs it: which paths may have changed, and contents apart from names. */
export interface SyncedWorkspace extends Workspace {
  /** Grows with every commit. */
  headSeq(): number
  /** Paths that commits after `seq` touched; null when history does not reach back that far. */
  changesSince(seq: number): readonly WorkspacePath[] | null
  /** All entries, the root apart. */
  entries(): Iterable<WorkspaceEntry>
  /** The content of a file. @throws FailureError `upstream` when the store does not have it now */
  openContent(entry: FileEntry): Promise<ReadableStream<Uint8Array>>
}
