import type { Moment } from '../core/moment.ts'

/** Snapshots of a session's files: named moments, which do not expire. */
export interface SessionSnapshotsApi {
  /** Page of the snapshots, in order of their names, from behind `after`. */
  list(page: { readonly limit: number; readonly after?: string }): Promise<SnapshotPage>
  /** One snapshot. @throws FailureError `not_found` */
  find(name: string): Promise<Snapshot>
  /**
   * Names a moment, after running commands' changes were taken over. A snapshot of that name and commit stays as it is.
   * @throws FailureError `not_found` for a moment that is not kept, `conflict` for a name of another commit, `limit_exceeded`
   */
  put(request: SnapshotPut): Promise<PutSnapshot>
  /** Removes a snapshot. @returns its commit @throws FailureError `not_found` */
  remove(name: string): Promise<number>
}

export interface SnapshotPut {
  readonly name: string
  /** Moment to name; the present one when null. */
  readonly moment: Moment | null
  /** Whether a snapshot of that name may be taken to another commit. */
  readonly replaces: boolean
  readonly author: string
}

export interface PutSnapshot {
  readonly created: boolean
  readonly snapshot: Snapshot
  /** Commit that had the name until now; null for a new one, and for one that stays as it is. */
  readonly before: number | null
}

export interface Snapshot {
  readonly name: string
  /** Number of the commit whose state it is. */
  readonly commit: number
  readonly author: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

export interface SnapshotPage {
  readonly snapshots: readonly Snapshot[]
  readonly more: boolean
}
