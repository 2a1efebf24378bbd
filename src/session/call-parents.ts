import { LazyTable } from '../migrations/session/lazy-table.ts'
import type { Sql } from '../ports/sql.ts'
import type { HistoryCall } from './calls-api.ts'

/** Calls of the history that another call made, such as a step of a chain, by their ids: few sessions have any. */
export class CallParents {
  readonly #table: LazyTable

  constructor(sql: Sql) {
    this.#table = new LazyTable(sql, 'call_parents')
  }

  note(callId: string, parent: string): void {
    this.#table.write('INSERT OR REPLACE INTO call_parents (call_id, parent) VALUES (?, ?)', callId, parent)
  }

  withParents(calls: readonly HistoryCall[]): HistoryCall[] {
    const ids = JSON.stringify(calls.map(({ callId }) => callId))
    const rows = this.#table.read<{ call_id: string; parent: string }>(
      'SELECT call_id, parent FROM call_parents WHERE call_id IN (SELECT value FROM json_each(?))',
      ids,
    )
    const parents = new Map(rows.map(({ call_id, parent }) => [call_id, parent]))
    return calls.map((call) => {
      const parent = parents.get(call.callId)
      return parent === undefined ? call : { ...call, parent }
    })
  }

  /** Drops the calls that history has dropped. */
  dropOld(): void {
    this.#table.read('DELETE FROM call_parents WHERE call_id NOT IN (SELECT call_id FROM calls)')
  }
}
