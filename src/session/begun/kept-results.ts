import {
  MAX_KEPT_RESULT_CHARS,
  MAX_KEPT_RESULTS,
  MAX_KEPT_RESULTS_CHARS,
  RESULT_KEPT_MS,
  RESULT_PART_CHARS,
} from '../../core/limits/calls.ts'
import type { Outcome } from '../../core/outcome.ts'
import { redact } from '../../core/redact.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { Sql } from '../../ports/sql.ts'

/**
 * Outcomes of begun calls, and whole results of calls whose answers show a part, masked as in the history: the newest
 * MAX_KEPT_RESULTS, of at most MAX_KEPT_RESULTS_CHARS together, for RESULT_KEPT_MS.
 */
export class KeptResults {
  readonly #table: LazyTable
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
    this.#table = new LazyTable(sql, 'kept_results')
  }

  /** Keeps an outcome. @returns its length as JSON; null when it is too long, or the disk is full */
  keep(callId: string, outcome: Outcome, now: number): number | null {
    if (this.#sql.isReadOnly) return null
    const json = JSON.stringify(outcome, masked)
    if (json.length > MAX_KEPT_RESULT_CHARS) return null
    for (const [part, text] of partsOf(json).entries()) {
      const chars = part === 0 ? json.length : 0
      this.#table.write(
        'INSERT INTO kept_results (call_id, part, text, chars, ended_at) VALUES (?, ?, ?, ?, ?)',
        ...[callId, part, text, chars, now],
      )
    }
    this.#dropOld(now)
    return json.length
  }

  /** @returns null for an outcome that is not kept */
  find(callId: string): Outcome | null {
    const parts = this.#table.read<{ text: string }>(
      'SELECT text FROM kept_results WHERE call_id = ? ORDER BY part',
      callId,
    )
    return parts.length === 0 ? null : (JSON.parse(parts.map(({ text }) => text).join('')) as Outcome)
  }

  #dropOld(now: number): void {
    const results = this.#table.read<{ call_id: string; chars: number; ended_at: number }>(
      'SELECT call_id, chars, ended_at FROM kept_results WHERE part = 0 ORDER BY seq DESC',
    )
    let chars = 0
    for (const [at, result] of results.entries()) {
      chars += result.chars
      if (at < MAX_KEPT_RESULTS && chars <= MAX_KEPT_RESULTS_CHARS && now - result.ended_at < RESULT_KEPT_MS) continue
      this.#table.read('DELETE FROM kept_results WHERE call_id = ?', result.call_id)
    }
  }
}

/** Parts of a text, one for each row. A row is kept as UTF-8, which has no half of a surrogate pair. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = at + RESULT_PART_CHARS
    const isWithinPair = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800
    parts.push(text.slice(at, isWithinPair ? end - 1 : end))
    at += parts.at(-1)?.length ?? 0
  }
  return parts
}

/** A value of the outcome without credentials. A text without a space is a picture in base64, beyond some length. */
const masked = (_name: string, value: unknown) =>
  typeof value === 'string' && !(value.length > MAX_MASKED_WORD_CHARS && IS_BASE64.test(value)) ? redact(value) : value

const MAX_MASKED_WORD_CHARS = 10_000
const IS_BASE64 = /^(?:data:[\w/+.-]{1,100};base64,)?[A-Za-z0-9+/]+={0,2}$/
