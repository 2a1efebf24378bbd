import { orNull } from '../../../core/failure.ts'
import type { Outcome } from '../../../core/outcome.ts'
import type { ToolInfo } from '../../../tools/registry.ts'
import type { Services } from '../../dialect.ts'

/** Whether the tenant registered a tool of that id, which comes before one of a toolkit. */
export const isRegistered = async ({ tenant }: Services, id: string): Promise<boolean> =>
  (await orNull(tenant.tools.find(id), 'not_found', 'invalid_input')) !== null

/** Entry of the list. */
export const encodeListedTool = ({ name, description, inputSchema }: ToolInfo) => ({
  id: name,
  name,
  description,
  input_schema: inputSchema,
  executor: 'builtin',
})

/** Whole definition. */
export const encodeToolDefinition = (tool: ToolInfo) => ({
  ...encodeListedTool(tool),
  output_schema: {},
  target: tool.name,
  allowed_agents: null,
  timeout: null,
  enabled: true,
})

/** Whether a refusal is the tool's own, about its arguments. */
export const isOfArguments = (outcome: Outcome): boolean =>
  outcome.kind === 'refused' && outcome.failure.code === 'invalid_input'

/** The outcome with the result where registered tools have theirs. */
export const asRegistered = (outcome: Outcome): Outcome =>
  outcome.kind === 'done'
    ? { ...outcome, result: { ...outcome.result, data: { result: outcome.result.data } } }
    : outcome
