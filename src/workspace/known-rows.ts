import { MAX_COUNTED_ENTRIES, MAX_KNOWN_ENTRIES } from '../core/limits/workspace.ts'
import type { WorkspacePath } from '../core/workspace-path.ts'
import type { Sql } from '../ports/sql.ts'
import type { WorkspaceEntry } from '../ports/workspace.ts'
import { countDirectories, entryAt, readState, type WorkspaceState } from './manifest.ts'

type Totals = Pick<WorkspaceState, 'head' | 'entries' | 'bytes'>

/**
 * Cached rows of a workspace, which only its one object reads and writes: a tool looks at a path, then its commit does, and each
 * look at the table takes as long as writing two rows.
 */
export class KnownRows {
  readonly #sql: Sql
  readonly #entries = new Map<WorkspacePath, WorkspaceEntry | null>()
  #totals: Totals | null = null
  #directories: number | null = null

  constructor(sql: Sql) {
    this.#sql = sql
  }

  entryAt(path: WorkspacePath): WorkspaceEntry | null {
    const known = this.#entries.get(path)
    if (known !== undefined) return known
    const entry = entryAt(this.#sql, path)
    this.#remember(path, entry)
    return entry
  }

  get totals(): Totals {
    this.#totals ??= readState(this.#sql)
    return this.#totals
  }

  /** Number of directories; null where counting them would read too many rows. */
  get directories(): number | null {
    if (this.totals.entries > MAX_COUNTED_ENTRIES) return null
    this.#directories ??= countDirectories(this.#sql)
    return this.#directories
  }

  /** Notes a file written alone: all other rows are unchanged. */
  wrote(entry: WorkspaceEntry, totals: Totals): void {
    this.#remember(entry.path, entry)
    this.#totals = totals
  }

  /** Clears the cache: any row may have changed. */
  forget(): void {
    this.#entries.clear()
    this.#totals = null
    this.#directories = null
  }

  #remember(path: WorkspacePath, entry: WorkspaceEntry | null): void {
    if (this.#entries.size >= MAX_KNOWN_ENTRIES) this.#entries.clear()
    this.#entries.set(path, entry)
  }
}
