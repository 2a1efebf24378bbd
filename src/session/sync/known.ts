import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { Sql } from '../../ports/sql.ts'

/** Known state of the sandbox at one path. */
export interface Known {
  /** {@link Listed.stamp} at the last look. */
  readonly stamp: string
  /** True when the content may have changed since then though the stamp is the same; see `racy.ts`. */
  readonly isRacy?: boolean
  /** {@link signature} of the workspace's entry with which the path was last synchronized; or NOTHING, or ON_ITS_WAY. */
  readonly signature: string
}

/** Mark before the stamp of a racy file, in the table. */
const RACY = '?'

/** {@link Known.stamp} of an entry that no listing has shown yet. */
export const UNSEEN = ''
/** {@link Known.signature} of an entry that stays in the sandbox only: the workspace has nothing there. */
export const NOTHING = ''
/**
 * {@link Known.signature} of an entry being copied into the sandbox: an interrupted copy leaves half of it, which is no
 * change by the task.
 */
export const ON_ITS_WAY = 'on its way'

/**
 * Known state of the session's sandbox, path by path. It is in the session's database, so that it is still there when the session
 * wakes up, and is dropped with the sandbox.
 */
export class KnownFiles {
  readonly #sql: Sql
  #map: Map<WorkspacePath, Known> | null = null

  constructor(sql: Sql) {
    this.#sql = sql
  }

  all(): ReadonlyMap<WorkspacePath, Known> {
    return this.#entries()
  }

  get(path: WorkspacePath): Known | undefined {
    return this.#entries().get(path)
  }

  set(changes: readonly (readonly [WorkspacePath, Known | null])[]): void {
    const entries = this.#entries()
    this.#sql.transaction(() => {
      for (const [path, known] of changes) {
        if (known) {
          this.#sql.all(
            'INSERT OR REPLACE INTO sandbox_files (path, stamp, signature) VALUES (?, ?, ?)',
            path,
            known.isRacy ? RACY + known.stamp : known.stamp,
            known.signature,
          )
        } else if (entries.has(path)) {
          this.#sql.all('DELETE FROM sandbox_files WHERE path = ?', path)
        }
      }
    })
    for (const [path, known] of changes) {
      if (known) entries.set(path, known)
      else entries.delete(path)
    }
  }

  clear(): void {
    this.#sql.all('DELETE FROM sandbox_files')
    this.#map = new Map()
  }

  #entries(): Map<WorkspacePath, Known> {
    this.#map ??= new Map(
      this.#sql
        .all<{ path: string; stamp: string; signature: string }>('SELECT path, stamp, signature FROM sandbox_files')
        .map(({ path, stamp, signature }) => {
          const isRacy = stamp.startsWith(RACY)
          return [path as WorkspacePath, { stamp: isRacy ? stamp.slice(RACY.length) : stamp, isRacy, signature }]
        }),
    )
    return this.#map
  }
}
