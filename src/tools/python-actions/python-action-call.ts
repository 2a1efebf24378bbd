import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { say, tool } from '../../core/saying/saying.ts'
import { optional, requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'

/** Calls an action of a tenant's Python. Source: Lagent, ActionExecutor.forward: the ActionReturn has the outcome. */
export const pythonActionCall = defineTool({
  name: 'python_action_call',
  description:
    "Call a Python action of the task, in the sandbox. Returns Lagent's ActionReturn, also when the action fails.",
  effect: 'run',
  uses: ['toolbox'],
  input: z.object({
    name: requiredText.describe('Its name; of a toolkit "Toolkit.api"'),
    inputs: z.unknown().describe('What its parser reads: an object, or JSON as text; a tuple as text for TupleParser'),
    parser: optional(z.enum(['JsonParser', 'TupleParser', 'BaseParser'])).describe(
      "How inputs are read. Default: the action's own",
    ),
  }),

  async run({ name, inputs, parser }, { ports: { toolbox }, signal }) {
    const [action = ''] = name.split('.', 1)
    if (!(await toolbox.find('action', action)))
      return fail('not_found', say`there is no action ${name.slice(0, 200)}; ${tool('python_actions_list')} lists them`)
    const call = { kind: 'action', tool: action, args: { name, inputs, parser } } as const
    return toolbox.call(call, toolbox.nesting, signal)
  },
})
