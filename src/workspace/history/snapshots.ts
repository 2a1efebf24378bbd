import { fail } from '../../core/failure.ts'
import { MAX_SNAPSHOT_BYTES, MAX_SNAPSHOT_CHANGES, MAX_SNAPSHOTS } from '../../core/limits/snapshots.ts'
import { type Moment, snapshotName } from '../../core/moment.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { Sql } from '../../ports/sql.ts'
import { readState } from '../manifest.ts'
import { requireKept } from './kept.ts'
import { commitAt } from './moment.ts'
import { pinnedTotals } from './pinned.ts'

/** A snapshot: a name for the state after a commit, which is kept as long as the name is there. */
export interface Snapshot {
  readonly name: string
  /** Number of the commit. */
  readonly seq: number
  /** Maker: a call's id, or `snapshot` and the public part of a key. */
  readonly author: string
  /** Time when it was made, in milliseconds since 1970. */
  readonly at: number
}

export interface NewSnapshot {
  readonly name: string
  /** State to name; the present one when null. */
  readonly moment: Moment | null
  /** Whether a snapshot of that name may be taken to another commit. */
  readonly replaces: boolean
  readonly author: string
  readonly at: number
}

interface PutSnapshot {
  readonly created: boolean
  readonly snapshot: Snapshot
  /** Commit that had the name until now; null for a new one, and for one that stays as it is. */
  readonly before: number | null
}

/** Snapshots of a workspace. Making one writes a row or two, however large the workspace is. */
export class WorkspaceSnapshots {
  readonly #sql: Sql
  readonly #table: LazyTable

  constructor(sql: Sql) {
    this.#sql = sql
    this.#table = new LazyTable(sql, 'workspace_snapshots')
  }

  /** Snapshots in order of their names, from behind `after`. */
  list({ limit, after = '' }: { readonly limit: number; readonly after?: string }): Snapshot[] {
    return this.#table.read<Snapshot & Row>(`${SELECT} WHERE name > ? ORDER BY name LIMIT ?`, after, limit).map(copy)
  }

  find(name: string): Snapshot | null {
    const [row] = this.#table.read<Snapshot & Row>(`${SELECT} WHERE name = ?`, name)
    return row ? copy(row) : null
  }

  /**
   * Makes a snapshot. One of that name and commit stays as it is.
   * @throws FailureError `not_found` for a moment that is not kept, `conflict` for a name of another commit, `limit_exceeded`
   */
  put({ name, moment, replaces, author, at }: NewSnapshot): PutSnapshot {
    snapshotName(name)
    const seq = moment === null ? readState(this.#sql).head : commitAt(this.#sql, moment)
    requireKept(this.#sql, seq)
    const there = this.find(name)
    if (there?.seq === seq) return { created: false, snapshot: there, before: null }
    if (there && !replaces) {
      fail(
        'conflict',
        `the snapshot ${name} is of commit ${there.seq} and not of ${seq}; remove it first, give "replace": true, or choose another name`,
      )
    }
    this.#requireRoom(there !== null)
    this.#table.make()
    this.#sql.transaction(() => {
      this.#sql.all('INSERT OR IGNORE INTO workspace_moments (seq) VALUES (?)', seq)
      this.#sql.all(
        'INSERT OR REPLACE INTO workspace_snapshots (name, seq, author, at) VALUES (?, ?, ?, ?)',
        ...[name, seq, author, at],
      )
    })
    return { created: true, snapshot: { name, seq, author, at }, before: there?.seq ?? null }
  }

  /** Removes a snapshot. What history keeps for it alone goes by `expireCommits`, a batch at a time. @returns its commit, null when there is none */
  remove(name: string): number | null {
    const [row] = this.#table.read<{ seq: number }>(
      'DELETE FROM workspace_snapshots WHERE name = ? RETURNING seq',
      name,
    )
    return row?.seq ?? null
  }

  #requireRoom(isMoved: boolean): void {
    const [{ count } = { count: 0 }] = this.#table.read<{ count: number }>(
      'SELECT count(*) AS count FROM workspace_snapshots',
    )
    if (count >= MAX_SNAPSHOTS && !isMoved)
      fail('limit_exceeded', `there are ${MAX_SNAPSHOTS} snapshots already (MAX_SNAPSHOTS); remove one first`)
    const { changes, bytes } = pinnedTotals(this.#sql)
    const [full, limit] =
      changes > MAX_SNAPSHOT_CHANGES
        ? [`${changes} changes of files`, `${MAX_SNAPSHOT_CHANGES} (MAX_SNAPSHOT_CHANGES)`]
        : [`${bytes} bytes of earlier contents`, `${MAX_SNAPSHOT_BYTES} (MAX_SNAPSHOT_BYTES)`]
    if (changes > MAX_SNAPSHOT_CHANGES || bytes > MAX_SNAPSHOT_BYTES)
      fail('limit_exceeded', `the snapshots keep ${full}, more than ${limit}; remove old ones first`)
  }
}

type Row = Record<string, string | number>

const SELECT = 'SELECT name, seq, author, at FROM workspace_snapshots'

// Rows of `node:sqlite` have no prototype, which RPC would refuse.
const copy = ({ name, seq, author, at }: Snapshot): Snapshot => ({ name, seq, author, at })
