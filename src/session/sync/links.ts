import type { WorkspacePath } from '../../core/workspace-path.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { Sql } from '../../ports/sql.ts'
import type { FileEntry, WorkspaceEntry } from '../../ports/workspace.ts'
import type { Listed } from './listing.ts'

/**
 * Hard links: names that were one file in the sandbox when it was last looked at. The workspace has a file under each of them,
 * with the same content; a new sandbox gets one file with several names again. Hard links outlive the sandbox, which {@link
 * KnownFiles} does not.
 */
export class HardLinks {
  readonly #sql: Sql
  readonly #table: LazyTable
  /** First name of the file, by each of its names. */
  #firsts: ReadonlyMap<WorkspacePath, WorkspacePath> | null = null

  constructor(sql: Sql) {
    this.#sql = sql
    this.#table = new LazyTable(sql, 'sandbox_links')
  }

  /** Whether some file had several names at the last whole look. */
  get areKnown(): boolean {
    return this.#all().size > 0
  }

  /** Notes the hard links in a whole listing. */
  note(entries: readonly Listed[]): void {
    const firsts = linkedNames(entries)
    const before = this.#all()
    if (firsts.size === before.size && [...firsts].every(([path, first]) => before.get(path) === first)) return
    this.#table.make()
    this.#sql.transaction(() => {
      this.#sql.all('DELETE FROM sandbox_links')
      for (const [path, first] of firsts)
        this.#sql.all('INSERT INTO sandbox_links (path, first) VALUES (?, ?)', path, first)
    })
    this.#firsts = firsts
  }

  /**
   * Entries of one transfer to be made as further names of an earlier one: those that were one file and still have the same
   * content and mode. A tool's write under one of the names makes a file of its own.
   */
  among(entries: readonly WorkspaceEntry[]): ReadonlyMap<WorkspacePath, WorkspacePath> {
    const firsts = this.#all()
    const links = new Map<WorkspacePath, WorkspacePath>()
    const leaders = new Map<string, FileEntry>()
    for (const entry of firsts.size > 0 ? entries : []) {
      const first = firsts.get(entry.path)
      if (entry.kind !== 'file' || first === undefined) continue
      const file = `${entry.hash} ${entry.mode} ${first}`
      const leader = leaders.get(file)
      if (leader) links.set(entry.path, leader.path)
      else leaders.set(file, entry)
    }
    return links
  }

  #all(): ReadonlyMap<WorkspacePath, WorkspacePath> {
    this.#firsts ??= new Map(
      this.#table
        .read<{ path: string; first: string }>('SELECT path, first FROM sandbox_links')
        .map(({ path, first }) => [path as WorkspacePath, first as WorkspacePath]),
    )
    return this.#firsts
  }
}

function linkedNames(entries: readonly Listed[]): ReadonlyMap<WorkspacePath, WorkspacePath> {
  const names = new Map<string, WorkspacePath[]>()
  for (const { kind, links, inode, path } of entries) {
    if (kind !== 'file' || links < 2) continue
    const others = names.get(inode)
    if (others) others.push(path)
    else names.set(inode, [path])
  }
  const firsts = new Map<WorkspacePath, WorkspacePath>()
  for (const paths of names.values()) {
    const first = paths.reduce((least, path) => (path < least ? path : least))
    if (paths.length > 1) for (const path of paths) firsts.set(path, first)
  }
  return firsts
}
