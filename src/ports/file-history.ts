import type { FileDiff } from '../core/diff/file-diff.ts'
import type { Moment } from '../core/moment.ts'

/** History of a session's files, as one call may look at it and go back in it. */
export interface FileHistory {
  /** Page of commits, newest first. */
  commits(query: CommitQuery): CommitPage
  /** Page of the changes of one commit, sorted by path. @throws FailureError `not_found` */
  changes(query: ChangesQuery): CommitChanges
  /**
   * Page of the differences between two moments, sorted by path.
   * @throws FailureError `not_found` for a commit that is not kept
   */
  diff(query: DiffQuery): Promise<DiffPage>
  /**
   * Restores the files below a path to their state after a commit, as a new commit.
   * @throws FailureError `not_found`; `conflict` for a lock, and for a file that stands where a directory should; `limit_exceeded`
   */
  restore(request: RestoreRequest): Promise<RestoredFiles>
}

export interface CommitQuery {
  /** File or directory; commits that changed nothing at or below it are left out. The root for all. */
  readonly path: string
  readonly limit: number
  /** Number of the commit before which the page begins. */
  readonly before?: number
  /** Id of the call, or other author, whose commits alone are wanted. */
  readonly author?: string
  /** Changes that each commit shows. */
  readonly shown: number
  /** False: as the history is known, without a look at what running commands have written. */
  readonly looks?: boolean
}

/** One commit of a session's files. */
export interface CommitFacts {
  readonly commit: number
  /** Id of the call that made the commit, or the author of a change that was no call. */
  readonly author: string
  /** Tool of that call; null for an author that is no call, or no longer in the history of calls. */
  readonly tool: string | null
  /** Milliseconds since 1970. */
  readonly at: number
  /** Number of paths that the commit changed, at or below the path that was asked for. */
  readonly changed: number
  /** Commit and path whose state it restored, the root for all files; null for any other commit, and for one of an older version. */
  readonly restored: { readonly commit: number; readonly path: string } | null
}

export interface CommitPage {
  readonly commits: readonly (CommitFacts & {
    /** Some of the changes; those in directories named `.git` come last. */
    readonly changes: readonly PathChange[]
  })[]
  /** The `before` of the next page; absent on the last one. */
  readonly next?: number
}

export interface ChangesQuery {
  readonly commit: Moment
  /** File or directory; the root for all changes. */
  readonly path: string
  readonly limit: number
  /** Path behind which the page begins. */
  readonly after?: string
}

export interface CommitChanges extends CommitFacts {
  readonly changes: readonly PathChange[]
  /** Whether there are more behind the last one. */
  readonly more: boolean
}

/** Change of one path. */
export interface PathChange {
  readonly path: string
  readonly change: 'created' | 'modified' | 'deleted'
  /** Kind of the entry after the change; before it for a deleted one. */
  readonly kind: 'file' | 'directory' | 'link'
  /** Size of a file after the change, in bytes; null for anything else, and for a deleted one. */
  readonly size: number | null
}

export interface DiffQuery {
  /** Moment before the differences; null for the commit before `to`. */
  readonly from: Moment | null
  /** Moment after the differences; null for the present files. */
  readonly to: Moment | null
  readonly path: string
  readonly limit: number
  /** Path behind which the page begins. */
  readonly after?: string
  /** Length of the hunks of a page together, in UTF-16 units. */
  readonly chars: number
  /** Whether the sandbox is looked at, as in {@link CommitQuery}. */
  readonly looks?: boolean
}

export interface DiffPage {
  readonly from: number
  /** Commit compared with; the newest one where the present files were asked for. */
  readonly to: number
  readonly files: readonly FileDiff[]
  /** The `after` of the next page; null on the last one. */
  readonly next: string | null
}

export interface RestoreRequest {
  readonly commit: Moment
  /** File or directory to restore; the root for all files. */
  readonly path: string
  /** True to change nothing, and say what would change. */
  readonly dryRun: boolean
  /** Changes that the answer shows. */
  readonly shown: number
}

export interface RestoredFiles {
  /** Newest commit: the new one, or the one before where nothing was changed. */
  readonly commit: number
  /** Commit whose files these are. */
  readonly fromCommit: number
  /** Number of paths that changed. */
  readonly changed: number
  readonly changes: readonly PathChange[]
  /** Notes on what stays as it is, and on running commands. */
  readonly notes: readonly string[]
}
