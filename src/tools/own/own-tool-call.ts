import * as z from 'zod'
import { FailureError, fail, RefusalError } from '../../core/failure.ts'
import type { Result } from '../../core/outcome.ts'
import type { Toolbox } from '../../ports/toolbox.ts'
import { returnedBy } from '../../registry/returned.ts'
import { anyObject, requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'

/** Calls a client's own tool. Source: XAgent ToolServer, ToolServerNode, execute_tool of a tool from register_new_tool. */
export const ownToolCall = defineTool({
  name: 'own_tool_call',
  description:
    'Call a tool that was registered by own_tool_register, in the sandbox, or made by tool_create. Returns what the ' +
    'function returns.',
  effect: 'run',
  uses: ['toolbox'],
  input: z.object({
    tool_name: requiredText.describe('Its name'),
    arguments: anyObject.describe('By name, as the function takes them'),
  }),

  async run({ tool_name, arguments: args }, { ports: { toolbox }, signal }) {
    if (await toolbox.find('function', tool_name)) {
      return toolbox.call({ kind: 'function', tool: tool_name, args }, toolbox.nesting, signal)
    }
    if (await toolbox.find('tool', tool_name)) return callTool(toolbox, { tool_id: tool_name, args }, signal)
    return fail('not_found', `Tool ${tool_name.slice(0, 100)} not found`, { data: { unregistered: true } })
  },
})

/** Calls a tool made by tool_create, as a call of its own. */
async function callTool(
  toolbox: Toolbox,
  args: { readonly tool_id: string; readonly args: Readonly<Record<string, unknown>> },
  signal: AbortSignal,
): Promise<Result> {
  const call = { kind: 'built-in', tool: 'registered_call', args } as const
  const answer = await toolbox.call(call, toolbox.nesting, signal).catch(asFailure)
  if ('soFar' in answer) return fail('upstream', 'the tool answers later, which a node cannot wait for')
  return { text: answer.text, data: { value: returnedBy(answer) ?? null } }
}

/** Turns a refusal into a failure. A node takes a refusal for an unknown name, and this tool exists but may not be called. */
function asFailure(thrown: unknown): never {
  throw thrown instanceof RefusalError ? new FailureError(thrown.failure, { cause: thrown }) : thrown
}
