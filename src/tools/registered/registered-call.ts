import { z } from 'zod'
import { toFailure } from '../../core/failure.ts'
import { optional, requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { execute } from './execute.ts'

const NOTHING = { bytesIn: 0, bytesOut: 0, sandboxMs: 0 }

/** Source: Toolcore, POST /internal/tools/call. */
export const registeredCall = defineTool({
  name: 'registered_call',
  description: 'Call a tool that was registered: by its id, or by "id@version". Returns what the tool returns.',
  effect: 'run',
  uses: ['circuits', 'clock', 'http', 'registered', 'secrets'],
  input: z.object({
    tool_id: requiredText.describe('Id of the tool, or id@version'),
    args: z.record(z.string(), z.unknown()).describe("The tool's arguments"),
    context: optional(z.record(z.string(), z.unknown())).describe('What the tool is told besides'),
  }),

  async run({ tool_id, args, context = {} }, { ports, signal }) {
    const call = await ports.registered.begin(tool_id)
    try {
      const { result, ...amounts } = await execute({ definition: call.definition, args, context }, ports, signal)
      call.end({ failure: null, ...amounts })
      return result
    } catch (thrown) {
      call.end({ failure: toFailure(thrown).code, ...NOTHING })
      throw thrown
    }
  },
})
