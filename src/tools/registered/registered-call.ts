import { z } from 'zod'
import { optional, requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { callRegistered } from './call-registered.ts'

/** Source: Toolcore, POST /internal/tools/call. */
export const registeredCall = defineTool({
  name: 'registered_call',
  description: 'Call a tool that was registered: by its id, or by "id@version". Returns what the tool returns.',
  effect: 'run',
  isCountedElsewhere: true,
  uses: ['circuits', 'clock', 'http', 'otherTools', 'python', 'registered', 'secrets'],
  input: z.object({
    tool_id: requiredText.describe('Id of the tool, or id@version'),
    args: z.record(z.string(), z.unknown()).describe("The tool's arguments"),
    context: optional(z.record(z.string(), z.unknown())).describe('What the tool is told besides'),
  }),

  async run({ tool_id, args, context = {} }, { ports, signal }) {
    return callRegistered({ reference: tool_id, args, context }, ports.otherTools.nesting, ports, signal)
  },
})
