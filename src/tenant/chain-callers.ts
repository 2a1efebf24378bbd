import { MAX_CALLING_CHAINS, MAX_NAMED_CHAINS } from '../core/limits/chains.ts'
import type { Sql } from '../ports/sql.ts'
import type { ToolDefinition } from '../registry/definition.ts'
import { toolReference, type VersionChoice } from '../registry/reference.ts'
import type { ChangedTool } from './tools-api.ts'

/**
 * Chains, in their stable versions, that a change of a tool may break: their steps call the tool by a reference that the change
 * reaches. At most MAX_NAMED_CHAINS.
 */
export function chainsBrokenBy(changed: ChangedTool, sql: Sql): readonly string[] {
  const reached = reachOf(changed, sql)
  if (reached === null) return []
  return chainsWith(changed.id, sql)
    .filter(({ id, steps }) => id !== changed.id && steps.some((tool) => callsIt(tool, changed.id, reached)))
    .slice(0, MAX_NAMED_CHAINS)
    .map(({ id }) => id)
}

type Reached = (choice: VersionChoice['kind']) => boolean

/** Test for the references that a change breaks, by kind of version; null for a change that breaks none. */
function reachOf({ id, op, version, outcome, breaking, policy }: ChangedTool, sql: Sql): Reached | null {
  // A permission holds for all versions of the tool.
  if (policy && outcome !== 'created' && (!policy.enabled || policy.allowed_agents !== null)) return () => true
  switch (op) {
    case 'delete':
      return () => true
    case 'policy':
      return null
    case 'stable':
      return outcome === 'updated' ? (choice) => choice === 'stable' : null
    case 'put':
      if (!breaking) return null
      return isStable(id, version, sql)
        ? (choice) => choice !== 'exact' && choice !== 'compatible'
        : (choice) => choice === 'latest' || choice === 'range'
  }
}

const isStable = (id: string, version: number | null, sql: Sql) =>
  sql.all('SELECT 1 FROM tools WHERE id = ? AND stable = ?', id, version).length > 0

function callsIt(reference: string, id: string, reached: Reached): boolean {
  const tool = toolReference(reference)
  return tool.id === id && reached(tool.choice.kind)
}

/** Chains whose text names the tool. The text is searched before it is parsed: a tenant may have thousands of tools. */
function chainsWith(tool: string, sql: Sql): { readonly id: string; readonly steps: readonly string[] }[] {
  const rows = sql.all<{ definition: string }>(
    `SELECT v.definition FROM tools t JOIN tool_versions v ON v.id = t.id AND v.version = t.stable
       WHERE instr(v.definition, '"executor":{"kind":"chain"') > 0
         AND (instr(v.definition, ?) > 0 OR instr(v.definition, ?) > 0) ORDER BY t.seq LIMIT ?`,
    `"tool":${JSON.stringify(tool)}`,
    `"tool":${JSON.stringify(`${tool}@`).slice(0, -1)}`,
    MAX_CALLING_CHAINS,
  )
  return rows.flatMap((row) => {
    const { id, executor } = JSON.parse(row.definition) as ToolDefinition // was checked when it was put
    return executor.kind === 'chain' ? [{ id, steps: executor.chain.steps.map((step) => step.tool) }] : []
  })
}
