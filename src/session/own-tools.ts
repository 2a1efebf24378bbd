import { fail } from '../core/failure.ts'
import { MAX_OWN_TOOLS } from '../core/limits/sessions.ts'
import { LazyTable } from '../migrations/session/lazy-table.ts'
import type { OwnTool, OwnTools } from '../ports/own-tools.ts'
import type { Sql } from '../ports/sql.ts'

/** The `OwnTools` port, in the session's database. */
export class SessionOwnTools implements OwnTools {
  readonly #table: LazyTable

  constructor(sql: Sql) {
    this.#table = new LazyTable(sql, 'own_tools')
  }

  list(): OwnTool[] {
    return this.#table
      .read<{ tool: string }>('SELECT tool FROM own_tools ORDER BY rowid')
      .map(({ tool }) => JSON.parse(tool) as OwnTool)
  }

  codeOf(name: string): string | null {
    return this.#table.read<{ code: string }>('SELECT code FROM own_tools WHERE name = ?', name)[0]?.code ?? null
  }

  add(tool: OwnTool, code: string): void {
    if (this.codeOf(tool.name) !== null)
      fail('conflict', `a tool called ${tool.name} is registered already; give another name`)
    if (this.list().length >= MAX_OWN_TOOLS) {
      fail('limit_exceeded', `this node has ${MAX_OWN_TOOLS} tools of its own already (MAX_OWN_TOOLS); make a new node`)
    }
    this.#table.write(
      'INSERT INTO own_tools (name, tool, code) VALUES (?, ?, ?)',
      tool.name,
      JSON.stringify(tool),
      code,
    )
  }
}
