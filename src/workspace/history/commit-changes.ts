import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { PathChange } from '../../ports/file-history.ts'
import type { Sql, SqlValue } from '../../ports/sql.ts'
import { atOrBelow, boundsOf } from './at-or-below.ts'
import { type StateRow, statesAfter } from './states-after.ts'

/** Path that a commit changed, with its state before. */
type Noted = { readonly seq: number; readonly path: string; readonly kind: StateRow['kind'] }

const IN_GIT = `'/' || path LIKE '%/.git/%'`
const NOTED = `SELECT seq, path, kind FROM workspace_changes WHERE seq = ?1 AND ${atOrBelow('path', 2)}`
const BESIDE_GIT = `${NOTED} AND NOT ${IN_GIT} ORDER BY path LIMIT ?5`
const OF_GIT = `${NOTED} AND ${IN_GIT} ORDER BY path LIMIT ?5`
const BEHIND = `${NOTED} AND path > ?5 ORDER BY path LIMIT ?6`
const COUNT = `SELECT count(*) AS count FROM workspace_changes WHERE seq = ?1 AND ${atOrBelow('path', 2)}`

/** Number of paths at or below one that a commit changed. */
export function countChanges(sql: Sql, seq: number, path: WorkspacePath): number {
  return sql.all<{ count: number }>(COUNT, seq, ...boundsOf(path))[0]?.count ?? 0
}

/** Some changes of each of some commits, by commit: those in directories named `.git` come last. */
export function changesShown(
  sql: Sql,
  { seqs, path, head, shown }: { readonly seqs: readonly number[]; readonly head: number } & ShownChanges,
): ReadonlyMap<number, readonly PathChange[]> {
  const noted = seqs.flatMap((seq) => {
    const first = rows(sql, BESIDE_GIT, seq, ...boundsOf(path), shown)
    return first.length === shown
      ? first
      : [...first, ...rows(sql, OF_GIT, seq, ...boundsOf(path), shown - first.length)]
  })
  return byCommit(described(sql, noted, head))
}

/** The first changes of each of some commits, by commit, sorted by path. */
export function firstChanges(
  sql: Sql,
  { seqs, path, head, shown }: { readonly seqs: readonly number[]; readonly head: number } & ShownChanges,
): ReadonlyMap<number, readonly PathChange[]> {
  const noted = seqs.flatMap((seq) => rows(sql, BEHIND, seq, ...boundsOf(path), '', shown))
  return byCommit(described(sql, noted, head))
}

function byCommit(all: readonly [number, PathChange][]): ReadonlyMap<number, readonly PathChange[]> {
  const changes = new Map<number, PathChange[]>()
  for (const [seq, change] of all) {
    const others = changes.get(seq)
    if (others) others.push(change)
    else changes.set(seq, [change])
  }
  return changes
}

interface ShownChanges {
  readonly path: WorkspacePath
  /** Changes of each commit. */
  readonly shown: number
}

/** Changes of one commit behind a path, sorted by path. */
export function pageOfChanges(
  sql: Sql,
  {
    seq,
    path,
    head,
    after,
    limit,
  }: {
    readonly seq: number
    readonly path: WorkspacePath
    readonly head: number
    readonly after: string
    readonly limit: number
  },
): PathChange[] {
  return described(sql, rows(sql, BEHIND, seq, ...boundsOf(path), after, limit), head).map(([, change]) => change)
}

const rows = (sql: Sql, query: string, ...params: SqlValue[]) => sql.all<Noted>(query, ...params)

// The state after a commit is what a later commit noted first, or the present one.
const BETWEEN = `SELECT seq, path, kind, size FROM workspace_changes
  WHERE seq > ?2 AND seq <= ?3 AND path IN (SELECT value FROM json_each(?1)) ORDER BY seq DESC`

/** Changes of paths by commits, in the order of `noted`. */
function described(sql: Sql, noted: readonly Noted[], head: number): [number, PathChange][] {
  if (noted.length === 0) return []
  const seqs = noted.map(({ seq }) => seq)
  const [lowest, highest] = [Math.min(...seqs), Math.max(...seqs)]
  const paths = [...new Set(noted.map(({ path }) => path))]
  const after = statesAfter(sql, highest, head, paths)
  // Walks back from the newest of these commits: what one noted is the state after those before it.
  const later =
    lowest === highest ? [] : sql.all<Noted & Pick<StateRow, 'size'>>(BETWEEN, JSON.stringify(paths), lowest, highest)
  const states = new Map<string, Pick<StateRow, 'kind' | 'size'>>(after)
  const changes = new Map<Noted, PathChange>()
  let at = 0
  for (const one of [...noted].sort((a, b) => b.seq - a.seq)) {
    for (let row = later[at]; row && row.seq > one.seq; row = later[++at]) states.set(row.path, row)
    changes.set(one, changeOf(one, states.get(one.path)))
  }
  return noted.flatMap((one) => {
    const change = changes.get(one)
    return change ? [[one.seq, change] as [number, PathChange]] : []
  })
}

function changeOf({ path, kind: old }: Noted, now: Pick<StateRow, 'kind' | 'size'> | undefined): PathChange {
  const kind = now?.kind ?? null
  const change = kind === null ? 'deleted' : old === null ? 'created' : 'modified'
  return { path, change, kind: kind ?? old ?? 'file', size: kind === 'file' ? (now?.size ?? 0) : null }
}
