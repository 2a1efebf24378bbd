import { ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import type { Sql } from '../../ports/sql.ts'
import { atOrBelow, boundsOf } from './at-or-below.ts'

/** One commit of a workspace. */
export interface Commit {
  readonly seq: number
  /** Id of the call that made the commit. */
  readonly callId: string
  readonly at: number
  /** Number of paths that differ from the commit before. */
  readonly changed: number
}

export interface CommitPage {
  readonly commits: readonly Commit[]
  /** The `before` of the next page; absent on the last one. */
  readonly next?: number
}

const commitsThat = (condition: string) =>
  `SELECT seq, call_id AS callId, at, changed FROM workspace_commits o WHERE ${condition}`
const pageThat = (condition: string) =>
  commitsThat(`seq < ?1 AND (?3 IS NULL OR call_id = ?3) AND ${condition} ORDER BY seq DESC LIMIT ?2`)
const LIST = pageThat('TRUE')
// One seek for each commit: changes have no index by path, and there are many times as many of them.
const LIST_AT = pageThat(`EXISTS (SELECT 1 FROM workspace_changes c WHERE c.seq = o.seq AND ${atOrBelow('c.path', 4)})`)

interface CommitsOf {
  readonly limit: number
  readonly before?: number
  readonly path?: WorkspacePath
  /** Call or other author whose commits alone are wanted. */
  readonly author?: string
}

/** Page of commits, newest first: all of them, or those of one author, or that changed something at or below a path. */
export function listCommits(sql: Sql, { limit, before, path = ROOT, author }: CommitsOf): CommitPage {
  const place = path === ROOT ? [] : boundsOf(path)
  const query = path === ROOT ? LIST : LIST_AT
  const commits = sql.all<CommitRow>(query, before ?? Number.MAX_SAFE_INTEGER, limit + 1, author ?? null, ...place)
  const page = commits.slice(0, limit)
  const last = page.at(-1)
  return commits.length > limit && last ? { commits: page, next: last.seq } : { commits: page }
}

/** One commit; null when it is unknown or no longer kept. */
export function findCommit(sql: Sql, seq: number): Commit | null {
  return sql.all<CommitRow>(commitsThat('seq = ?'), seq)[0] ?? null
}

type CommitRow = { seq: number; callId: string; at: number; changed: number }
