import { MAX_HISTORY_CHARS, MAX_KEPT_ANSWER_CHARS, MAX_KEPT_ANSWERS } from '../core/limits/sessions.ts'
import { REDACT_AHEAD_CHARS, redact } from '../core/redact.ts'
import { LazyTable } from '../migrations/session/lazy-table.ts'
import type { Sql } from '../ports/sql.ts'

/**
 * Answers that are too long for the history's own row, whole: those of the newest MAX_KEPT_ANSWERS calls that ran something.
 * Their client may have left before they ended.
 */
export class KeptAnswers {
  readonly #table: LazyTable

  constructor(sql: Sql) {
    this.#table = new LazyTable(sql, 'answers')
  }

  /** Keeps an answer, if history's row shortens it. */
  keep(callId: string, answer: string): void {
    if (answer.length <= MAX_HISTORY_CHARS) return
    const text = redact(answer.slice(0, MAX_KEPT_ANSWER_CHARS + REDACT_AHEAD_CHARS)).slice(0, MAX_KEPT_ANSWER_CHARS)
    this.#table.write('INSERT INTO answers (call_id, answer) VALUES (?, ?)', callId, text)
    this.#table.read('DELETE FROM answers WHERE seq <= (SELECT max(seq) FROM answers) - ?', MAX_KEPT_ANSWERS)
  }

  /** The whole of an answer of which history has the start; that start where the whole is not kept. */
  whole(callId: string, start: string): string {
    if (start.length < MAX_HISTORY_CHARS) return start
    const [row] = this.#table.read<{ answer: string }>('SELECT answer FROM answers WHERE call_id = ?', callId)
    return row?.answer ?? start
  }
}
