import { fail } from '../core/failure.ts'
import { MAX_DEFINITION_CHARS, MAX_REGISTERED_TOOLS } from '../core/limits.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import { ToolDefinition, ToolPolicy } from '../registry/definition.ts'
import { type ToolReference, toolReference, type VersionChoice } from '../registry/reference.ts'
import type { Actor, ChangedTool, RegisteredTool, ToolChange, ToolPage } from './api.ts'

type ToolRow = {
  readonly seq: number
  readonly id: string
  readonly stable: number
  readonly latest: number
  readonly policy: string
}

/** The tools that a tenant registered, in all their versions. */
export class ToolList {
  readonly #sql: Sql
  readonly #clock: Clock

  constructor(sql: Sql, clock: Clock) {
    this.#sql = sql
    this.#clock = clock
  }

  /** All of them or none. @throws FailureError `invalid_input`, `not_found`, `limit_exceeded`, each naming the tool */
  change(changes: readonly ToolChange[], by: Actor): ChangedTool[] {
    return this.#sql.transaction(() => changes.map((change) => this.#change(change, by)))
  }

  #change(change: ToolChange, by: Actor): ChangedTool {
    switch (change.op) {
      case 'put':
        return this.#put(change, by)
      case 'policy': {
        const { stable } = this.#existing(change.id)
        this.#writePolicy(change.id, change.policy)
        return { id: change.id, op: 'policy', version: stable }
      }
      case 'stable': {
        this.#existing(change.id)
        const [made] = this.#versions(change.id, change.version, change.version)
        if (made === undefined) {
          fail('not_found', `${change.id} has no version ${change.version}; look which there are`)
        }
        this.#sql.all('UPDATE tools SET stable = ? WHERE id = ?', change.version, change.id)
        return { id: change.id, op: 'stable', version: change.version }
      }
      case 'delete':
        this.#existing(change.id)
        this.#sql.all('DELETE FROM tools WHERE id = ?', change.id)
        this.#sql.all('DELETE FROM tool_versions WHERE id = ?', change.id)
        return { id: change.id, op: 'delete', version: null }
    }
  }

  #put({ definition, policy }: Extract<ToolChange, { op: 'put' }>, by: Actor): ChangedTool {
    const text = JSON.stringify(definition)
    const { id } = definition
    if (text.length > MAX_DEFINITION_CHARS) {
      fail(
        'limit_exceeded',
        `${id} has ${text.length} characters as JSON; at most ${MAX_DEFINITION_CHARS} are kept (MAX_DEFINITION_CHARS)`,
      )
    }
    const before = this.#row(id)
    if (!before && this.#total() >= MAX_REGISTERED_TOOLS) {
      fail(
        'limit_exceeded',
        `there are ${MAX_REGISTERED_TOOLS} tools already (MAX_REGISTERED_TOOLS); delete some first`,
      )
    }
    const version = (before?.latest ?? 0) + 1
    this.#sql.all(
      `INSERT INTO tools (id, stable, latest, policy) VALUES (?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET stable = excluded.stable, latest = excluded.latest`,
      id,
      version,
      version,
      JSON.stringify(policy ?? ToolPolicy.parse({})),
    )
    if (before && policy) this.#writePolicy(id, policy)
    this.#sql.all(
      'INSERT INTO tool_versions (id, version, definition, made_at, made_by) VALUES (?, ?, ?, ?, ?)',
      id,
      version,
      text,
      this.#clock.now(),
      JSON.stringify(by),
    )
    return { id, op: 'put', version }
  }

  list({ limit, after = 0 }: { readonly limit: number; readonly after?: number }): ToolPage {
    const rows = this.#sql.all<ToolRow>('SELECT * FROM tools WHERE seq > ? ORDER BY seq LIMIT ?', after, limit + 1)
    const shown = rows.slice(0, limit)
    const tools = shown.map((row) => this.#at(row, row.stable))
    const last = shown.at(-1)
    return { tools, total: this.#total(), ...(rows.length > limit && last && { next: last.seq }) }
  }

  /** @throws FailureError `invalid_input`, `not_found` when there is no such tool, or no such version of it */
  find(reference: string): RegisteredTool {
    const { id, choice }: ToolReference = toolReference(reference)
    const row = this.#row(id) ?? fail('not_found', `Tool not found: ${id}`)
    const version = this.#choose(row, choice)
    if (version === null) {
      fail(
        'not_found',
        `Tool not found: ${reference}. Its newest version is ${row.latest}, its stable one ${row.stable}`,
      )
    }
    return this.#at(row, version)
  }

  #choose({ id, stable, latest }: ToolRow, choice: VersionChoice): number | null {
    switch (choice.kind) {
      case 'stable':
        return stable
      case 'latest':
        return latest
      case 'exact':
        return this.#versions(id, choice.version, choice.version)[0] ?? null
      case 'compatible':
        return this.#versions(id, choice.version, Number.MAX_SAFE_INTEGER)[0] ?? null
      case 'range':
        return this.#versions(id, choice.from, choice.to)[0] ?? null
    }
  }

  /** Newest first. */
  #versions(id: string, from: number, to: number): number[] {
    return this.#sql
      .all<{ version: number }>(
        'SELECT version FROM tool_versions WHERE id = ? AND version BETWEEN ? AND ? ORDER BY version DESC',
        id,
        from,
        to,
      )
      .map(({ version }) => version)
  }

  #at({ id, stable, latest, policy }: ToolRow, version: number): RegisteredTool {
    const [row] = this.#sql.all<{ definition: string }>(
      'SELECT definition FROM tool_versions WHERE id = ? AND version = ?',
      id,
      version,
    )
    if (!row) throw new Error(`version ${version} of a tool is chosen and missing`)
    return {
      version,
      stable,
      latest,
      definition: ToolDefinition.parse(JSON.parse(row.definition)),
      policy: ToolPolicy.parse(JSON.parse(policy)),
    }
  }

  #writePolicy(id: string, policy: ToolPolicy): void {
    this.#sql.all('UPDATE tools SET policy = ? WHERE id = ?', JSON.stringify(policy), id)
  }

  #row(id: string): ToolRow | null {
    return this.#sql.all<ToolRow>('SELECT * FROM tools WHERE id = ?', id)[0] ?? null
  }

  #existing(id: string): ToolRow {
    return this.#row(id) ?? fail('not_found', `there is no tool ${id.slice(0, 200)}; register it first`)
  }

  #total(): number {
    return this.#sql.all<{ tools: number }>('SELECT count(*) AS tools FROM tools')[0]?.tools ?? 0
  }
}
