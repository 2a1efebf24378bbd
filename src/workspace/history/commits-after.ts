import { MAX_WATCHED_CHANGES, MAX_WATCHED_COMMITS } from '../../core/limits/watch.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { PathChange } from '../../ports/file-history.ts'
import type { Sql } from '../../ports/sql.ts'
import { atOrBelow, boundsOf } from './at-or-below.ts'
import { countChanges, firstChanges } from './commit-changes.ts'
import { keptRange } from './kept.ts'

export interface CommitWithChanges {
  readonly seq: number
  /** Id of the call that made the commit, or the author of a change that was no call. */
  readonly callId: string
  readonly at: number
  /** Changes below the wanted path, sorted by path: MAX_WATCHED_CHANGES at most. */
  readonly changes: readonly PathChange[]
  /** Number of changes there, those left out included. */
  readonly changed: number
}

export interface CommitsAfter {
  /** Commits that changed something at or below the path, oldest first: MAX_WATCHED_COMMITS at most. */
  readonly commits: readonly CommitWithChanges[]
  /** Number up to which no other commit changed something there. */
  readonly upTo: number
  /** Whether later ones may have. */
  readonly more: boolean
}

/** Commits after `seq`, which must be kept, that changed something at or below a path. */
export function commitsAfter(sql: Sql, seq: number, path: WorkspacePath): CommitsAfter {
  const rows = sql.all<{ seq: number; callId: string; at: number }>(AFTER, seq, MAX_WATCHED_COMMITS, ...boundsOf(path))
  const { head } = keptRange(sql)
  const seqs = rows.map((row) => row.seq)
  const changes = firstChanges(sql, { seqs, path, head, shown: MAX_WATCHED_CHANGES })
  const commits = rows.map((commit): CommitWithChanges => {
    const some = changes.get(commit.seq) ?? []
    const changed = some.length < MAX_WATCHED_CHANGES ? some.length : countChanges(sql, commit.seq, path)
    return { ...commit, changes: some, changed }
  })
  const more = rows.length === MAX_WATCHED_COMMITS
  return { commits, upTo: more ? (rows.at(-1)?.seq ?? seq) : head, more }
}

const AFTER = `SELECT o.seq, o.call_id AS callId, o.at FROM workspace_commits o
  WHERE o.seq > ?1 AND EXISTS (SELECT 1 FROM workspace_changes c WHERE c.seq = o.seq AND ${atOrBelow('c.path', 3)})
  ORDER BY o.seq LIMIT ?2`
