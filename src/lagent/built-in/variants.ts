import type { LagentAction, LagentApi } from './action.ts'
import { LAGENT_ACTIONS } from './action-table.ts'

/** Parameter of the interpreter that is no shell: its asynchronous variant has it besides. */
const SESSION_ID = { name: 'session_id', type: 'STRING', description: '' } as const

const INTERACTIVE = 'Launch an IPython Interactive Shell to execute code.'

const interactive = (name: string): LagentAction => ({
  name,
  isToolkit: false,
  description: INTERACTIVE,
  apis: [
    {
      name: 'run',
      tool: 'ipython_interactive_run',
      answer: 'items',
      argsAs: 'text',
      description: INTERACTIVE,
      parameters: [
        { name: 'command', type: 'STRING', description: 'Python code snippet', required: true },
        {
          name: 'timeout',
          type: 'NUMBER',
          description: 'timeout for execution.\nThis argument only works in the main thread. Defaults to ``None``.',
        },
      ],
    },
  ],
})

/** Differences of a variant's apis, by the action's name. */
const ASYNC_APIS: Readonly<Record<string, (api: LagentApi) => LagentApi>> = {
  IPythonInterpreter: (api) => ({
    ...api,
    tool: 'ipython_session_run',
    parameters: [...api.parameters, SESSION_ID],
  }),
  WebBrowser: (api) =>
    api.name === 'search'
      ? {
          ...api,
          description: 'BING search API',
          parameters: [{ name: 'query', type: 'STRING', description: 'list of search query strings', required: true }],
        }
      : api,
}

const asynchronous = (action: LagentAction): LagentAction => ({
  ...action,
  name: `Async${action.name}`,
  apis: action.apis.map(ASYNC_APIS[action.name] ?? ((api) => api)),
})

/**
 * Variants: actions that do the same as others, for other programs. They are called by their names, and in no list, so that
 * no model reads of one thing twice.
 */
export const LAGENT_VARIANTS: readonly LagentAction[] = [
  ...LAGENT_ACTIONS.map(asynchronous),
  interactive('IPythonInteractive'),
  interactive('AsyncIPythonInteractive'),
  {
    name: 'IPythonInteractiveManager',
    isToolkit: false,
    description: 'An interactive IPython shell manager for code execution',
    apis: [],
    instead:
      'IPythonInteractiveManager has no api that can be called; call IPythonInteractive, or AsyncIPythonInterpreter with a session_id for each session',
  },
]
