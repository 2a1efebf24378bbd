import { fail } from '../../core/failure.ts'
import { ancestors, type WorkspacePath } from '../../core/workspace-path.ts'
import type { Sql } from '../../ports/sql.ts'
import { ENTRY_COLUMNS, type EntryRow, pathFromRow } from '../entry-row.ts'

const REMOVED = `SELECT c.path, e.kind AS then_kind FROM workspace_changes c LEFT JOIN workspace_entries e ON e.path = c.path
  WHERE c.seq = ?1 AND c.kind = 'directory' AND e.kind IS NOT 'directory'`
const PATHS = 'path IN (SELECT value FROM json_each(?2))'
const PUT_BACK = `INSERT INTO workspace_entries (${ENTRY_COLUMNS}) SELECT ${ENTRY_COLUMNS} FROM workspace_changes WHERE seq = ?1 AND ${PATHS}`
const FORGET = `DELETE FROM workspace_changes WHERE seq = ?1 AND ${PATHS}`

/**
 * Takes back that a rewind, noted under `seq`, removed directories whose content the workspace does not have, so that nothing could
 * bring it back; inside the transaction of the rewind.
 * @returns these directories
 * @throws FailureError `conflict` where a file stood in the place of one
 */
export function leaveDirectories(
  sql: Sql,
  seq: number,
  stays: (directory: WorkspacePath) => boolean,
): readonly WorkspacePath[] {
  const rows = sql.all<{ path: string; then_kind: EntryRow['kind'] | null }>(REMOVED, seq)
  const removed = new Map(rows.map((row) => [pathFromRow(row), row.then_kind]))
  const directories = [...removed.keys()].filter(stays)
  if (directories.length === 0) return []
  const left = new Set<WorkspacePath>()
  for (const directory of directories) {
    for (const at of [directory, ...ancestors(directory)]) {
      const then = removed.get(at)
      if (then)
        fail(
          'conflict',
          `${at} was a ${then} then; now it has ${directory}, whose content is in the sandbox alone: move ${at} away, and restore again`,
        )
      if (then === null) left.add(at)
    }
  }
  const paths = JSON.stringify([...left])
  sql.run(PUT_BACK, seq, paths)
  sql.run(FORGET, seq, paths)
  return directories
}
