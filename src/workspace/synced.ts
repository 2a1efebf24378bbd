import type { Moment } from '../core/moment.ts'
import type { CallFile } from '../core/outcome.ts'
import type { WorkspacePath } from '../core/workspace-path.ts'
import type { PathChange } from '../ports/file-history.ts'
import type { Locks } from '../ports/locks.ts'
import type { Change, FileEntry, Workspace, WorkspaceEntry } from '../ports/workspace.ts'
import type { FilesAt } from './files-at.ts'
import type { CommitPage } from './history/commits.ts'
import type { CommitsAfter } from './history/commits-after.ts'
import type { KeptRange } from './history/kept.ts'
import type { WorkspaceHistory } from './history/workspace-history.ts'

/** The workspace for the sync with a sandbox: which paths may have changed, and contents apart from names. */
export interface SyncedWorkspace extends Workspace {
  readonly locks: Locks
  /** Entries of many paths, none of them the root, in a few statements. Those that are not there are absent. */
  statMany(paths: readonly WorkspacePath[]): ReadonlyMap<WorkspacePath, WorkspaceEntry>
  /** Commits changes already made elsewhere, which locks do not hold back. */
  takeOver(changes: readonly Change[]): Promise<void>
  /** Number of the newest commit, which grows with each. */
  headSeq(): number
  /** Paths touched by commits after `seq`; null when history does not reach back that far. */
  changesSince(seq: number): readonly WorkspacePath[] | null
  /** Present files that did not exist after commit `seq`; null when history does not reach back that far. */
  createdSince(seq: number): readonly WorkspacePath[] | null
  /** Files as they are now (null), or as they were at a moment. @throws FailureError `not_found` for a moment that is not kept */
  filesAt(moment: Moment | null): FilesAt
  /** Number of a moment's commit, which is kept; the newest one for null. @throws FailureError `not_found` */
  commitAt(moment: Moment | null): number
  readonly history: WorkspaceHistory
  /** Restores files to their state after a commit, as `SessionWorkspace.restore`. */
  restore(seq: number, options: RestoreOptions): Restored
  /** Page of commits, newest first. */
  commits(page: { readonly limit: number; readonly before?: number }): CommitPage
  /** Commits after `seq`, which must be kept, that changed something at or below a path, oldest first. */
  commitsAfter(seq: number, path: WorkspacePath): CommitsAfter
  /** Commits after which the state is kept. */
  keptRange(): KeptRange
  /** Files and links that commits of these calls, or of all (null), after `seq` changed, sorted: so many at most, and the number of all. */
  changedByCalls(
    callIds: readonly string[] | null,
    seq: number,
    limit: number,
  ): { readonly files: readonly CallFile[]; readonly count: number }
  /** All entries but the root. */
  entries(): Iterable<WorkspaceEntry>
  /** Content of a file. @throws FailureError `upstream` when the store cannot give it now */
  openContent(entry: Pick<FileEntry, 'path' | 'hash'>): Promise<ReadableStream<Uint8Array>>
}

export interface RestoreOptions {
  /** File or directory to restore, with all below it; everything when left out. */
  readonly path?: WorkspacePath
  /** Whether a present directory stays although it did not exist then: one whose content the workspace does not have. */
  readonly stays?: (directory: WorkspacePath) => boolean
  /** True to change nothing, and say what would change. */
  readonly dryRun?: boolean
  /** Changes that the answer shows; none when left out. */
  readonly shown?: number
}

export interface Restored {
  /** Newest commit: the one that restored, or the one before where nothing was changed. */
  readonly commit: number
  readonly changed: number
  readonly changes: readonly PathChange[]
  /** Directories that did not exist then, and stay. */
  readonly stayed: readonly WorkspacePath[]
}
