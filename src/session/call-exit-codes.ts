import type { Outcome } from '../core/outcome.ts'
import { LazyTable } from '../migrations/session/lazy-table.ts'
import type { Sql } from '../ports/sql.ts'
import type { HistoryCall } from './calls-api.ts'

/** Exit code of the command that a call ran; 0 for a call that ran none. */
export function exitCodeOf(outcome: Outcome): number {
  const code = outcome.kind === 'done' ? outcome.result.data?.exit_code : 0
  return typeof code === 'number' && Number.isSafeInteger(code) ? code : 0
}

/** Exit codes other than 0 of commands that calls of the history ran, by the ids of the calls. Such a call is done: its tool did its work. */
export class CallExitCodes {
  readonly #table: LazyTable

  constructor(sql: Sql) {
    this.#table = new LazyTable(sql, 'call_exit_codes')
  }

  /** Notes what a call's command ended with, where that is worth a row. */
  note(callId: string, code: number): void {
    if (code === 0) return
    this.#table.write('INSERT OR REPLACE INTO call_exit_codes (call_id, exit_code) VALUES (?, ?)', callId, code)
  }

  withExitCodes(calls: readonly HistoryCall[]): HistoryCall[] {
    const ids = JSON.stringify(calls.map(({ callId }) => callId))
    const rows = this.#table.read<{ call_id: string; exit_code: number }>(
      'SELECT call_id, exit_code FROM call_exit_codes WHERE call_id IN (SELECT value FROM json_each(?))',
      ids,
    )
    const codes = new Map(rows.map(({ call_id, exit_code }) => [call_id, exit_code]))
    return calls.map((call) => {
      const exitCode = codes.get(call.callId)
      return exitCode === undefined ? call : { ...call, exitCode }
    })
  }

  /** SQL for a call whose command ended with another code than 0. */
  get condition(): string {
    const isThere = this.#table.read('SELECT 1 AS found FROM call_exit_codes LIMIT 1').length > 0
    return isThere ? 'call_id IN (SELECT call_id FROM call_exit_codes)' : '0'
  }

  /** Drops the calls that history has dropped. */
  dropOld(): void {
    this.#table.read('DELETE FROM call_exit_codes WHERE call_id NOT IN (SELECT call_id FROM calls)')
  }
}
