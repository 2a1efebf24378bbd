import type { ToolEntry } from '../../../../callable-tools/tool-entries.ts'
import { serverEntries } from '../../../../callable-tools/tool-entries.ts'
import { toolNamed } from '../../../../callable-tools/wanted-tools.ts'
import type { Services } from '../../../../dialect.ts'
import { type StrictCall, strictCall } from '../../../../parameters/checked-call.ts'
import { idNamed } from './names.ts'
import type { Schema } from './offered-tool.ts'

/**
 * The tool of a name that a caller has from a list, from `search_tools`, or from another agent's habits.
 * @throws FailureError `not_found` with the nearest names
 */
export async function findTool(services: Services, name: string): Promise<ToolEntry> {
  const ours = serverEntries(services).get(name)
  if (ours) return ours
  const { tools } = await services.registeredTools()
  const id = idNamed(
    name,
    tools.map(({ id }) => id),
  )
  return toolNamed(services, id, { advice: ADVICE })
}

const ADVICE = 'search_tools finds tools by what they should do'

/**
 * The call of a tool, with its arguments by their own names.
 * @throws FailureError `invalid_input` for unknown parameters of one of the server's tools
 */
export const callOf = (services: Services, { name, kind }: ToolEntry, args: Schema): StrictCall =>
  strictCall(
    services,
    kind === 'server' ? { tool: name, args } : { tool: 'registered_call', args: { tool_id: name, args } },
  )
