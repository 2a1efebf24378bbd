import { MAX_OPEN_QUESTIONS } from '../core/limits/tenants.ts'
import type { ServedGroup } from '../core/served.ts'
import type { Sql } from '../ports/sql.ts'
import type { OpenQuestion, OpenQuestionsApi } from './api.ts'
import type { EndedCall } from './calls-api.ts'

/** Questions of all sessions that wait for a person, as the sessions report them. */
export class OpenQuestions implements ServedGroup<OpenQuestionsApi> {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  list({ limit, before }: { readonly limit: number; readonly before?: number }): OpenQuestion[] {
    const rows = this.#sql.all<Pick<OpenQuestion, keyof OpenQuestion>>(
      `SELECT seq AS place, session, task, words, created_at AS createdAt FROM open_questions
        WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    )
    // Copied one by one: rows of `node:sqlite` have no prototype, which RPC would refuse.
    return rows.map((row) => ({ ...row }))
  }

  /** Takes what sessions report of human tasks. A report that comes again changes nothing. */
  note(reports: readonly EndedCall[]): void {
    for (const { session, callId, startedAt, humanTask, words } of reports) {
      if (humanTask === undefined) continue
      if (humanTask === 'created') this.#add({ session, task: callId, words: words ?? '', createdAt: startedAt })
      else this.#sql.all('DELETE FROM open_questions WHERE session = ? AND task = ?', session, callId)
    }
  }

  /** Drops the questions of a session. */
  forget(session: string): void {
    this.#sql.all('DELETE FROM open_questions WHERE session = ?', session)
  }

  #add({ session, task, words, createdAt }: Omit<OpenQuestion, 'place'>): void {
    this.#sql.all(
      'INSERT OR IGNORE INTO open_questions (session, task, words, created_at) VALUES (?, ?, ?, ?)',
      session,
      task,
      words,
      createdAt,
    )
    this.#sql.all(
      'DELETE FROM open_questions WHERE seq <= (SELECT max(seq) FROM open_questions) - ?',
      MAX_OPEN_QUESTIONS,
    )
  }
}
