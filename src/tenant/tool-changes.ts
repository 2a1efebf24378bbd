import type { Actor } from '../core/actor.ts'
import { fail } from '../core/failure.ts'
import {
  MAX_DEFINITION_CHARS,
  MAX_DELETED_TOOLS,
  MAX_REGISTERED_TOOLS,
  MAX_REGISTRY_CHARS,
  MAX_TOOL_VERSIONS,
  MAX_WARNED_CHANGES,
} from '../core/limits/registry.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import { schemaProblem } from '../registry/check/check-schema.ts'
import { type ToolDefinition, ToolPolicy } from '../registry/definition.ts'
import { mcpSource } from '../registry/mcp/mcp-executor.ts'
import { type Comparison, compareSchemas } from '../registry/schema-change.ts'
import { chainsBrokenBy } from './chain-callers.ts'
import type { ToolList, ToolRow } from './tool-list.ts'
import type { ChangedTool, ToolChange } from './tools-api.ts'

type Put = Extract<ToolChange, { op: 'put' }>

interface Parts {
  readonly sql: Sql
  readonly clock: Clock
  readonly tools: ToolList
}

/** Changes a tenant's registered tools. */
export class ToolChanges {
  readonly #sql: Sql
  readonly #clock: Clock
  readonly #tools: ToolList

  constructor({ sql, clock, tools }: Parts) {
    this.#sql = sql
    this.#clock = clock
    this.#tools = tools
  }

  /**
   * Makes the changes in order, in the caller's transaction, which must be rolled back when one of them fails.
   * @throws FailureError `invalid_input`, `not_found`, `conflict`, `limit_exceeded`, each naming the tool
   */
  make(changes: readonly ToolChange[], by: Actor): ChangedTool[] {
    this.#tools.forgetFound()
    const changed = changes.flatMap((change) => this.#make(change, by))
    this.#checkRoom()
    if (changed.length > MAX_WARNED_CHANGES) return changed
    return changed.map((one) => {
      const usedBy = chainsBrokenBy(one, this.#sql)
      return usedBy.length > 0 ? { ...one, usedBy } : one
    })
  }

  #make(change: ToolChange, by: Actor): ChangedTool | ChangedTool[] {
    switch (change.op) {
      case 'put':
        return this.#put(change, by)
      case 'policy': {
        const row = this.#tools.existing(change.id)
        const policy = this.#writePolicy(row, change.policy)
        return changedTool(row, 'policy', row.stable, policy && { policy })
      }
      case 'stable': {
        const row = this.#tools.existing(change.id)
        if (!this.#tools.has(change.id, change.version)) {
          fail('not_found', `${change.id} has no version ${change.version}; look which there are`)
        }
        return this.#moveStable(row, change.version)
      }
      case 'delete':
        return this.#delete(this.#tools.existing(change.id))
      case 'delete_others': {
        const kept = new Set(change.keep)
        return this.#sql
          .all<ToolRow>('SELECT * FROM tools WHERE source = ? ORDER BY seq', change.source)
          .filter(({ id }) => !kept.has(id))
          .map((row) => this.#delete(row))
      }
    }
  }

  #put(put: Put, by: Actor): ChangedTool {
    const { id, executor } = put.definition
    // Its pin says that somebody accepted what a server lists, which a definition of somebody's own does not.
    if (executor.kind === 'mcp' && put.source !== mcpSource(executor.server)) {
      fail('invalid_input', `${id}: tools of MCP servers are made by POST /v1/mcp-servers alone`)
    }
    checkSchemas(put.definition)
    const row = this.#tools.row(id)
    const { expected } = put
    if (expected !== undefined && expected !== (row?.latest ?? 0)) {
      const isTaken = row !== null && expected === 0
      const why = row ? `is at version ${row.latest}` : 'is not there'
      fail(
        'conflict',
        isTaken
          ? `there is a tool ${id} already, at version ${row.latest}: take another id, or change that one`
          : `${id} ${why}, not at ${expected}: look at it again`,
      )
    }
    return row ? this.#update(row, put, by) : this.#create(put, by)
  }

  #create({ definition, policy, source = null }: Put, by: Actor): ChangedTool {
    const { id } = definition
    const version =
      1 + (this.#sql.all<{ latest: number }>('SELECT latest FROM deleted_tools WHERE id = ?', id)[0]?.latest ?? 0)
    this.#sql.all('DELETE FROM deleted_tools WHERE id = ?', id)
    const made = ToolPolicy.parse(policy ?? {})
    this.#sql.all(
      'INSERT INTO tools (id, stable, latest, versions, chars, source, policy) VALUES (?, ?, ?, 0, 0, ?, ?)',
      id,
      version,
      version,
      source,
      JSON.stringify(made),
    )
    this.#writeVersion(definition, version, { breaking: false, changes: [] }, by)
    return { id, op: 'put', version, outcome: 'created', breaking: false, policy: made }
  }

  #update(row: ToolRow, { definition, policy, source = null, staged = false }: Put, by: Actor): ChangedTool {
    const changedPolicy = policy && this.#writePolicy(row, policy)
    if (source !== row.source) this.#sql.all('UPDATE tools SET source = ? WHERE id = ?', source, row.id)
    const extra = changedPolicy && { policy: changedPolicy }

    const same = this.#sameVersion(row, definition)
    if (same !== null) {
      const moves = !staged && same !== row.stable
      return moves ? { ...this.#moveStable(row, same), ...extra } : changedTool(row, 'put', same, extra)
    }
    if (row.versions >= MAX_TOOL_VERSIONS) {
      fail(
        'limit_exceeded',
        `${row.id} has ${row.versions} versions, and no more are kept (MAX_TOOL_VERSIONS); delete it and register it again, its numbers go on`,
      )
    }
    const version = row.latest + 1
    const comparison = compareSchemas(this.#definition(row, row.latest), definition)
    this.#writeVersion(definition, version, comparison, by)
    const changed = { id: row.id, op: 'put', version, outcome: 'updated', ...extra } as const
    if (staged) return { ...changed, breaking: comparison.breaking, staged }
    this.#writeStable(row.id, version)
    // The version before it may be staged: callers of the stable one never got it.
    const breaking = comparison.breaking || (row.stable !== row.latest && this.#breaksStable(row, definition))
    return { ...changed, breaking }
  }

  #moveStable(row: ToolRow, version: number): ChangedTool {
    if (version === row.stable) return changedTool(row, 'stable', version, undefined)
    this.#writeStable(row.id, version)
    const breaking = this.#breaksStable(row, this.#definition(row, version))
    return { id: row.id, op: 'stable', version, outcome: 'updated', breaking }
  }

  #breaksStable(row: ToolRow, definition: ToolDefinition): boolean {
    return compareSchemas(this.#definition(row, row.stable), definition).breaking
  }

  #writeStable(id: string, version: number): void {
    this.#sql.all('UPDATE tools SET stable = ? WHERE id = ?', version, id)
  }

  #definition(row: ToolRow, version: number): ToolDefinition {
    return this.#tools.at(row, version).definition
  }

  /** The stable or the newest version, when it equals the definition; else null. */
  #sameVersion(row: ToolRow, definition: ToolDefinition): number | null {
    const text = JSON.stringify(definition)
    const isSame = (version: number) => JSON.stringify(this.#definition(row, version)) === text
    return [row.stable, row.latest].find(isSame) ?? null
  }

  #delete(row: ToolRow): ChangedTool {
    const { id, latest } = row
    this.#sql.all('DELETE FROM tools WHERE id = ?', id)
    this.#sql.all('DELETE FROM tool_versions WHERE id = ?', id)
    this.#sql.all('INSERT OR REPLACE INTO deleted_tools (id, latest) VALUES (?, ?)', id, latest)
    this.#sql.all('DELETE FROM deleted_tools WHERE seq <= (SELECT max(seq) FROM deleted_tools) - ?', MAX_DELETED_TOOLS)
    return { id, op: 'delete', version: null, outcome: 'deleted', breaking: false }
  }

  #writeVersion(definition: ToolDefinition, version: number, { breaking, changes }: Comparison, by: Actor): void {
    const { id } = definition
    const text = JSON.stringify(definition)
    if (text.length > MAX_DEFINITION_CHARS) {
      fail(
        'limit_exceeded',
        `${id} has ${text.length} characters as JSON; at most ${MAX_DEFINITION_CHARS} are kept (MAX_DEFINITION_CHARS)`,
      )
    }
    this.#sql.all(
      `INSERT INTO tool_versions (id, version, chars, made_at, made_by, breaking, changes, definition)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      version,
      text.length,
      this.#clock.now(),
      JSON.stringify(by),
      breaking ? 1 : 0,
      JSON.stringify(changes),
      text,
    )
    this.#sql.all(
      'UPDATE tools SET latest = ?, versions = versions + 1, chars = chars + ? WHERE id = ?',
      version,
      text.length,
      id,
    )
  }

  /** Writes a policy. @returns the current one, when it changed */
  #writePolicy({ id, policy }: ToolRow, given: Partial<ToolPolicy>): ToolPolicy | undefined {
    const merged = ToolPolicy.parse({ ...JSON.parse(policy), ...given })
    const text = JSON.stringify(merged)
    if (text === JSON.stringify(ToolPolicy.parse(JSON.parse(policy)))) return undefined
    this.#sql.all('UPDATE tools SET policy = ? WHERE id = ?', text, id)
    return merged
  }

  /** Checks the room once, after all changes, since it goes through all tools. */
  #checkRoom(): void {
    const [{ tools = 0, chars = 0 } = {}] = this.#sql.all<{ tools: number; chars: number | null }>(
      'SELECT count(*) AS tools, sum(chars) AS chars FROM tools',
    )
    if (tools > MAX_REGISTERED_TOOLS) {
      fail(
        'limit_exceeded',
        `there would be ${tools} tools; at most ${MAX_REGISTERED_TOOLS} are kept (MAX_REGISTERED_TOOLS), delete some first`,
      )
    }
    if ((chars ?? 0) > MAX_REGISTRY_CHARS) {
      fail(
        'limit_exceeded',
        `all versions of all tools would have ${chars} characters; at most ${MAX_REGISTRY_CHARS} are kept (MAX_REGISTRY_CHARS), delete some tools first`,
      )
    }
  }
}

/** Checks the schemas that inputs or outputs are checked against. Others may be anything. */
function checkSchemas({ id, checks, input_schema, output_schema }: ToolDefinition): void {
  const wrong = (checks.input && schemaProblem(input_schema)) || (checks.output && schemaProblem(output_schema))
  if (wrong) fail('invalid_input', `${id}: values cannot be checked against its schema: ${wrong}`)
}

const changedTool = (
  { id }: ToolRow,
  op: ChangedTool['op'],
  version: number,
  extra: { readonly policy: ToolPolicy } | undefined,
): ChangedTool => ({ id, op, version, outcome: extra ? 'updated' : 'unchanged', breaking: false, ...extra })
