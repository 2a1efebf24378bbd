import * as z from 'zod'
import { flattened } from '../../lagent/description.ts'
import { defineTool } from '../define.ts'
import { listedAs } from './action.ts'
import type { DescribedAction } from './described.ts'

/** Source: Lagent, ActionExecutor.description. */
export const pythonActionsList = defineTool({
  name: 'python_actions_list',
  description:
    'List the Python actions of the task, which python_actions_register brought. Runs without a sandbox. Returns actions as ' +
    'Lagent describes them, each API of a toolkit as "Toolkit.api".',
  effect: 'read',
  uses: ['toolbox'],
  input: z.object({}),

  async run(_, { ports: { toolbox } }) {
    const listed = (await toolbox.list()).filter((one) => one.kind === 'action')
    const actions = listed.flatMap(({ described }) =>
      // The cast: `describeActions` made this description when the module was registered.
      flattened(listedAs(described as unknown as DescribedAction)),
    )
    return { text: actions.map(({ name, description }) => `${name}: ${description}`).join('\n'), data: { actions } }
  },
})
