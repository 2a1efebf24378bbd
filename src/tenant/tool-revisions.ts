import { MAX_REGISTERED_TOOLS, MAX_SHOWN_PAGE_CHARS } from '../core/limits/registry.ts'
import type { Sql } from '../ports/sql.ts'
import type { ToolDefinition, ToolPolicy } from '../registry/definition.ts'
import type { ShownTool, ToolsSince } from './api.ts'

type Row = {
  readonly revision: number
  readonly id: string
  readonly source: string | null
  /** Null, as the definition, for one that is gone. */
  readonly policy: string | null
  readonly definition: string | null
}

/** Rows read at a time; what they hold is counted one by one. */
const BATCH = 200
/** No tool has this id: its revision is the one from which on deletions are still known. */
const FLOOR = ''

/** Which tools changed in which order, so that whoever keeps a copy of the list asks for what is new only. */
export class ToolRevisions {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** In the transaction of the change. */
  note(ids: Iterable<string>): void {
    for (const id of new Set(ids)) this.#sql.all('INSERT OR REPLACE INTO tool_revisions (id) VALUES (?)', id)
    this.#forget()
  }

  /**
   * What changed after that revision, as it is now, up to MAX_SHOWN_PAGE_CHARS.
   * @param revision 0 for all; of an answer before for what came since
   * @param limit how many at most
   */
  since(revision: number, limit = Number.MAX_SAFE_INTEGER): ToolsSince {
    const anew = revision < this.#floor()
    const tools: ShownTool[] = []
    const gone: string[] = []
    let [at, chars] = [anew ? 0 : revision, 0]
    for (;;) {
      const rows = this.#after(at, Math.min(BATCH, limit + 1))
      for (const row of rows) {
        if (chars > MAX_SHOWN_PAGE_CHARS || tools.length + gone.length >= limit)
          return { revision: at, anew, tools, gone, more: true }
        at = row.revision
        const tool = shownTool(row)
        if (tool) tools.push(tool)
        else if (row.id !== FLOOR) gone.push(row.id)
        chars += row.id.length + (row.definition?.length ?? 0)
      }
      if (rows.length < Math.min(BATCH, limit + 1)) return { revision: at, anew, tools, gone, more: false }
    }
  }

  #after(revision: number, limit: number): Row[] {
    return this.#sql.all<Row>(
      `SELECT r.revision, r.id, t.source, t.policy, v.definition FROM tool_revisions r
         LEFT JOIN tools t ON t.id = r.id LEFT JOIN tool_versions v ON v.id = t.id AND v.version = t.stable
         WHERE r.revision > ? ORDER BY r.revision LIMIT ?`,
      revision,
      limit,
    )
  }

  #floor(): number {
    return (
      this.#sql.all<{ revision: number }>('SELECT revision FROM tool_revisions WHERE id = ?', FLOOR)[0]?.revision ?? 0
    )
  }

  /** Deleted ones are forgotten when there are as many as tools there may be: all that is there begins anew, above the floor. */
  #forget(): void {
    const [row] = this.#sql.all<{ rows: number }>('SELECT count(*) AS rows FROM tool_revisions')
    if ((row?.rows ?? 0) <= 2 * MAX_REGISTERED_TOOLS) return
    this.#sql.all('DELETE FROM tool_revisions')
    this.#sql.all('INSERT INTO tool_revisions (id) VALUES (?)', FLOOR)
    this.#sql.all('INSERT INTO tool_revisions (id) SELECT id FROM tools ORDER BY seq')
  }
}

function shownTool({ id, source, policy, definition }: Row): ShownTool | null {
  if (policy === null || definition === null) return null
  // Both were parsed when they were put.
  const { name, description, input_schema, toolkit, hidden } = JSON.parse(definition) as ToolDefinition
  return {
    id,
    name,
    description,
    inputSchema: input_schema,
    toolkit,
    hidden,
    source,
    policy: JSON.parse(policy) as ToolPolicy,
  }
}
