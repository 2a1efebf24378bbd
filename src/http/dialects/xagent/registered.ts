import { permits } from '../../../registry/permitted.ts'
import { returnedBy } from '../../../registry/returned.ts'
import { isSchemaObject, type SchemaObject } from '../../../registry/schema-node.ts'
import type { ShownTool } from '../../../tenant/tools-api.ts'
import type { Surface } from './surface.ts'
import type { Env, Parameter, XAgentTool } from './tools.ts'

const surfaces = new WeakMap<readonly ShownTool[], Surface>()

/**
 * The common surface with the tools that the tenant registered for all agents: those of a toolkit as an env, others as functions.
 * Made once for each state of the list.
 * @param tools in the order of their ids
 */
export function withRegistered(common: Surface, tools: readonly ShownTool[]): Surface {
  const surface = surfaces.get(tools) ?? surfaceOf(common, tools)
  surfaces.set(tools, surface)
  return surface
}

function surfaceOf(common: Surface, tools: readonly ShownTool[]): Surface {
  // A client of XAgent does not name its agent.
  const usable = tools.filter(({ policy }) => policy.enabled && permits(policy.allowed_agents, null))
  if (usable.length === 0) return common
  const envs = new Map<string, XAgentTool[]>()
  const functions: XAgentTool[] = []
  for (const tool of usable) {
    const env = envOf(tool)
    // An env that every node has is not extended.
    if (env === null || common.hasEnv(env)) {
      functions.push(toolOf(tool, tool.id))
      continue
    }
    const short = tool.id.startsWith(`${env}_`) ? tool.id.slice(env.length + 1) : tool.id
    const those = envs.get(env) ?? []
    envs.set(env, those)
    those.push(toolOf(tool, short))
  }
  return common.with([...envs].map(asEnv), functions)
}

/** Env of a tool, from its toolkit; the first `_` of a full name ends the env's. */
const envOf = ({ toolkit }: ShownTool) => (toolkit === null || toolkit.includes('_') ? null : toolkit)

const asEnv = ([name, tools]: [string, readonly XAgentTool[]]): Env => ({
  name,
  description: `${tools.length} tools that were registered as ${name}.`,
  tools,
  ...(tools.every(({ hidden }) => hidden) && { hidden: true as const }),
})

const made = new WeakMap<ShownTool, XAgentTool>()

function toolOf(shown: ShownTool, short: string): XAgentTool {
  const known = made.get(shown)
  if (known) return known
  const { id, name, description, inputSchema, hidden } = shown
  const tool: XAgentTool = {
    name: short,
    title: name,
    tool: 'registered_call',
    registered: id,
    description,
    ...(hidden && { hidden: true as const }),
    parameters: parametersOf(inputSchema),
    value: returnedBy,
  }
  made.set(shown, tool)
  return tool
}

/** Parameters of a tool from the JSON Schema of its arguments. */
export function parametersOf(schema: SchemaObject): Parameter[] {
  const { properties, required } = schema
  if (!isSchemaObject(properties)) return []
  const needed = new Set(Array.isArray(required) ? required : [])
  return Object.entries(properties).map(([name, given]) => {
    const property = isSchemaObject(given) ? given : {}
    const fallback = property.default
    return {
      name,
      type: typeOf(property),
      description: describe(property),
      as: name,
      ...(!needed.has(name) && { optional: true as const }),
      ...(fallback !== undefined && fallback !== null && { fallback: textOf(fallback) }),
    }
  })
}

/** Type of a schema in one word, as the published server has it. */
function typeOf({ type, enum: choices, properties, items }: SchemaObject): string {
  const [first] = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string' && one !== 'null')
  if (typeof first === 'string') return first
  if (properties !== undefined) return 'object'
  if (items !== undefined) return 'array'
  return Array.isArray(choices) && choices.some((choice) => typeof choice === 'number') ? 'number' : 'string'
}

/** Description with values, items and fields, for which XAgent has no other place. */
function describe({ description, enum: choices, items, properties }: SchemaObject): string {
  const ownText = typeof description === 'string' ? description : ''
  const more = [
    Array.isArray(choices) ? `One of: ${choices.map(textOf).join(', ')}` : '',
    items === undefined ? '' : `Items: ${textOf(items)}`,
    properties === undefined ? '' : `Fields: ${textOf(properties)}`,
  ].filter((text) => text !== '')
  const added = more.join('. ')
  const cut = added.length > MAX_ADDED_CHARS ? `${added.slice(0, MAX_ADDED_CHARS).toWellFormed()}…` : added
  return [ownText, cut].filter((text) => text !== '').join('\n')
}

const MAX_ADDED_CHARS = 600
const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
