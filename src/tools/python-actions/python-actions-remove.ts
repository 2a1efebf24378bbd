import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { say, tool } from '../../core/saying/saying.ts'
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'

export const pythonActionsRemove = defineTool({
  name: 'python_actions_remove',
  description: 'Remove a Python action of the task; of a toolkit all its APIs. Runs without a sandbox. Returns name.',
  effect: 'write',
  uses: ['toolbox'],
  input: z.object({ name: requiredText.describe('Its name, without an API') }),

  async run({ name }, { ports: { toolbox } }) {
    if (!toolbox.remove('actions', name))
      fail('not_found', say`there is no action ${name.slice(0, 200)}; ${tool('python_actions_list')} lists them`)
    return { text: `removed ${name}`, data: { name } }
  },
})
