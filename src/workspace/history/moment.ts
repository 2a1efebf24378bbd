import { fail } from '../../core/failure.ts'
import { commitsBack, MOMENT_WORDS, type Moment, snapshotName } from '../../core/moment.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { Sql } from '../../ports/sql.ts'
import { keptRange } from './kept.ts'

/**
 * Number of a moment's commit. A number is taken as it is: whoever looks at its state checks that it is kept.
 * @throws FailureError `not_found` for the name of no snapshot, `invalid_input` for what is no name
 */
export function commitAt(sql: Sql, moment: Moment): number {
  if (typeof moment === 'number') return moment
  const back = commitsBack(moment)
  if (back !== null) return commitBefore(keptRange(sql).head, back, moment)
  if (/^[0-9a-f]{7,40}$/.test(moment) || /^\d{4}-\d\d-/.test(moment))
    return fail('invalid_input', `${moment} is no moment of the files: ${MOMENT_WORDS}; the history lists the commits`)
  const snapshots = new LazyTable(sql, 'workspace_snapshots')
  const [row] = snapshots.read<{ seq: number }>(
    'SELECT seq FROM workspace_snapshots WHERE name = ?',
    snapshotName(moment),
  )
  return row?.seq ?? fail('not_found', `there is no snapshot ${moment}; ${present(sql)}`)
}

function commitBefore(head: number, back: number, moment: string): number {
  return head >= back ? head - back : fail('not_found', `${moment} is before the first commit: the newest is ${head}`)
}

/** Names of the snapshots that there are, and the newest commit. */
function present(sql: Sql): string {
  const rows = new LazyTable(sql, 'workspace_snapshots').read<{ name: string }>(
    'SELECT name FROM workspace_snapshots ORDER BY name LIMIT ?',
    MAX_SHOWN + 1,
  )
  const names = rows.slice(0, MAX_SHOWN).map(({ name }) => name)
  const more = rows.length > MAX_SHOWN ? ', …' : ''
  const which = names.length === 0 ? 'none was made' : `there are: ${names.join(', ')}${more}`
  return `${which}; the newest commit is ${keptRange(sql).head}`
}

const MAX_SHOWN = 5
