import type { Actor } from '../core/actor.ts'
import { fail } from '../core/failure.ts'
import { MAX_TOOL_PAGE_CHARS } from '../core/limits/registry.ts'
import { operator, say } from '../core/saying/saying.ts'
import type { Sql } from '../ports/sql.ts'
import { ToolDefinition, ToolPolicy } from '../registry/definition.ts'
import { type ToolReference, toolReference, type VersionChoice } from '../registry/reference.ts'
import type { RegisteredTool } from '../registry/registered-tool.ts'
import type { SchemaChange } from '../registry/schema-change.ts'
import type { ToolPage, ToolVersion, ToolVersionPage } from './tools-api.ts'

/** A tool's fields that hold for all its versions. */
export type ToolRow = {
  readonly seq: number
  readonly id: string
  readonly stable: number
  readonly latest: number
  readonly versions: number
  /** Length of all its versions together. */
  readonly chars: number
  readonly source: string | null
  readonly policy: string
}

type VersionRow = {
  readonly version: number
  readonly made_at: number
  readonly made_by: string
  readonly breaking: number
  readonly changes: string
}

/** A tenant's registered tools in all their versions, for reading. {@link ToolChanges} writes them. */
export class ToolList {
  readonly #sql: Sql
  /** Recently found tools, by reference. */
  readonly #found = new Map<string, RegisteredTool>()
  /** Marks of the tools in {@link #found}. A mark is never used again, not even by the object after a restart. */
  readonly #marks = new WeakMap<RegisteredTool, string>()
  readonly #markedBy = crypto.randomUUID()
  #marked = 0

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** A page of tools, shorter when it reaches MAX_TOOL_PAGE_CHARS. Three statements, however many tools there are. */
  list({ limit, after = 0 }: { readonly limit: number; readonly after?: number }): ToolPage {
    const sizes = this.#sql.all<{ seq: number; chars: number }>(
      `SELECT t.seq, v.chars FROM tools t JOIN tool_versions v ON v.id = t.id AND v.version = t.stable
         WHERE t.seq > ? ORDER BY t.seq LIMIT ?`,
      after,
      limit,
    )
    const last = lastThatFits(sizes)
    const rows = this.#sql.all<ToolRow & { definition: string }>(
      `SELECT t.*, v.definition FROM tools t JOIN tool_versions v ON v.id = t.id AND v.version = t.stable
         WHERE t.seq > ? AND t.seq <= ? ORDER BY t.seq`,
      after,
      last,
    )
    const [{ total = 0, newest = 0 } = {}] = this.#sql.all<{ total: number; newest: number | null }>(
      'SELECT count(*) AS total, max(seq) AS newest FROM tools',
    )
    const tools = rows.map((row) => toolOf(row, row.stable, row.definition))
    return { tools, total, ...(last < (newest ?? 0) && tools.length > 0 && { next: last }) }
  }

  /**
   * Finds a tool by its reference and keeps it in memory: not for use in a transaction that changes tools and may be rolled back.
   * @throws FailureError `invalid_input`, `not_found` when there is no such tool, or no such version of it
   */
  find(reference: string): RegisteredTool {
    const held = this.#found.get(reference)
    if (held) return held
    const { id, choice }: ToolReference = toolReference(reference)
    const row = this.row(id) ?? fail('not_found', `Tool not found: ${id}`)
    const version = this.#choose(row, choice)
    if (version === null) {
      fail(
        'not_found',
        `Tool not found: ${reference}. Its newest version is ${row.latest}, its stable one ${row.stable}`,
      )
    }
    const tool = this.at(row, version)
    if (this.#found.size >= HELD_TOOLS) this.#found.clear()
    if (row.chars > HELD_TOOL_CHARS) return tool
    this.#found.set(reference, tool)
    this.#marks.set(tool, `${this.#markedBy}.${++this.#marked}`)
    return tool
  }

  /** Mark of a tool from {@link find}, valid until a tool changes; undefined for a long tool. */
  markOf(tool: RegisteredTool): string | undefined {
    return this.#marks.get(tool)
  }

  /** Clears the cache, before any change of the tools. */
  forgetFound(): void {
    this.#found.clear()
  }

  /** Versions of a tool, newest first, starting below `before`. @throws FailureError `not_found` */
  versions(
    id: string,
    { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number },
  ): ToolVersionPage {
    const { stable } = this.existing(id)
    const rows = this.#sql.all<VersionRow>(
      `SELECT version, made_at, made_by, breaking, changes FROM tool_versions
         WHERE id = ? AND version < ? ORDER BY version DESC LIMIT ?`,
      id,
      before,
      limit + 1,
    )
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    return {
      versions: shown.map((row) => versionOf(row, stable)),
      ...(rows.length > limit && last && { next: last.version }),
    }
  }

  #choose({ id, stable, latest }: ToolRow, choice: VersionChoice): number | null {
    switch (choice.kind) {
      case 'stable':
        return stable
      case 'latest':
        return latest
      case 'exact':
        return this.has(id, choice.version) ? choice.version : null
      case 'compatible':
        return this.#compatible(id, choice.version)
      case 'range':
        return this.#newest(id, choice.from, choice.to)
    }
  }

  /** The newest version that no breaking change separates from `version`. */
  #compatible(id: string, version: number): number | null {
    if (!this.has(id, version)) return null
    const [row] = this.#sql.all<{ version: number | null }>(
      'SELECT min(version) AS version FROM tool_versions WHERE id = ? AND version > ? AND breaking = 1',
      id,
      version,
    )
    return this.#newest(id, version, (row?.version ?? Number.MAX_SAFE_INTEGER) - 1)
  }

  #newest(id: string, from: number, to: number): number | null {
    const [row] = this.#sql.all<{ version: number | null }>(
      'SELECT max(version) AS version FROM tool_versions WHERE id = ? AND version BETWEEN ? AND ?',
      id,
      from,
      to,
    )
    return row?.version ?? null
  }

  has(id: string, version: number): boolean {
    return this.#sql.all('SELECT 1 FROM tool_versions WHERE id = ? AND version = ?', id, version).length > 0
  }

  at(row: ToolRow, version: number): RegisteredTool {
    const [found] = this.#sql.all<{ definition: string }>(
      'SELECT definition FROM tool_versions WHERE id = ? AND version = ?',
      row.id,
      version,
    )
    if (!found) throw new Error(`version ${version} of a tool is chosen and missing`)
    return toolOf(row, version, found.definition)
  }

  row(id: string): ToolRow | null {
    return this.#sql.all<ToolRow>('SELECT * FROM tools WHERE id = ?', id)[0] ?? null
  }

  /** @throws FailureError `not_found` */
  existing(id: string): ToolRow {
    return (
      this.row(id) ??
      fail(
        'not_found',
        say`there is no tool ${id.slice(0, 200)}${operator('; GET /v1/tools/registered lists those there are')}`,
      )
    )
  }
}

/** @returns 0 when there are none */
function lastThatFits(sizes: readonly { readonly seq: number; readonly chars: number }[]): number {
  let chars = 0
  const end = sizes.findIndex((size) => {
    chars += size.chars
    return chars > MAX_TOOL_PAGE_CHARS
  })
  // At least one, so that paging proceeds.
  return (end === -1 ? sizes.at(-1) : sizes[Math.max(0, end - 1)])?.seq ?? 0
}

/**
 * A stored tool. It was checked when it was put; parsing it again adds fields that definitions gained since. A definition that
 * would be refused today stays as it is: it must not keep others from being listed.
 */
const toolOf = (row: ToolRow, version: number, definition: string): RegisteredTool => ({
  ...ofRow(row),
  version,
  definition: definitionOf(JSON.parse(definition)),
})

function definitionOf(kept: unknown): ToolDefinition {
  const parsed = ToolDefinition.safeParse(kept)
  return parsed.success ? parsed.data : (kept as ToolDefinition)
}

const ofRow = ({ source, stable, latest, policy }: ToolRow) => ({
  source,
  stable,
  latest,
  policy: ToolPolicy.parse(JSON.parse(policy)),
})

/** Number of parsed tools in memory, and the longest length of all versions of one: some megabytes in all. */
const HELD_TOOLS = 200
const HELD_TOOL_CHARS = 32 * 1024

const versionOf = ({ version, made_at, made_by, breaking, changes }: VersionRow, stable: number): ToolVersion => ({
  version,
  stable: version === stable,
  madeAt: made_at,
  madeBy: JSON.parse(made_by) as Actor,
  breaking: breaking === 1,
  changes: JSON.parse(changes) as SchemaChange[],
})
