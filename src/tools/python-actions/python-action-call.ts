import { z } from 'zod'
import { fail } from '../../core/failure.ts'
import { say, tool } from '../../core/saying/saying.ts'
import { ActionReturn } from '../../lagent/action-return.ts'
import { ActionExecutor } from '../../lagent/executor.ts'
import { toStr } from '../../lagent/python/to-text.ts'
import { optional, requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { fromWire } from './python-values.ts'
import { actionOf } from './session-actions.ts'

/** Source: Lagent, ActionExecutor.forward: what becomes of the call is in its ActionReturn. */
export const pythonActionCall = defineTool({
  name: 'python_action_call',
  description: "Call a Python action of the task. Returns Lagent's ActionReturn, also when the action fails.",
  effect: 'run',
  uses: ['python', 'pythonActions'],
  input: z.object({
    name: requiredText.describe('Its name; of a toolkit "Toolkit.api"'),
    inputs: z.unknown().describe('What its parser reads: an object, or JSON as text; a tuple as text for TupleParser'),
    parser: optional(z.enum(['JsonParser', 'TupleParser', 'BaseParser'])).describe("Instead of the action's own"),
  }),

  async run({ name, inputs, parser }, { ports: { python, pythonActions } }) {
    const found = pythonActions.find(name.split('.')[0] ?? '')
    if (!found)
      return fail('not_found', say`there is no action ${name.slice(0, 200)}; ${tool('python_actions_list')} lists them`)
    const executor = new ActionExecutor({ actions: actionOf(found, python, parser) })
    const answer = await executor.call(name, fromWire(inputs))
    return { text: textOf(answer) || String(answer.errmsg ?? ''), data: { ...answer.toJSON() } }
  },
})

/** As Lagent joins it, but never refused: what is no text in a text is shown as Python prints it. */
const textOf = ({ result }: ActionReturn) =>
  new ActionReturn({
    result: result?.map((one) => ({ ...one, content: toStr(one.content) })) ?? null,
  }).formatResult()
