import { z } from 'zod'
import { FailureError, fail } from '../../core/failure.ts'
import type { Result } from '../../core/outcome.ts'
import type { OtherTools } from '../../ports/other-tools.ts'
import { returnedBy } from '../../registry/returned.ts'
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { runOwnTool } from './own-tool-program.ts'

/** Source: XAgent ToolServer, ToolServerNode, execute_tool of what register_new_tool took. */
export const ownToolCall = defineTool({
  name: 'own_tool_call',
  description:
    'Call a tool that was registered by own_tool_register, or made by tool_create. Returns what the function returns.',
  effect: 'run',
  uses: ['python', 'madeTools', 'otherTools', 'ownTools'],
  input: z.object({
    tool_name: requiredText.describe('Its name'),
    arguments: z.record(z.string(), z.unknown()).describe('By name, as the function takes them'),
  }),

  async run({ tool_name, arguments: args }, { ports: { python, madeTools, otherTools, ownTools }, signal }) {
    const code = ownTools.codeOf(tool_name)
    if (code === null && madeTools.list().some(({ id }) => id === tool_name)) {
      return callMade(otherTools, { tool_id: tool_name, args }, signal)
    }
    if (code === null)
      return fail('not_found', `Tool ${tool_name.slice(0, 100)} not found`, { data: { unregistered: true } })
    const said = await runOwnTool(python, { name: tool_name, code, arguments: args })
    if ('value' in said) return { text: JSON.stringify(said.value ?? null), data: { value: said.value ?? null } }
    if ('detail' in said) return fail('invalid_input', JSON.stringify(said.detail), { data: { detail: said.detail } })
    const why =
      'error' in said
        ? [said.error, said.message].filter(Boolean).join(': ')
        : 'NameError: its code does not define it any more'
    return fail('invalid_input', why, { data: { detail: why } })
  },
})

/** A call of its own, as of any tool that was made by tool_create. */
async function callMade(
  otherTools: OtherTools,
  args: { readonly tool_id: string; readonly args: Readonly<Record<string, unknown>> },
  signal: AbortSignal,
): Promise<Result> {
  const outcome = await otherTools.call({ tool: 'registered_call', args }, otherTools.nesting, signal)
  if ('failure' in outcome) throw new FailureError(outcome.failure)
  if (outcome.kind === 'pending') return fail('upstream', 'the tool answers later, which a node cannot wait for')
  return { text: outcome.result.text, data: { value: returnedBy(outcome.result) ?? null } }
}
