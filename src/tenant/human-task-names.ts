import { fail } from '../core/failure.ts'
import { MAX_HUMAN_TASK_NAME_CHARS, MAX_HUMAN_TASK_NAMES, MAX_HUMAN_TASKS_OF_NAME } from '../core/limits/tenants.ts'
import type { ServedGroup } from '../core/served.ts'
import type { Sql } from '../ports/sql.ts'
import type { HumanTaskName, HumanTaskNamesApi } from './api.ts'

type Row = Pick<HumanTaskName, keyof HumanTaskName>

/** Clients' own names of human tasks, for clients that come with the name alone and no session. */
export class HumanTaskNames implements ServedGroup<HumanTaskNamesApi> {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  put({ kind, name, session, task }: HumanTaskName): void {
    if (name === '' || name.length > MAX_HUMAN_TASK_NAME_CHARS) {
      fail('invalid_input', `an id has 1 to ${MAX_HUMAN_TASK_NAME_CHARS} characters (MAX_HUMAN_TASK_NAME_CHARS)`)
    }
    this.#sql.transaction(() => {
      this.#sql.all(
        'INSERT OR REPLACE INTO human_task_names (kind, name, session, task) VALUES (?, ?, ?, ?)',
        kind,
        name,
        session,
        task,
      )
      this.#sql.all(
        'DELETE FROM human_task_names WHERE seq <= (SELECT max(seq) FROM human_task_names) - ?',
        MAX_HUMAN_TASK_NAMES,
      )
    })
  }

  find(kind: HumanTaskName['kind'], name: string): HumanTaskName[] {
    return this.#rows('kind = ? AND name = ? ORDER BY seq DESC LIMIT ?', kind, name, MAX_HUMAN_TASKS_OF_NAME)
  }

  of(session: string): HumanTaskName[] {
    return this.#rows('session = ? ORDER BY seq', session)
  }

  /** Drops the names in one session. */
  forget(session: string): void {
    this.#sql.all('DELETE FROM human_task_names WHERE session = ?', session)
  }

  #rows(where: string, ...params: (string | number)[]): HumanTaskName[] {
    const rows = this.#sql.all<Row>(`SELECT kind, name, session, task FROM human_task_names WHERE ${where}`, ...params)
    // Copied one by one: rows of `node:sqlite` have no prototype, which RPC would refuse.
    return rows.map((row) => ({ ...row }))
  }
}
