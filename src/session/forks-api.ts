import type { Actor } from '../core/actor.ts'
import type { Moment } from '../core/moment.ts'
import type { DiffPage, DiffQuery } from '../ports/file-history.ts'
import type { EntryPage, StoredPage } from '../workspace/fork/fork-pages.ts'
import type { ContentPage } from '../workspace/fork/packed-contents.ts'

/** Forks of a session: new sessions with its files as of a moment, and what differs between two sessions. */
export interface SessionForksApi {
  /** Commit of a moment, after running commands' changes were taken over. @throws FailureError `not_found` */
  commitAt(moment: Moment | null): Promise<number>
  /**
   * Page of the differences that lead from another session's files to this one's.
   * @throws FailureError `not_found` for a moment that is not kept, `session_not_found` for the other session
   */
  diff(query: SessionsDiffQuery): Promise<DiffPage>
  /**
   * Makes a fork, after running commands' changes were taken over. A crash leaves either no new session or a whole one.
   * @throws FailureError `not_found` for a moment that is not kept, `conflict` when there is a session of that name, `limit_exceeded`
   */
  make(request: ForkMade): Promise<MadeFork>
  /** Entries as of a commit, from behind a path: for the object of the new session. */
  entries(commit: number, after: string): Promise<EntryPage>
  /** Contents that may not be in the blob store, from behind a hash: for the object of the new session. */
  contents(after: string): Promise<ContentPage>
  /** Number of contents that the blob store has, or may have. */
  countStored(): Promise<number>
  /** Page of those contents, from behind a hash. */
  stored(after: string): Promise<StoredPage>
}

export interface SessionsDiffQuery extends DiffQuery {
  /** Name of the session before the differences, whose moment `from` is; null for its present files. */
  readonly against: string
}

export interface ForkMade {
  /** Name of the new session. */
  readonly name: string
  /** Moment whose files it gets; the present one when null. */
  readonly moment: Moment | null
  /** Title and labels; those of this session when left out. */
  readonly title?: string
  readonly labels?: Readonly<Record<string, string>>
  /** Maker of the fork, whom the audit log names. */
  readonly by?: Actor
}

export interface MadeFork {
  readonly name: string
  /** Commit whose files the fork has. */
  readonly commit: number
}

/** Origin of a fork, as the new session's object gets it. */
export interface ForkOrigin {
  /** Name and node id of the session, which must not be another one by now. */
  readonly session: string
  readonly node: string
  readonly commit: number
  /** Python packages of its sandboxes, as requirement specifiers, and what was installed last. */
  readonly packages: readonly string[]
  readonly distributions: readonly { readonly pin: string; readonly direct: number; readonly missing: number }[]
}
