import { fail } from '../../core/failure.ts'
import { MAX_MADE_TOOL_CHARS, MAX_MADE_TOOLS } from '../../core/limits/sessions.ts'
import type { Result } from '../../core/outcome.ts'
import { say, tool } from '../../core/saying/saying.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { Sql } from '../../ports/sql.ts'
import type { PutAnswer, SchemaTool, Trial } from '../../ports/toolbox.ts'
import { ToolDefinition } from '../../registry/definition.ts'
import type { Caller } from '../../tenant/api.ts'
import { execute } from '../../tools/registered/execute.ts'
import type { ExecutorPorts } from '../../tools/registered/execution.ts'
import type { Drafts } from './drafts.ts'
import type { SourceCall, ToolSource } from './source.ts'

/** Tools that calls of the session made for it alone. They are in its database, and are removed with it. */
export class SessionTools implements ToolSource<'tool', ToolDefinition> {
  readonly name = 'session'
  readonly kind = 'tool'
  readonly #drafts: Drafts
  readonly #table: LazyTable
  /** Ids of these tools in memory: each call of a registered tool asks for one, and seldom finds it. */
  readonly #ids: Set<string>

  constructor({ sql, drafts }: { readonly sql: Sql; readonly drafts: Drafts }) {
    this.#drafts = drafts
    this.#table = new LazyTable(sql, 'made_tools')
    this.#ids = new Set(this.#table.read<{ id: string }>('SELECT id FROM made_tools').map(({ id }) => id))
  }

  list(): SchemaTool[] {
    return this.#table.read<{ definition: string }>('SELECT definition FROM made_tools ORDER BY seq').map(toolOf)
  }

  find(id: string): SchemaTool | null {
    if (!this.#ids.has(id)) return null
    const [row] = this.#table.read<{ definition: string }>('SELECT definition FROM made_tools WHERE id = ?', id)
    return row ? toolOf(row) : null
  }

  async put(definition: ToolDefinition, by: Caller, trial?: Trial): Promise<PutAnswer> {
    if (!trial) return this.#keep(definition, by)
    await this.#drafts.check(definition, 'session', by)
    this.#checkRoom(definition)
    await this.#drafts.checkChain(definition, 'session')
    return trial.only === 'plan' ? { plan: await this.#drafts.plan(definition, 'session', trial.input) } : {}
  }

  remove(id: string): boolean {
    this.#table.read('DELETE FROM made_tools WHERE id = ?', id)
    return this.#ids.delete(id)
  }

  call(
    { tool: { definition }, ...call }: SourceCall<'tool'>,
    ports: ExecutorPorts,
    signal: AbortSignal,
  ): Promise<Result> {
    // The cast is sound: stored tools have executors of ours.
    return execute({ ...call, definition: definition as ToolDefinition }, ports, signal)
  }

  #keep(definition: ToolDefinition, by: Caller): PutAnswer {
    this.#drafts.requireRight(definition, 'session', by)
    // Tools may have been added during its test.
    this.#checkRoom(definition)
    const { id } = definition
    this.#table.write('INSERT INTO made_tools (id, definition) VALUES (?, ?)', id, JSON.stringify(definition))
    this.#ids.add(id)
    return {}
  }

  #checkRoom(definition: ToolDefinition): void {
    const { id } = definition
    if (this.find(id))
      fail(
        'conflict',
        say`the session made a tool ${id} already; ${tool('tool_delete')} removes it, or choose another id`,
      )
    const chars = JSON.stringify(definition).length
    if (chars > MAX_MADE_TOOL_CHARS) {
      fail(
        'limit_exceeded',
        `the tool has ${chars} characters as JSON; at most ${MAX_MADE_TOOL_CHARS} are taken (MAX_MADE_TOOL_CHARS)`,
      )
    }
    if (this.#ids.size >= MAX_MADE_TOOLS) {
      fail(
        'limit_exceeded',
        say`the session made ${this.#ids.size} tools already (MAX_MADE_TOOLS); remove some by ${tool('tool_delete')}`,
      )
    }
  }
}

function toolOf(row: { readonly definition: string }): SchemaTool {
  const definition = ToolDefinition.parse(JSON.parse(row.definition))
  return { kind: 'tool', source: 'session', name: definition.id, definition }
}
