import { MAX_REGISTERED_TOOLS, MAX_SHOWN_PAGE_CHARS } from '../core/limits/registry.ts'
import type { Sql } from '../ports/sql.ts'
import type { ToolDefinition, ToolPolicy } from '../registry/definition.ts'
import type { ShownTool, ToolsSince } from './tools-api.ts'

type Row = {
  readonly revision: number
  readonly id: string
  readonly source: string | null
  /** Null, as is the definition, for a deleted tool. */
  readonly policy: string | null
  readonly definition: string | null
}

/** Rows read at a time; their lengths are counted one by one. */
const BATCH = 200
/** Id of no tool: its revision is the first from which deletions are known. */
const FLOOR = ''
/** Id of no tool: its revision is that of the last change of a secret. */
const SECRETS = '@secrets'

/** Order in which tools changed, so that a copy of the list is updated with the changes alone. Changes of secrets count, too. */
export class ToolRevisions {
  readonly #sql: Sql
  /** The newest revision, when it is known. */
  #newest: number | null = null

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** The newest revision; 0 when no tool was ever put. It grows with each change and is never used again. */
  newest(): number {
    this.#newest ??=
      this.#sql.all<{ revision: number | null }>('SELECT max(revision) AS revision FROM tool_revisions')[0]?.revision ??
      0
    return this.#newest
  }

  /** Notes changed tools, in the transaction of the change. */
  note(ids: Iterable<string>): void {
    this.#newest = null
    for (const id of new Set(ids)) this.#sql.all('INSERT OR REPLACE INTO tool_revisions (id) VALUES (?)', id)
    this.#forget()
  }

  /** Notes a changed or removed secret, in the transaction of the change: sessions that go by a copy have a revision from before. */
  noteSecret(): void {
    this.note([SECRETS])
  }

  /**
   * Tools changed after a revision, in their current state, up to MAX_SHOWN_PAGE_CHARS.
   * @param revision 0 for all, or the one of an earlier answer
   * @param limit largest number of tools
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
        else if (row.id !== FLOOR && row.id !== SECRETS) gone.push(row.id)
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

  /** Drops the deletions when there are as many as tools allowed: all present tools get new revisions, above the floor. */
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
  // Both were validated when they were put.
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
