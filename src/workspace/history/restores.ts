import type { WorkspacePath } from '../../core/workspace-path.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { Sql } from '../../ports/sql.ts'

/** State that a commit restored: that of a path, and of all below it, after an earlier commit. */
export interface RestoredState {
  readonly commit: number
  readonly path: WorkspacePath
}

/** Notes what commit `seq` restored. */
export function noteRestored(sql: Sql, seq: number, { commit, path }: RestoredState): void {
  table(sql).write('INSERT INTO workspace_restores (seq, restored, path) VALUES (?, ?, ?)', seq, commit, path)
}

/** Finds the states that some commits restored, by the numbers of those that did. */
export function restoredBy(sql: Sql, seqs: readonly number[]): ReadonlyMap<number, RestoredState> {
  const rows = table(sql).read<{ seq: number; restored: number; path: WorkspacePath }>(
    'SELECT seq, restored, path FROM workspace_restores WHERE seq IN (SELECT value FROM json_each(?))',
    JSON.stringify(seqs),
  )
  return new Map(rows.map(({ seq, restored, path }) => [seq, { commit: restored, path }]))
}

/** Forgets what commits up to `last` restored, which are dropped. */
export function dropRestored(sql: Sql, last: number): void {
  table(sql).read('DELETE FROM workspace_restores WHERE seq <= ?', last)
}

const table = (sql: Sql) => new LazyTable(sql, 'workspace_restores')
