import type { WorkspacePath } from '../core/workspace-path.ts'

/**
 * Locks on files and directories of one session. A lock holds for its path and all below, whether something stands there or not,
 * against every change by a tool, the locker's own included; reading stays free. Commands in the sandbox are not held back: their
 * changes are synced, and their answer names them.
 */
export interface Locks {
  /** Locks a path. @throws FailureError `conflict` when the path, one above or one below it is locked; `limit_exceeded` */
  lock(path: WorkspacePath, locker: Locker): FileLock
  /**
   * Takes a lock away. A lock yields to its own name, and to any name at a higher level.
   * @throws FailureError `not_found` when there is no lock on that very path, `forbidden`
   */
  unlock(path: WorkspacePath, by: Locker): void
  /** All locks, sorted by path. */
  list(): readonly FileLock[]
  /** The lock that holds for `path`. */
  holding(path: WorkspacePath): FileLock | null
  /**
   * Refuses a change at a locked path.
   * @throws FailureError `conflict` when something may not be changed at `path`
   */
  requireFree(path: WorkspacePath): void
}

/** Identity of who locks or unlocks, in their own words. */
export interface Locker {
  readonly name: string
  /** Level, 1 or more; a higher one may remove locks of lower ones. */
  readonly level: number
}

export interface FileLock extends Locker {
  readonly path: WorkspacePath
  /** Milliseconds since 1970. */
  readonly lockedAt: number
}
