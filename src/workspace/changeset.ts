import { fail } from '../core/failure.ts'
import { MAX_PATH_BYTES } from '../core/limits/workspace.ts'
import { FILES_ROOT, say } from '../core/saying/saying.ts'
import { isWithin, parentPath, ROOT, type WorkspacePath } from '../core/workspace-path.ts'
import type { Sql } from '../ports/sql.ts'
import type { Change, WorkspaceEntry } from '../ports/workspace.ts'
import { ENTRY_COLUMNS, type EntryRow } from './entry-row.ts'
import { entryAt } from './manifest.ts'
import { pathsBelow } from './path-range.ts'

type Op<K extends Change['op']> = Extract<Change, { op: K }>

/** A change whose content is given by its hash. */
export type HashedChange =
  | Exclude<Change, { op: 'write' }>
  | (Omit<Op<'write'>, 'content'> & { readonly hash: string; readonly size: number })

export const FILE_MODE = 0o644
export const DIRECTORY_MODE = 0o755
export const LINK_MODE = 0o777

/**
 * Applies changes to the manifest in order, inside the caller's transaction. The state of each path before the first of them is
 * noted in `workspace_changes` under `seq`.
 */
export class Changeset {
  readonly #sql: Sql
  readonly #seq: number
  readonly #now: number
  /** Existing directories, so that many files in one directory look it up once. */
  readonly #directories = new Set<WorkspacePath>([ROOT])

  constructor(sql: Sql, seq: number, now: number) {
    this.#sql = sql
    this.#seq = seq
    this.#now = now
  }

  /**
   * Applies a change. @throws FailureError `invalid_input`, `conflict`, `not_found`: the caller's transaction must roll
   * back then.
   */
  apply(change: HashedChange): void {
    switch (change.op) {
      case 'write':
        this.#write(change)
        break
      case 'mkdir':
        this.#mkdir(change)
        break
      case 'link':
        this.#link(change)
        break
      case 'chmod':
        this.#chmod(change)
        break
      case 'remove':
        this.#remove(change)
        break
      case 'move':
        this.#move(change)
        break
    }
  }

  #write({ path, hash, size, mode, mtimeMs }: Extract<HashedChange, { op: 'write' }>): void {
    const there = this.#makeRoom(path)
    const kept = there?.kind === 'file' ? there.mode : FILE_MODE
    this.#put({
      path,
      kind: 'file',
      hash,
      size,
      mode: permissions(mode ?? kept),
      mtime: this.#time(mtimeMs),
      target: null,
    })
  }

  #link({ path, target, mtimeMs }: Op<'link'>): void {
    if (target === '') fail('invalid_input', `the link ${path} has no target`)
    this.#makeRoom(path)
    const mtime = this.#time(mtimeMs)
    this.#put({ path, kind: 'link', hash: null, size: null, mode: LINK_MODE, mtime, target })
  }

  #mkdir({ path, mode }: Op<'mkdir'>): void {
    const there = entryAt(this.#sql, path)
    if (there && there.kind !== 'directory') {
      fail(
        'conflict',
        `${path} is a ${there.kind}, so no directory can be made there; remove it first or use another name`,
      )
    }
    if (!there) {
      this.#makeDirectory(path, permissions(mode ?? DIRECTORY_MODE))
    } else if (path !== ROOT && mode !== undefined && permissions(mode) !== there.mode) {
      this.#update(path, permissions(mode), there.mtimeMs)
    }
  }

  #chmod({ path, mode, mtimeMs }: Op<'chmod'>): void {
    if (path === ROOT) fail('invalid_input', say`the permissions of the ${FILES_ROOT} cannot be changed`)
    const there = entryAt(this.#sql, path)
    if (!there) fail('not_found', `there is nothing at ${path}`)
    this.#update(path, permissions(mode), mtimeMs === undefined ? there.mtimeMs : this.#time(mtimeMs))
  }

  #remove({ path }: Op<'remove'>): void {
    if (path === ROOT) fail('invalid_input', say`the ${FILES_ROOT} itself cannot be removed; name what lies in it`)
    const there = entryAt(this.#sql, path)
    if (!there) return
    this.#noteEntry(path)
    this.#sql.run('DELETE FROM workspace_entries WHERE path = ?', path)
    if (there.kind !== 'directory') return
    const { from, to } = pathsBelow(path)
    this.#noteRange(from, to)
    this.#sql.run('DELETE FROM workspace_entries WHERE path >= ? AND path < ?', from, to)
    this.#forget(path)
  }

  #move({ from, to }: Op<'move'>): void {
    if (from === ROOT) fail('invalid_input', say`the ${FILES_ROOT} itself cannot be moved; name what lies in it`)
    const moved = entryAt(this.#sql, from)
    if (!moved) fail('not_found', `there is nothing at ${from} to move`)
    if (from === to) return
    if (isWithin(to, from)) fail('invalid_input', `${from} cannot be moved into itself`)
    if (this.#makeRoom(to)) this.#sql.run('DELETE FROM workspace_entries WHERE path = ?', to)

    this.#noteEntry(from)
    this.#rename(from, to, { from, to: `${from}\u0001` }) // no path lies between: NUL is in none
    if (moved.kind !== 'directory') return
    const below = pathsBelow(from)
    this.#noteRange(below.from, below.to)
    this.#rename(from, to, below)
    this.#forget(from)
  }

  /** Replaces the prefix `from` by `to` in every path in `range`. No entry exists at the new paths. */
  #rename(from: WorkspacePath, to: WorkspacePath, range: { readonly from: string; readonly to: string }): void {
    const [longest] = this.#sql.all<{ bytes: number | null }>(
      `SELECT max(length(CAST(?1 || substr(path, length(?2) + 1) AS BLOB))) AS bytes
         FROM workspace_entries WHERE path >= ?3 AND path < ?4`,
      to,
      from,
      range.from,
      range.to,
    )
    if ((longest?.bytes ?? 0) > MAX_PATH_BYTES) {
      fail(
        'invalid_input',
        `moved to ${to}, a path below it would be longer than ${MAX_PATH_BYTES} bytes (MAX_PATH_BYTES)`,
      )
    }
    this.#sql.run(
      `INSERT INTO workspace_changes (seq, path)
         SELECT ?1, ?2 || substr(path, length(?3) + 1) FROM workspace_entries WHERE path >= ?4 AND path < ?5
         ON CONFLICT DO NOTHING`,
      this.#seq,
      to,
      from,
      range.from,
      range.to,
    )
    this.#sql.run(
      'UPDATE workspace_entries SET path = ?1 || substr(path, length(?2) + 1) WHERE path >= ?3 AND path < ?4',
      to,
      from,
      range.from,
      range.to,
    )
  }

  /** Makes `path` free for a file or a link, its directories included. @returns the entry there before, noted and replaceable. */
  #makeRoom(path: WorkspacePath): WorkspaceEntry | null {
    const there = entryAt(this.#sql, path)
    if (there?.kind === 'directory') {
      fail(
        'conflict',
        say`${path === ROOT ? say`the ${FILES_ROOT}` : path} is a directory; remove it first or use another name`,
      )
    }
    if (there) {
      this.#noteEntry(path)
    } else {
      this.#ensureDirectory(parentPath(path))
      this.#noteNothing(path)
    }
    return there
  }

  #ensureDirectory(path: WorkspacePath): void {
    if (this.#directories.has(path)) return
    const there = entryAt(this.#sql, path)
    if (there && there.kind !== 'directory') {
      fail('conflict', `${path} is a ${there.kind} and not a directory, so nothing can lie in it`)
    }
    if (!there) this.#makeDirectory(path, DIRECTORY_MODE)
    this.#directories.add(path)
  }

  #makeDirectory(path: WorkspacePath, mode: number): void {
    this.#ensureDirectory(parentPath(path))
    this.#noteNothing(path)
    this.#put({ path, kind: 'directory', hash: null, size: null, mode, mtime: this.#now, target: null })
  }

  #forget(dir: WorkspacePath): void {
    for (const known of this.#directories) if (isWithin(known, dir)) this.#directories.delete(known)
  }

  #put(row: EntryRow & { readonly path: WorkspacePath }): void {
    this.#sql.run(
      `INSERT INTO workspace_entries (${ENTRY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (path) DO UPDATE SET kind = excluded.kind, hash = excluded.hash, size = excluded.size,
           mode = excluded.mode, mtime = excluded.mtime, target = excluded.target`,
      row.path,
      row.kind,
      row.hash,
      row.size,
      row.mode,
      row.mtime,
      row.target,
    )
  }

  #update(path: WorkspacePath, mode: number, mtime: number): void {
    this.#noteEntry(path)
    this.#sql.run('UPDATE workspace_entries SET mode = ?, mtime = ? WHERE path = ?', mode, mtime, path)
  }

  // The first note of a path in a commit stays: it is the state before the commit.

  #noteEntry(path: WorkspacePath): void {
    this.#sql.run(
      `INSERT INTO workspace_changes (seq, ${ENTRY_COLUMNS})
         SELECT ?, ${ENTRY_COLUMNS} FROM workspace_entries WHERE path = ? ON CONFLICT DO NOTHING`,
      this.#seq,
      path,
    )
  }

  #noteRange(from: string, to: string): void {
    this.#sql.run(
      `INSERT INTO workspace_changes (seq, ${ENTRY_COLUMNS})
         SELECT ?, ${ENTRY_COLUMNS} FROM workspace_entries WHERE path >= ? AND path < ? ON CONFLICT DO NOTHING`,
      this.#seq,
      from,
      to,
    )
  }

  #noteNothing(path: WorkspacePath): void {
    this.#sql.run('INSERT INTO workspace_changes (seq, path) VALUES (?, ?) ON CONFLICT DO NOTHING', this.#seq, path)
  }

  #time(mtimeMs: number | undefined): number {
    return timeOf(mtimeMs, this.#now)
  }
}

export const permissions = (mode: number) => mode & 0o7777

/** Modification time of a file, in milliseconds since 1970: the given one, or now. */
export function timeOf(mtimeMs: number | undefined, now: number): number {
  const rounded = Math.round(mtimeMs ?? now)
  return Number.isSafeInteger(rounded) ? rounded : now
}
