/**
 * Commits of a session as they come. Watchers hear of new ones by the WebSocket that {@link SessionApi.fetch} opens, on which the
 * object may leave memory, and read them here.
 */
export interface SessionWatchApi {
  /** Commits after one that changed something at or below a path, oldest first. @throws FailureError `invalid_input` */
  commits(request: WatchRequest): Promise<WatchView>
}

export interface WatchRequest {
  /** Number of the last known commit; null for the newest. */
  readonly after: number | null
  /** File or directory; empty for all. */
  readonly path: string
}

export type WatchView =
  /** All up to commit `upTo`; `more`: there are later ones already. */
  | {
      readonly state: 'found'
      readonly commits: readonly WatchedCommit[]
      readonly upTo: number
      readonly more: boolean
    }
  /** Commits behind the known one are gone, or there never was such a one. */
  | { readonly state: 'gone'; readonly head: number }

export interface WatchedCommit {
  readonly seq: number
  /** Id of the call that made the commit, or the author of a change that was no call. */
  readonly author: string
  /** Tool of that call; null for a change that was no call of a tool, or whose call is no longer kept. */
  readonly tool: string | null
  /** Milliseconds since 1970. */
  readonly at: number
  /** Changes at or below the path, sorted by path: MAX_WATCHED_CHANGES at most. */
  readonly changes: readonly {
    readonly path: string
    readonly change: 'created' | 'modified' | 'deleted'
    readonly kind: 'file' | 'directory' | 'link'
    /** Size of a file after the commit, in bytes; null for anything else. */
    readonly size: number | null
  }[]
  /** Number of all changes there. */
  readonly changed: number
}
