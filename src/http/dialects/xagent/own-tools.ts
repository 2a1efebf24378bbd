import type { Hono } from 'hono'
import * as z from 'zod'
import { failureIn, orNull } from '../../../core/failure.ts'
import type { Vocabulary } from '../../../core/saying/worded.ts'
import type { BroughtTool, PythonFunction } from '../../../ports/toolbox.ts'
import { isSchemaObject, type SchemaObject } from '../../../registry/schema-node.ts'
import { type AppEnv, callerOf, type Services, servicesFor } from '../../dialect.ts'
import { readBodyText } from '../../json.ts'
import { outcomeHeaders } from '../../rate-limit-headers.ts'
import { decodeRegister } from './codec.ts'
import { COMMON } from './every-node.ts'
import { onNode } from './nodes.ts'
import type { Surface } from './surface.ts'
import { toolJson } from './tool-json.ts'
import type { XAgentTool } from './tools.ts'
import { vocabularyOf } from './vocabulary.ts'

const Failed = z.object({ detail: z.unknown() }).refine((data) => 'detail' in data)

/** Shape of any tool of the node's own: its function checks the arguments. */
export const OWN_TOOL: XAgentTool = {
  name: 'own_tool_call',
  tool: 'own_tool_call',
  description: '',
  parameters: [],
  value: ({ data }) => data.value,
  failed: (answer) => {
    if (!('failure' in answer)) return undefined
    const refusal = Failed.safeParse(answer.failure.data)
    return refusal.success ? refusal.data.detail : undefined
  },
}

/** Names for a client that registers a tool: the fields of its request. */
const OF_REGISTRATION: Vocabulary = {
  ...vocabularyOf(COMMON),
  field: (name) => (name === 'tool_name' || name === 'code' ? name : null),
}

/** Adds the route that registers Python tools. */
export function addRegistration(app: Hono<AppEnv>, surfaceOf: (services: Services) => Promise<Surface>): void {
  app.post(
    '/register_new_tool',
    onNode('execute', async (session, c) => {
      const decoded = decodeRegister(await readBodyText(c.req.raw))
      if ('invalid' in decoded) return c.json({ detail: decoded.invalid }, 422)
      const { tool_name, code } = decoded.value
      const refused = (why: string, headers = {}) =>
        c.json({ detail: `Error happens when registering new tool:\n${why}` }, 406, headers)
      const services = servicesFor(c, 'execute')
      const surface = await surfaceOf(services)
      if (surface.find(tool_name)) return refused(`a tool called ${tool_name} is there already; give another name`)
      const outcome = await session.call({ tool: 'own_tool_register', args: { tool_name, code } }, callerOf(services))
      if (outcome.kind === 'failed' || outcome.kind === 'refused') {
        return refused(failureIn(outcome.failure, OF_REGISTRATION).message, outcomeHeaders(outcome))
      }
      const made = functionsOf((await orNull(session.tools.list(), 'session_not_found')) ?? []).find(
        ({ name }) => name === tool_name,
      )
      return made ? c.json(toolJson(made)) : refused('the node was released meanwhile')
    }),
  )
}

/** Functions of the node's own tools, those described by JSON Schema included. */
export const functionsOf = (tools: readonly BroughtTool[]): PythonFunction[] =>
  tools.flatMap((tool): PythonFunction[] => {
    if (tool.kind === 'action') return []
    if (tool.kind === 'function') return [tool]
    const { description, input_schema, hidden } = tool.definition
    return [{ name: tool.name, description, parameters: parametersOf(input_schema), hidden }]
  })

const parametersOf = ({ properties, required }: SchemaObject): PythonFunction['parameters'] => {
  const needed = Array.isArray(required) ? required : []
  return Object.entries(isSchemaObject(properties) ? properties : {}).map(([name, given]) => {
    const { type, description } = isSchemaObject(given) ? given : {}
    return {
      name,
      type: typeof type === 'string' ? type : null,
      description: typeof description === 'string' ? description : '',
      optional: !needed.includes(name),
    }
  })
}

/** Answer of `/get_available_tools` with the node's own tools. */
export function withOwn(available: ReturnType<Surface['available']>, own: readonly PythonFunction[]) {
  const shown = own.filter(({ hidden }) => !hidden)
  return {
    ...available,
    available_tools: [...available.available_tools, ...shown.map(({ name }) => name)],
    tools_json: [...available.tools_json, ...shown.map(toolJson)],
  }
}

/** Answer of `/get_json_schema_for_tools` with the node's own tools, in the order of `names`. */
export function schemasWithOwn(surface: Surface, names: readonly string[], own: readonly PythonFunction[]) {
  const found = names.map((name) => {
    const mine = surface.find(name) ? undefined : own.find((tool) => tool.name === name)
    return mine ? { tools_json: [toolJson(mine)], missing_tools: [] } : surface.schemas([name])
  })
  return {
    tools_json: found.flatMap(({ tools_json }): unknown[] => [...tools_json]),
    missing_tools: found.flatMap(({ missing_tools }) => missing_tools),
  }
}
