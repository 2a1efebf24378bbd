import { FailureError, fail, toFailure } from '../core/failure.ts'
import { say } from '../core/saying/saying.ts'
import { checkChain, failVersion, type Resolved } from '../registry/chain/check.ts'
import { issuesText } from '../registry/chain/issues.ts'
import type { JsonSchema } from '../registry/chain/schema.ts'
import type { ToolDefinition } from '../registry/definition.ts'
import { toolReference } from '../registry/reference.ts'
import { resolvedOf } from '../registry/resolved.ts'
import type { ToolList } from './tool-list.ts'
import type { ToolChange } from './tools-api.ts'

/** Looks up a built-in tool. @returns null when there is none of that name */
export type BuiltinTool = (name: string) => { readonly inputSchema: JsonSchema } | null

/**
 * Checks the chains among tools about to be saved, against the list as it will be after all are saved.
 * @throws FailureError `invalid_input` with every mistake and its step
 */
export async function checkChains(
  changes: readonly ToolChange[],
  tools: ToolList,
  builtin: BuiltinTool,
): Promise<void> {
  const saved = new Map(
    changes.flatMap((change) => (change.op === 'put' ? [[change.definition.id, change.definition]] : [])),
  )
  const resolve = resolverOf(tools, builtin, saved)
  for (const { id, executor, input_schema } of saved.values()) {
    if (executor.kind !== 'chain') continue
    const { issues } = await checkChain(executor.chain, { name: id, inputSchema: input_schema }, resolve)
    if (issues.length > 0) fail('invalid_input', `${id}: ${issuesText(issues)}`)
  }
}

/** @param saved tools about to be saved, which take precedence over stored ones */
export function resolverOf(
  tools: ToolList,
  builtin: BuiltinTool,
  saved: ReadonlyMap<string, ToolDefinition> = new Map(),
): (tool: string) => Resolved | null {
  return (tool) => {
    // It would begin a run of its own, and a loop through it would not be seen.
    if (tool === 'registered_call')
      fail('invalid_input', say`name the registered tool itself, not ${{ tool: 'registered_call' }}`)
    const known = builtin(tool)
    const [id = tool] = tool.split('@', 1)
    if (!known && builtin(id)) failVersion(id)
    if (known) return { kind: 'tool', name: tool, inputSchema: known.inputSchema }
    const definition = saved.get(toolReference(tool).id) ?? foundOf(tools, tool)
    return definition && resolvedOf(definition)
  }
}

function foundOf(tools: ToolList, reference: string): ToolDefinition | null {
  try {
    return tools.find(reference).definition
  } catch (thrown) {
    const isMissing = thrown instanceof FailureError && toFailure(thrown).code === 'not_found'
    // The error for a missing version names the versions that exist.
    if (isMissing && tools.row(toolReference(reference).id) === null) return null
    throw thrown
  }
}
