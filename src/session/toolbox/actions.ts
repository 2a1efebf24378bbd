import { fail } from '../../core/failure.ts'
import { MAX_PYTHON_ACTIONS } from '../../core/limits/python.ts'
import type { Result } from '../../core/outcome.ts'
import { say, tool } from '../../core/saying/saying.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { Sql } from '../../ports/sql.ts'
import type { ActionSource, ActionTool, NewTools, PutAnswer } from '../../ports/toolbox.ts'
import { callAction } from '../../tools/python-actions/call-action.ts'
import type { ExecutorPorts } from '../../tools/registered/execution.ts'
import type { SourceCall, ToolSource } from './source.ts'

type Row = { readonly name: string; readonly described: string; readonly source: string }

/** Lagent's actions that clients put into the session as Python. They are in its database, and are removed with it. */
export class LagentActions implements ToolSource<'action', NewTools['actions']> {
  readonly name = 'actions'
  readonly kind = 'action'
  readonly #sql: Sql
  readonly #table: LazyTable

  constructor(sql: Sql) {
    this.#sql = sql
    this.#table = new LazyTable(sql, 'python_actions')
  }

  list(): ActionTool[] {
    return this.#rows('').map(actionOf)
  }

  find(name: string): ActionTool | null {
    const [row] = this.#rows('WHERE name = ?', name)
    return row ? actionOf(row) : null
  }

  put({ source, actions }: NewTools['actions']): PutAnswer {
    this.#table.make()
    this.#sql.transaction(() => {
      const [made] = this.#table.write<{ id: number }>(
        'INSERT INTO python_sources (source) VALUES (?) RETURNING id',
        JSON.stringify(source),
      )
      for (const { name, described } of actions) {
        this.#table.write(
          `INSERT INTO python_actions (name, described, source_id) VALUES (?, ?, ?)
           ON CONFLICT (name) DO UPDATE SET described = excluded.described, source_id = excluded.source_id`,
          name,
          JSON.stringify(described),
          made?.id ?? 0,
        )
      }
      this.#dropUnused()
      const [{ count } = { count: 0 }] = this.#table.read<{ count: number }>(
        'SELECT count(*) AS count FROM python_actions',
      )
      if (count > MAX_PYTHON_ACTIONS) {
        fail(
          'limit_exceeded',
          say`a session has at most ${MAX_PYTHON_ACTIONS} actions that are Python (MAX_PYTHON_ACTIONS); ${tool('python_actions_remove')} removes one`,
        )
      }
    })
    return {}
  }

  remove(name: string): boolean {
    const isThere = this.find(name) !== null
    this.#table.read('DELETE FROM python_actions WHERE name = ?', name)
    this.#dropUnused()
    return isThere
  }

  async call({ tool: { name, described }, args }: SourceCall<'action'>, { python }: ExecutorPorts): Promise<Result> {
    const [row] = this.#rows('WHERE name = ?', name)
    const { source } = row ?? fail('not_found', `Tool ${name} not found`)
    return callAction(python, { described, source: JSON.parse(source) as ActionSource }, args)
  }

  #rows(where: string, ...values: string[]): Row[] {
    return this.#table.read<Row>(
      `SELECT name, described, source FROM python_actions JOIN python_sources ON id = source_id ${where} ORDER BY python_actions.rowid`,
      ...values,
    )
  }

  #dropUnused(): void {
    this.#table.read('DELETE FROM python_sources WHERE id NOT IN (SELECT source_id FROM python_actions)')
  }
}

const actionOf = ({ name, described }: Row): ActionTool => ({
  kind: 'action',
  source: 'actions',
  name,
  described: JSON.parse(described) as Record<string, unknown>,
})
