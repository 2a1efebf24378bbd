import type { Sql } from '../../ports/sql.ts'
import { ENTRY_COLUMNS, type EntryRow } from '../entry-row.ts'

/** State of a path: its row; `kind` is null where it does not exist. */
export type StateRow = Omit<EntryRow, 'kind' | 'mode' | 'mtime'> & {
  readonly kind: EntryRow['kind'] | null
  readonly mode: number | null
  readonly mtime: number | null
}

const NAMED = 'path IN (SELECT value FROM json_each(?1))'
// With `min`, SQLite takes the other columns of a group from the row of its least `seq`.
const LATER = `SELECT min(seq) AS seq, ${ENTRY_COLUMNS} FROM workspace_changes WHERE seq > ?2 AND ${NAMED} GROUP BY path`
const NOW = `SELECT ${ENTRY_COLUMNS} FROM workspace_entries WHERE ${NAMED}`

/** States of paths after commit `seq`; a path is missing where it did not exist then. Reads all later changes, but for the newest commit. */
export function statesAfter(sql: Sql, seq: number, head: number, paths: readonly string[]): Map<string, StateRow> {
  const named = JSON.stringify(paths)
  const states = new Map<string, StateRow>(sql.all<EntryRow>(NOW, named).map((row) => [row.path, row]))
  if (seq >= head) return states
  for (const row of sql.all<StateRow & { seq: number }>(LATER, named, seq)) {
    if (row.kind === null) states.delete(row.path)
    else states.set(row.path, row)
  }
  return states
}
