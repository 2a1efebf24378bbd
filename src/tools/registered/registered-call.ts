import * as z from 'zod'
import { anyObject, optional, requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'

/** Source: Toolcore, POST /internal/tools/call. */
export const registeredCall = defineTool({
  name: 'registered_call',
  description:
    'Call a tool that was registered with this server: by its id, or by "id@version". It runs where its definition says: by ' +
    'a service, in the sandbox, or as calls of other tools. Returns what the tool returns.',
  effect: 'run',
  isCountedElsewhere: true,
  uses: ['toolbox'],
  input: z.object({
    tool_id: requiredText.describe('Id of the tool, or id@version'),
    args: anyObject.describe("The tool's arguments"),
    context: optional(anyObject).describe('What the tool is told besides. Default: nothing'),
  }),

  async run({ tool_id, args, context = {} }, { ports: { toolbox }, signal }) {
    return toolbox.call({ kind: 'tool', tool: tool_id, args, context }, toolbox.nesting, signal)
  },
})
