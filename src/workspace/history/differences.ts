import { ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import type { Sql } from '../../ports/sql.ts'
import { type EntryRow, entryFromRow, pathFromRow } from '../entry-row.ts'
import { columnsOf } from './as-of.ts'
import { atOrBelow, boundsOf } from './at-or-below.ts'
import type { Difference } from './compare.ts'
import { requireKept } from './kept.ts'
import { type StateRow, statesAfter } from './states-after.ts'

export interface DifferencesQuery {
  readonly from: number
  readonly to: number
  /** Path at and below which to look; the root for all. */
  readonly path?: WorkspacePath
  /** Path behind which the page begins; the beginning when left out. */
  readonly after?: string
  readonly limit: number
}

/** SQL for what a difference shows of a row. */
const LOOKS = ['kind', 'hash', 'mode', 'target']
const looks = (row: string) => LOOKS.map((column) => `${row}.${column}`).join(', ')
const FIRST = 'SELECT min(seq) AS seq, path FROM workspace_changes'
// One pass over the changes: paths that differ in nothing must not cost a pass for each thousand of them.
const DIFFERING = `WITH touched AS (${FIRST} WHERE seq > ?1 AND seq <= ?2 AND path > ?3 AND ${atOrBelow('path', 5)} GROUP BY path),
    later AS MATERIALIZED (${FIRST} WHERE seq > ?2 AND path > ?3 AND ${atOrBelow('path', 5)} GROUP BY path)
  SELECT ${columnsOf('x')} FROM touched CROSS JOIN workspace_changes x ON x.seq = touched.seq AND x.path = touched.path
    LEFT JOIN later ON later.path = touched.path
    LEFT JOIN workspace_changes y ON y.seq = later.seq AND y.path = later.path
    LEFT JOIN workspace_entries e ON e.path = touched.path AND later.seq IS NULL
  WHERE (${looks('x')}) IS NOT (${LOOKS.map((column) => `coalesce(y.${column}, e.${column})`).join(', ')})
  ORDER BY touched.path LIMIT ?4`

/**
 * Page of the differences that turn commit `from` into commit `to`, sorted by path; paths that differ in nothing but their time are
 * left out.
 * @throws FailureError `not_found`
 */
export function pageOfDifferences(
  sql: Sql,
  head: number,
  { from, to, path = ROOT, after = '', limit }: DifferencesQuery,
): { readonly differences: readonly Difference[]; readonly more: boolean } {
  requireKept(sql, from)
  requireKept(sql, to)
  const [low, high] = from < to ? [from, to] : [to, from]
  const found = sql.all<StateRow>(DIFFERING, low, high, after, limit + 1, ...boundsOf(path))
  const old = found.slice(0, limit)
  const states = statesAfter(
    sql,
    high,
    head,
    old.map((row) => row.path),
  )
  const differences = old.map((row): Difference => {
    const one = row.kind === null ? null : entryFromRow(row as EntryRow)
    const state = states.get(row.path)
    const other = state === undefined ? null : entryFromRow(state as EntryRow)
    const [before, now] = from < to ? [one, other] : [other, one]
    return { path: pathFromRow(row), before, after: now }
  })
  return { differences, more: found.length > limit }
}
