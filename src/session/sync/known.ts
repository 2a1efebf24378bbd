import { jsonBatches } from '../../core/json-batches.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { Sql } from '../../ports/sql.ts'
import { pathsBelow } from '../../workspace/path-range.ts'

/** Known state of the sandbox at one path. */
export interface Known {
  /** {@link Listed.stamp} at the last look. */
  readonly stamp: string
  /** True when the content may have changed since then though the stamp is the same; see `racy.ts`. */
  readonly isRacy?: boolean
  /** {@link signature} of the workspace's entry with which the path was last synchronized; or NOTHING; or begins with ON_ITS_WAY. */
  readonly signature: string
}

const REMOVE = 'DELETE FROM sandbox_files WHERE path IN (SELECT value FROM json_each(?))'
const PUT = `INSERT OR REPLACE INTO sandbox_files (path, stamp, signature)
  SELECT entry.value ->> 0, entry.value ->> 1, entry.value ->> 2 FROM json_each(?) entry`

/** Mark before the stamp of a racy file, in the table. */
const RACY = '?'

/** {@link Known.stamp} of an entry that no listing has shown yet. */
export const UNSEEN = ''
/** {@link Known.signature} of an entry that stays in the sandbox only: the workspace has nothing there. */
export const NOTHING = ''
/**
 * Beginning of the {@link Known.signature} of an entry being copied into the sandbox: an interrupted copy leaves half of it, which is
 * no change by the task. `on-its-way.ts` writes the rest.
 */
export const ON_ITS_WAY = 'on its way'

/** Entries held in memory, of some hundred bytes each: one push or look asks for the same paths several times. */
const MAX_HELD = 1_000

const COLUMNS = 'path, stamp, signature'

/**
 * Known state of the session's sandbox, path by path. It is in the session's database, so that it is still there when the session
 * wakes up, and is dropped with the sandbox. Only a full look reads all of it.
 */
export class KnownFiles {
  readonly #sql: Sql
  readonly #table: LazyTable
  readonly #held = new Map<WorkspacePath, Known | undefined>()

  constructor(sql: Sql) {
    this.#sql = sql
    this.#table = new LazyTable(sql, 'sandbox_files')
  }

  get isEmpty(): boolean {
    return this.#table.read('SELECT path FROM sandbox_files LIMIT 1').length === 0
  }

  /** A copy of all entries. */
  all(): ReadonlyMap<WorkspacePath, Known> {
    return new Map(this.#table.read<KnownRow>(`SELECT ${COLUMNS} FROM sandbox_files`).map(entryOf))
  }

  get(path: WorkspacePath): Known | undefined {
    if (this.#held.has(path)) return this.#held.get(path)
    const [row] = this.#table.read<KnownRow>(`SELECT ${COLUMNS} FROM sandbox_files WHERE path = ?`, path)
    const known = row && entryOf(row)[1]
    if (this.#held.size >= MAX_HELD) this.#held.clear()
    this.#held.set(path, known)
    return known
  }

  /** Entries of a path and all below it. */
  within(path: WorkspacePath): (readonly [WorkspacePath, Known])[] {
    const { from, to } = pathsBelow(path)
    const own = this.get(path)
    return [
      ...(own ? [[path, own] as const] : []),
      ...this.#table
        .read<KnownRow>(`SELECT ${COLUMNS} FROM sandbox_files WHERE path >= ? AND path < ?`, from, to)
        .map(entryOf),
    ]
  }

  set(changes: readonly (readonly [WorkspacePath, Known | null])[]): void {
    this.#held.clear()
    if (changes.length === 0) return
    this.#table.make()
    const put = changes.flatMap(([path, known]) =>
      known ? [[path, known.isRacy ? RACY + known.stamp : known.stamp, known.signature]] : [],
    )
    const gone = changes.flatMap(([path, known]) => (known ? [] : [path]))
    this.#sql.transaction(() => {
      for (const batch of jsonBatches(gone)) this.#sql.run(REMOVE, batch)
      for (const batch of jsonBatches(put)) this.#sql.run(PUT, batch)
    })
  }

  clear(): void {
    this.#held.clear()
    this.#table.read('DELETE FROM sandbox_files')
  }
}

type KnownRow = { readonly path: string; readonly stamp: string; readonly signature: string }

function entryOf({ path, stamp, signature }: KnownRow): readonly [WorkspacePath, Known] {
  const isRacy = stamp.startsWith(RACY)
  return [path as WorkspacePath, { stamp: isRacy ? stamp.slice(RACY.length) : stamp, isRacy, signature }]
}
