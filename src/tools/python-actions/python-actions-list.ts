import { z } from 'zod'
import { flattened } from '../../lagent/description.ts'
import { defineTool } from '../define.ts'
import { allActions } from './session-actions.ts'

/** Source: Lagent, ActionExecutor.description. */
export const pythonActionsList = defineTool({
  name: 'python_actions_list',
  description: 'List the Python actions of the task as Lagent describes them, each API of a toolkit as "Toolkit.api".',
  effect: 'read',
  uses: ['python', 'pythonActions'],
  input: z.object({}),

  async run(_, { ports: { python, pythonActions } }) {
    const actions = allActions(pythonActions, python).flatMap(({ description }) => flattened(description))
    return { text: actions.map(({ name, description }) => `${name}: ${description}`).join('\n'), data: { actions } }
  },
})
