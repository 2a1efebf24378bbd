import { fail } from '../../core/failure.ts'
import { MAX_OWN_TOOLS } from '../../core/limits/sessions.ts'
import type { Result } from '../../core/outcome.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { Sql } from '../../ports/sql.ts'
import type { FunctionTool, NewTools, PutAnswer, PythonFunction } from '../../ports/toolbox.ts'
import { callOwnTool } from '../../tools/own/call-own-tool.ts'
import type { ExecutorPorts } from '../../tools/registered/execution.ts'
import type { SourceCall, ToolSource } from './source.ts'

/** Python functions that clients of XAgent put into the session. They are in its database, and are removed with it. */
export class FunctionSource implements ToolSource<'function', NewTools['functions']> {
  readonly name = 'functions'
  readonly kind = 'function'
  readonly #table: LazyTable

  constructor(sql: Sql) {
    this.#table = new LazyTable(sql, 'own_tools')
  }

  list(): FunctionTool[] {
    return this.#table.read<{ tool: string }>('SELECT tool FROM own_tools ORDER BY rowid').map(toolOf)
  }

  find(name: string): FunctionTool | null {
    const [row] = this.#table.read<{ tool: string }>('SELECT tool FROM own_tools WHERE name = ?', name)
    return row ? toolOf(row) : null
  }

  put({ described, code }: NewTools['functions']): PutAnswer {
    const { name } = described
    if (this.find(name)) fail('conflict', `a tool called ${name} is registered already; give another name`)
    if (this.list().length >= MAX_OWN_TOOLS) {
      fail('limit_exceeded', `this node has ${MAX_OWN_TOOLS} tools of its own already (MAX_OWN_TOOLS); make a new node`)
    }
    const tool = JSON.stringify(described)
    this.#table.write('INSERT INTO own_tools (name, tool, code) VALUES (?, ?, ?)', name, tool, code)
    return {}
  }

  async call({ tool: { name }, args }: SourceCall<'function'>, { python }: ExecutorPorts): Promise<Result> {
    const [row] = this.#table.read<{ code: string }>('SELECT code FROM own_tools WHERE name = ?', name)
    const { code } = row ?? fail('not_found', `Tool ${name} not found`)
    return callOwnTool(python, { name, code, arguments: args })
  }
}

const toolOf = ({ tool }: { readonly tool: string }): FunctionTool => ({
  kind: 'function',
  source: 'functions',
  ...(JSON.parse(tool) as PythonFunction),
})
