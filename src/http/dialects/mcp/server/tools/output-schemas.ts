import { orNull } from '../../../../../core/failure.ts'
import { MAX_MCP_OUTPUT_SCHEMAS } from '../../../../../core/limits/mcp.ts'
import type { ToolEntry } from '../../../../callable-tools/tool-entries.ts'
import type { Services } from '../../../../dialect.ts'
import { objectSchema } from './input-schema.ts'
import type { OfferedTool } from './offered-tool.ts'

/**
 * Schemas of results, by tool: those of registered tools whose results are checked against them, and that are objects, as older
 * clients want it. A client refuses a result that does not fit, so that an unchecked schema would cost the whole answer.
 */
export async function outputSchemas(
  entries: readonly ToolEntry[],
  services: Services,
): Promise<ReadonlyMap<string, NonNullable<OfferedTool['outputSchema']>>> {
  const registered = entries.filter(({ kind }) => kind === 'registered').slice(0, MAX_MCP_OUTPUT_SCHEMAS)
  const found = await Promise.all(
    registered.map(async ({ name }) => [name, await outputSchema(name, services)] as const),
  )
  return new Map(found.flatMap(([name, schema]) => (schema ? [[name, schema] as const] : [])))
}

/** Schema of one registered tool's result; null where it has none that holds. */
export async function outputSchema(id: string, { tenant }: Services): Promise<OfferedTool['outputSchema'] | null> {
  const tool = await orNull(tenant.tools.find(id), 'not_found', 'invalid_input')
  if (!tool?.definition.checks.output) return null
  const schema = tool.definition.output_schema
  return schema.type === 'object' ? objectSchema(schema) : null
}
