import { fail } from '../core/failure.ts'
import { MAX_HUMAN_RESULT_CHARS, MAX_HUMAN_TASKS } from '../core/limits/sessions.ts'
import type { ServedGroup } from '../core/served.ts'
import { withTimeLimit } from '../core/time-limit.ts'
import { LazyTable } from '../migrations/session/lazy-table.ts'
import type { HumanTask, People } from '../ports/people.ts'
import type { Sql } from '../ports/sql.ts'
import type { HumanTaskReport } from '../tenant/calls-api.ts'
import type { HumanAnswer, SessionPeopleApi } from './api.ts'
import type { Room } from './room.ts'

interface PeopleParts {
  readonly sql: Sql
  readonly now: () => number
  readonly room: Pick<Room, 'require'>
  /** Reports to the tenant what became of a task. */
  readonly report?: (task: string, what: HumanTaskReport, words?: string) => void
  /** Told of each task that a person completes, in its transaction. */
  readonly completed?: (task: HumanTask) => void
}

/** Human tasks in the session's database. An answer wakes the waiting call, without polling. */
export class SessionPeople implements People, ServedGroup<SessionPeopleApi> {
  readonly #sql: Sql
  readonly #table: LazyTable
  readonly #now: () => number
  readonly #report: NonNullable<PeopleParts['report']>
  readonly #completed: NonNullable<PeopleParts['completed']>
  readonly #requireRoom: () => Promise<void>
  /** Callbacks that end the waits, by task. */
  readonly #waiting = new Map<string, Set<() => void>>()

  constructor({ sql, now, room, report = () => undefined, completed = () => undefined }: PeopleParts) {
    this.#sql = sql
    this.#requireRoom = () => room.require()
    this.#table = new LazyTable(sql, 'human_tasks')
    this.#now = now
    this.#report = report
    this.#completed = completed
  }

  ask(words: string, dueAt: number | null): HumanTask {
    const [open] = this.#rows('words = ? AND completed_at IS NULL ORDER BY seq DESC LIMIT 1', words)
    if (open) {
      this.postpone(open.id, dueAt)
      return { ...open, dueAt }
    }
    const task = { id: crypto.randomUUID(), words, createdAt: this.#now(), dueAt, completedAt: null, result: null }
    const dropped = this.#sql.transaction(() => {
      const ids = this.#makeRoom()
      this.#table.write(
        'INSERT INTO human_tasks (id, words, created_at, due_at) VALUES (?, ?, ?, ?)',
        task.id,
        words,
        task.createdAt,
        dueAt,
      )
      return ids
    })
    for (const id of dropped) this.#report(id, 'dropped')
    this.#report(task.id, 'created', words)
    return task
  }

  find(id: string): HumanTask | null {
    return this.#rows('id = ?', id)[0] ?? null
  }

  /** Tasks, oldest first. */
  list(): HumanTask[] {
    return this.#rows('true ORDER BY seq')
  }

  /** Reports the open tasks anew, to a tenant that knows none of them. */
  reportOpen(): void {
    for (const { id, words } of this.#rows('completed_at IS NULL ORDER BY seq')) this.#report(id, 'created', words)
  }

  postpone(id: string, dueAt: number | null): void {
    this.#table.read('UPDATE human_tasks SET due_at = ? WHERE id = ?', dueAt, id)
  }

  /**
   * Takes a person's answer. A completed task does not change: a call may have gone on with its result. Repeating the same answer
   * changes nothing.
   * @throws FailureError `not_found`; `conflict` for an answer other than the one before; `insufficient_storage`
   */
  async answer(id: string, { completed, result }: HumanAnswer): Promise<HumanTask> {
    await this.#requireRoom()
    const before = this.find(id) ?? fail('not_found', `Human task ${id} not found`)
    const answer = result === null ? before.result : cut(result)
    if (before.completedAt !== null) {
      if (completed && answer === before.result) return before
      fail('conflict', `Human task ${id} is completed already, and its result stands; have a new one asked for`)
    }
    const after = { ...before, result: answer, completedAt: completed ? this.#now() : null }
    this.#sql.transaction(() => {
      this.#table.read(
        'UPDATE human_tasks SET result = ?, completed_at = ? WHERE id = ?',
        after.result,
        after.completedAt,
        id,
      )
      if (completed) this.#completed(after)
    })
    if (completed) {
      this.#report(id, 'completed')
      this.#wake(id)
    }
    return after
  }

  async wait(id: string, ms: number, signal: AbortSignal): Promise<void> {
    if (ms <= 0 || signal.aborted || this.find(id)?.completedAt !== null) return
    const waits = this.#waiting.get(id) ?? new Set()
    this.#waiting.set(id, waits)
    await withTimeLimit(ms, signal, async (over) => {
      await new Promise<void>((resolve) => {
        waits.add(resolve)
        over.addEventListener('abort', () => {
          waits.delete(resolve)
          resolve()
        })
      })
    })
    if (waits.size === 0) this.#waiting.delete(id)
  }

  #wake(id: string): void {
    for (const resolve of this.#waiting.get(id) ?? []) resolve()
    this.#waiting.delete(id)
  }

  /**
   * Makes room for one more task. Completed tasks and those without a waiting call go first, the oldest before the rest.
   * @returns ids of the open ones among those that went
   */
  #makeRoom(): readonly string[] {
    const [count] = this.#table.read<{ tasks: number }>('SELECT count(*) AS tasks FROM human_tasks')
    const over = (count?.tasks ?? 0) + 1 - MAX_HUMAN_TASKS
    if (over <= 0) return []
    const dropped = this.#table.read<{ id: string; completed_at: number | null }>(
      `DELETE FROM human_tasks WHERE seq IN (
         SELECT seq FROM human_tasks WHERE completed_at IS NOT NULL OR due_at < ? ORDER BY seq LIMIT ?) RETURNING id, completed_at`,
      this.#now(),
      over,
    )
    if (dropped.length < over) {
      fail(
        'limit_exceeded',
        `${MAX_HUMAN_TASKS} human tasks are open (MAX_HUMAN_TASKS); have some of them completed first`,
      )
    }
    return dropped.flatMap(({ id, completed_at }) => (completed_at === null ? [id] : []))
  }

  #rows(where: string, ...params: string[]): HumanTask[] {
    return this.#table.read<Row>(`SELECT * FROM human_tasks WHERE ${where}`, ...params).map(toTask)
  }
}

type Row = {
  readonly id: string
  readonly words: string
  readonly result: string | null
  readonly created_at: number
  readonly due_at: number | null
  readonly completed_at: number | null
}

const toTask = (row: Row): HumanTask => ({
  id: row.id,
  words: row.words,
  createdAt: row.created_at,
  dueAt: row.due_at,
  completedAt: row.completed_at,
  result: row.result,
})

const cut = (text: string) =>
  text.length > MAX_HUMAN_RESULT_CHARS
    ? `${text.slice(0, MAX_HUMAN_RESULT_CHARS).toWellFormed()}… [cut after ${MAX_HUMAN_RESULT_CHARS} characters (MAX_HUMAN_RESULT_CHARS)]`
    : text.toWellFormed()
