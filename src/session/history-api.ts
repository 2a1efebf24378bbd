import type {
  ChangesQuery,
  CommitChanges,
  CommitPage,
  CommitQuery,
  DiffPage,
  DiffQuery,
  RestoredFiles,
  RestoreRequest,
} from '../ports/file-history.ts'

/**
 * History of a session's files: who changed what, what differs, and the way back. What running commands have written so far is taken
 * over before each answer.
 */
export interface SessionHistoryApi {
  /** Page of commits, newest first. */
  commits(query: CommitQuery): Promise<CommitPage>
  /** One commit with a page of its changes. @throws FailureError `not_found` */
  changes(query: ChangesQuery): Promise<CommitChanges>
  /** Page of the differences between two moments. @throws FailureError `not_found` */
  diff(query: DiffQuery): Promise<DiffPage>
  /** Restores files to their state after a commit, as a new commit. @throws FailureError as `FileHistory.restore` */
  restore(request: FileRestore): Promise<FilesRestored>
}

export interface FileRestore extends RestoreRequest {
  /** Author of the commit, as history names it. */
  readonly author: string
  /** Commit that must be the newest one; null for any. */
  readonly ifHead: number | null
}

/** Files restored, or the newest commit where another one was expected. */
export type FilesRestored =
  | (RestoredFiles & { readonly state: 'restored' })
  | { readonly state: 'condition failed'; readonly head: number }
