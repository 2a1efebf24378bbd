import type { Failure } from '../core/failure.ts'
import type { Reclaimed } from '../workspace/reclaim-contents.ts'

/** Moment to which a session's object is set back: milliseconds since 1970, or a bookmark of the platform. */
export type SetBackTo = { readonly at: number } | { readonly bookmark: string }

/** Bookmarks of a session's object, as the platform writes them. */
export interface SetBack {
  /** State that the object has from its next start on. */
  readonly bookmark: string
  /** State that it has until then. */
  readonly undoBookmark: string
}

/** Part of a session's recovery. */
export interface ReattachedPart {
  readonly name: string
  /** Newest commit, and the time of that in milliseconds since 1970; null before the first one. */
  readonly commit: { readonly seq: number; readonly at: number } | null
  readonly files: { readonly entries: number; readonly bytes: number }
  /** Page of its contents; the session is whole with the last one. */
  readonly contents: Reclaimed
}

/** Recovery of a session to an earlier state of its object, by the server's owner. Plain methods, which also answer without a session. */
export interface SessionRecovery {
  /**
   * Ends the sandbox, after its files were taken over, has the object set back at its next start, and restarts it within
   * SET_BACK_RESTART_MS. What is written until then is lost.
   * @returns the failure `conflict` where the platform keeps no earlier states, `invalid_input` for a moment that it does not keep
   */
  setBack(to: SetBackTo): Promise<{ readonly setBack: SetBack } | { readonly failure: Failure }>
  /** Restarts the object. The call itself always fails. */
  restart(): Promise<void>
  /**
   * Makes a session whole again whose tables were set back, a page of its contents at a time: drops a sandbox that is newer than they
   * are, and refers to its contents in the store again; with the last page it is in its tenant's list again. It counts as use of the
   * session, and ends a lifetime that is over. May be repeated.
   * @param after `next` of the page before; an empty text for the first one
   * @returns the failure `session_not_found` when there was no session then, `unavailable` before the object's restart
   */
  reattach(after: string): Promise<{ readonly part: ReattachedPart } | { readonly failure: Failure }>
}
