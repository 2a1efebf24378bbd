import { EXPORT_TOOLS_AT_ONCE, EXPORT_TOOLS_CHARS } from '../../core/limits/export.ts'
import type { Sql } from '../../ports/sql.ts'
import type { ExportedTools, ToolPlace } from '../deletion-api.ts'

/** Page of all versions of registered tools: definitions as they were put, which name secrets and have none. */
export function exportedTools(sql: Sql, after: ToolPlace): ExportedTools {
  const lines: string[] = []
  let place = after
  for (let chars = 0; chars < EXPORT_TOOLS_CHARS; ) {
    const rows = sql.all<Row>(VERSIONS, place.id, place.version)
    for (const row of rows) {
      const line = lineOf(row)
      lines.push(line)
      chars += line.length
      place = { id: row.id, version: row.version }
    }
    if (rows.length < EXPORT_TOOLS_AT_ONCE) return { lines, next: null }
  }
  return { lines, next: place }
}

const lineOf = ({ id, version, stable, source, policy, madeAt, madeBy, definition }: Row) =>
  JSON.stringify({
    id,
    version,
    stable: version === stable,
    source,
    made_at: new Date(madeAt).toISOString(),
    made_by: JSON.parse(madeBy),
    policy: JSON.parse(policy),
    definition: JSON.parse(definition),
  })

type Row = {
  readonly id: string
  readonly version: number
  readonly stable: number
  readonly source: string | null
  readonly policy: string
  readonly madeAt: number
  readonly madeBy: string
  readonly definition: string
}

const VERSIONS = `SELECT v.id, v.version, t.stable, t.source, t.policy, v.made_at AS madeAt, v.made_by AS madeBy, v.definition
  FROM tool_versions v JOIN tools t ON t.id = v.id
  WHERE (v.id, v.version) > (?1, ?2) ORDER BY v.id, v.version LIMIT ${EXPORT_TOOLS_AT_ONCE}`
