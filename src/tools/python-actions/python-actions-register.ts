import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_ACTION_SOURCE_CHARS, PYTHON_DESCRIBE_MS } from '../../core/limits/python.ts'
import { apisOf } from '../../lagent/description.ts'
import { optional, requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { type DescribedAction, describeActions } from './described.ts'
import { moduleOf } from './module-of.ts'

/** Registers a module's actions. Source: Lagent, lagent/actions/base_action.py, as Python loads a source. */
export const pythonActionsRegister = defineTool({
  name: 'python_actions_register',
  description:
    'Bring actions of Lagent as Python: functions under @tool_api and classes of BaseAction, with Google docstrings. They ' +
    'are described as Lagent does it, run in the sandbox, and stay with the task. Returns their descriptions. Call them by ' +
    'python_action_call.',
  effect: 'run',
  uses: ['python', 'toolbox'],
  input: z.object({
    source: requiredText.describe('Python; `from lagent.actions import BaseAction, tool_api` works without Lagent'),
    requirements: optional(z.array(z.string())).describe(
      'What pip installs for it, e.g. ["requests>=2"]. Default: nothing',
    ),
  }),

  async run({ source, requirements = [] }, { ports: { python, toolbox } }) {
    if (source.length > MAX_ACTION_SOURCE_CHARS) {
      const limit = `at most ${MAX_ACTION_SOURCE_CHARS} are taken (MAX_ACTION_SOURCE_CHARS)`
      fail('limit_exceeded', `the source has ${source.length} characters; ${limit}`)
    }
    const text = { text: source, requirements }
    const described = await describeActions(python, moduleOf(text), PYTHON_DESCRIBE_MS)
    if (described.length === 0) {
      fail('invalid_input', 'the source has neither a function under @tool_api nor a class of BaseAction')
    }
    for (const action of described) refuseName(action)
    const actions = described.map((one) => ({ name: asCalled(one).name, described: { ...one } }))
    await toolbox.put('actions', { source: text, actions })
    const names = actions.map(({ name }) => name)
    return {
      text: `registered ${names.join(', ')}`,
      data: { actions: described.map(asCalled) },
    }
  },
})

/**
 * Description under which the action is called: an object of a class can have another one than the class, with another
 * name.
 */
const asCalled = ({ instance, description }: DescribedAction) => instance ?? description

/** Refuses a name with a dot, which separates an action from its API. */
function refuseName(action: DescribedAction): void {
  const description = asCalled(action)
  const names = [description.name, ...apisOf(description).map(([, api]) => api.name)]
  const odd = names.find((name) => !/^\w{1,100}$/.test(name))
  if (odd !== undefined) {
    fail('invalid_input', `the name ${JSON.stringify(odd.slice(0, 100))} is not of letters, digits and _, 100 at most`)
  }
}
