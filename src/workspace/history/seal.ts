import { fail } from '../../core/failure.ts'
import { MAX_WORKSPACE_BYTES, MAX_WORKSPACE_ENTRIES } from '../../core/limits/workspace.ts'
import type { Sql, SqlRow } from '../../ports/sql.ts'
import { foldTotals, type WorkspaceState } from '../manifest.ts'
import { leaveUncounted } from './uncounted.ts'

/**
 * Ends a commit inside the caller's transaction: the rows noted under `seq` become part of history, and blobs and totals are
 * counted.
 * @returns the hashes of changed files; null when nothing has changed, and no commit is made then
 * @throws FailureError `limit_exceeded`
 */
export function sealCommit(sql: Sql, commit: SealedCommit): ReadonlySet<string> | null {
  const { seq, callId, at } = commit
  foldTotals(sql)
  let sum = sumOf(sql, seq)
  if (sum.vain > 0) {
    sql.all(
      `DELETE FROM workspace_changes WHERE seq = ?1 AND path IN (SELECT c.path FROM ${CHANGED} WHERE c.seq = ?1 AND ${VAIN})`,
      seq,
    )
    sum = sumOf(sql, seq)
  }
  if (sum.changed === 0) return null

  const isUncounted = commit.takesBack ? leaveUncounted(sql, seq - 1, sum.changed) : false
  const referred = isUncounted ? NONE : refer(sql, seq, commit.isOfKnown ?? false)
  sql.all(
    'INSERT INTO workspace_commits (seq, call_id, at, changed, superseded_bytes, restored) VALUES (?, ?, ?, ?, ?, ?)',
    seq,
    callId,
    at,
    sum.changed,
    sum.superseded,
    commit.restored ?? null,
  )
  const [state] = sql.all<WorkspaceState>(
    `UPDATE workspace_state SET head = ?, entries = entries + ?, bytes = bytes + ?,
       kept_changes = kept_changes + ?, kept_bytes = kept_bytes + ? RETURNING *`,
    seq,
    sum.entries,
    sum.bytes,
    sum.changed,
    sum.superseded,
  )
  if (state) requireRoom(state, sum)
  return referred
}

interface SealedCommit {
  readonly seq: number
  readonly callId: string
  readonly at: number
  /** Whether history refers to all contents already: no hashes are given then. */
  readonly isOfKnown?: boolean
  /** Whether it comes back to the state before the last commit, all of it: history refers to all contents then. */
  readonly takesBack?: boolean
  /** First commit of the same state, where that was restored as a whole. */
  readonly restored?: number | null
}

const NONE: ReadonlySet<string> = new Set()

const NEW_REFERENCES = `SELECT e.hash, e.size, count(*) AS refs FROM workspace_changes c JOIN workspace_entries e ON e.path = c.path
  WHERE c.seq = ? AND e.hash IS NOT NULL GROUP BY e.hash`

/** Counts the references of a commit: one moves from the manifest to history with its row, so only the present entries are new. */
function refer(sql: Sql, seq: number, isOfKnown: boolean): ReadonlySet<string> {
  if (isOfKnown) {
    sql.run(
      `UPDATE workspace_blobs AS b SET refs = b.refs + n.refs FROM (${NEW_REFERENCES}) AS n WHERE b.hash = n.hash`,
      seq,
    )
    return NONE
  }
  const rows = sql.all<{ hash: string }>(
    `INSERT INTO workspace_blobs (hash, size, refs, remote) SELECT hash, size, refs, 'no' FROM (${NEW_REFERENCES}) WHERE true
       ON CONFLICT (hash) DO UPDATE SET refs = refs + excluded.refs RETURNING hash`,
    seq,
  )
  return new Set(rows.map(({ hash }) => hash))
}

/** SQL for the rows that a commit noted, beside the present entries. */
const CHANGED = 'workspace_changes c LEFT JOIN workspace_entries e ON e.path = c.path'
/** SQL for a path that ends as it began: made and removed again, or written with the very same content. */
const VAIN = '(e.kind, e.hash, e.mode, e.mtime, e.target) IS (c.kind, c.hash, c.mode, c.mtime, c.target)'

interface Sum {
  readonly changed: number
  /** Number of these paths that end as they began. */
  readonly vain: number
  /** Growth of the workspace in entries. */
  readonly entries: number
  readonly bytes: number
  /** Bytes that only history refers to from now on. */
  readonly superseded: number
}

function sumOf(sql: Sql, seq: number): Sum {
  const [sum] = sql.all<Sum & SqlRow>(
    `SELECT count(*) AS changed, coalesce(sum(${VAIN}), 0) AS vain, count(e.path) - count(c.kind) AS entries,
            coalesce(sum(e.size), 0) - coalesce(sum(c.size), 0) AS bytes, coalesce(sum(c.size), 0) AS superseded
       FROM ${CHANGED} WHERE c.seq = ?`,
    seq,
  )
  if (!sum) throw new Error('a sum has a row')
  return sum
}

/**
 * Checks the totals after a commit. A workspace that became too large by other means may still shrink. @throws FailureError
 * `limit_exceeded`
 */
export function requireRoom(
  state: Pick<WorkspaceState, 'entries' | 'bytes'>,
  grown: { readonly entries: number; readonly bytes: number },
): void {
  if (grown.entries > 0 && state.entries > MAX_WORKSPACE_ENTRIES) {
    fail(
      'limit_exceeded',
      `the workspace would hold ${state.entries} files and directories; at most ${MAX_WORKSPACE_ENTRIES} are allowed ` +
        '(MAX_WORKSPACE_ENTRIES); remove some first',
    )
  }
  if (grown.bytes > 0 && state.bytes > MAX_WORKSPACE_BYTES) {
    fail(
      'limit_exceeded',
      `the workspace would hold ${state.bytes} bytes; at most ${MAX_WORKSPACE_BYTES} are allowed ` +
        '(MAX_WORKSPACE_BYTES); remove some files first',
    )
  }
}
