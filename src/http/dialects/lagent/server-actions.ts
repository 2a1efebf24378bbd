import type { Result } from '../../../core/outcome.ts'
import type { ReturnedContent } from '../../../lagent/action-return.ts'
import type { LagentAction, LagentApi } from '../../../lagent/built-in/action.ts'
import { LAGENT_ACTIONS } from '../../../lagent/built-in/action-table.ts'
import { describeAction as describeLagentAction } from '../../../lagent/built-in/actions.ts'
import { LAGENT_VARIANTS } from '../../../lagent/built-in/variants.ts'
import { apisOf } from '../../../lagent/description.ts'
import { fromLagent, type SchemaTool, toLagent } from '../../../lagent/formats.ts'
import { dumpJson } from '../../../lagent/python/dump-json.ts'
import { withoutFence } from '../../../tools/lagent/code-fence.ts'
import { notesOf } from '../../../tools/lagent/state.ts'
import type { ToolInfo, ToolkitInfo } from '../../../tools/registry.ts'
import type { Services } from '../../dialect.ts'
import type { Action, Api } from './action.ts'

/** Actions of every caller: those that come with Lagent, the catalog's tools, and the toolkits' that those do not use. */
export function serverActions({ tools, toolkits }: Pick<Services, 'tools' | 'toolkits'>): Action[] {
  const inLagent = new Set([...LAGENT_ACTIONS, ...LAGENT_VARIANTS].flatMap(({ apis }) => apis.map(({ tool }) => tool)))
  const others = toolkits.map((toolkit) => ({
    ...toolkit,
    tools: toolkit.tools.filter(({ name }) => !inLagent.has(name)),
  }))
  return [
    ...LAGENT_ACTIONS.map(fromLagentAction),
    ...tools.map(fromTool),
    ...others.filter((toolkit) => toolkit.tools.length > 0).map(fromToolkit),
  ]
}

/** A tool alone: an action of the one api `run`. */
export const fromTool = (tool: ToolInfo): Action => ({
  name: tool.name,
  description: tool.description,
  isToolkit: false,
  apis: [{ ...fromSchema(tool), name: 'run' }],
})

const fromToolkit = ({ name, description, tools }: ToolkitInfo): Action => ({
  name,
  description,
  isToolkit: true,
  apis: tools.map(fromSchema),
})

const fromSchema = (tool: SchemaTool): Api => ({
  name: tool.name,
  described: toLagent(tool),
  inputSchema: tool.inputSchema,
  // Errors of a caller's own code are in the text, as all else that the model should read.
  answers: { answer: 'json' },
  contentOf: ({ text }) => [{ type: 'text', content: text }],
  toCall: (args) => ({ tool: tool.name, args }),
})

function fromLagentAction(action: LagentAction): Action {
  const { name, description, isToolkit, instead } = action
  const described = describeLagentAction(action)
  const schemas = fromLagent(described)
  const apis = apisOf(described).flatMap(([api, description], at): Api[] => {
    const [source, schema] = [action.apis[at], schemas[at]]
    if (!source || !schema) return []
    return [{ ...fromLagentApi(source), name: api, described: description, inputSchema: schema.inputSchema }]
  })
  return { name, description, isToolkit, apis, ...(instead !== undefined && { instead }) }
}

const fromLagentApi = ({
  tool,
  answer,
  argsAs,
  failsAsHttp,
}: LagentApi): Omit<Api, 'name' | 'described' | 'inputSchema'> => ({
  answers: { answer, ...(failsAsHttp && { failsAsHttp }) },
  contentOf: CONTENT[answer],
  ...(argsAs && { argsOf: ARGS[argsAs] }),
  toCall: (args) => ({ tool, args }),
})

const CONTENT: Readonly<Record<LagentApi['answer'], (result: Result) => readonly ReturnedContent[]>> = {
  json: ({ data }) => [{ type: 'text', content: dumpJson(data) }],
  text: ({ text }) => [{ type: 'text', content: text }],
  items: (result) => [
    ...(result.data.result as readonly ReturnedContent[]), // tools whose answers have this form put it there
    ...notesOf(result).map((content) => ({ type: 'text', content })),
  ],
}

/** Arguments that the interpreters' answers show for their `command`. */
const ARGS: Readonly<Record<NonNullable<LagentApi['argsAs']>, NonNullable<Api['argsOf']>>> = {
  text: ({ command }) => ({ text: command }),
  fence: ({ command }) => ({ text: `\`\`\`python\n${withoutFence(String(command))}\n\`\`\`` }),
}

/** Actions that are called by name and in no list. */
export const UNLISTED_ACTIONS: readonly Action[] = LAGENT_VARIANTS.map(fromLagentAction)
