import { orNull } from '../../../core/failure.ts'
import { MAX_LISTED_TOOLS, MAX_TOOL_ID_CHARS } from '../../../core/limits/registry.ts'
import { toLagent } from '../../../lagent/formats.ts'
import type { BroughtTool } from '../../../ports/toolbox.ts'
import type { SourcedDefinition } from '../../../registry/definition.ts'
import { permits } from '../../../registry/permitted.ts'
import type { RegisteredTool } from '../../../registry/registered-tool.ts'
import type { TenantApi } from '../../../tenant/api.ts'
import type { Action, Api } from './action.ts'

/** A page of the registered tools that the agent may call, without hidden ones. */
export async function listRegistered(
  tenant: TenantApi,
  agent: string | null,
  after: number | undefined,
): Promise<{ readonly actions: Action[]; readonly next: number | undefined }> {
  const page = await tenant.tools.list({ limit: MAX_LISTED_TOOLS, ...(after !== undefined && { after }) })
  const tools = page.tools.filter((tool) => !tool.definition.hidden && isOpenTo(agent, tool))
  return { actions: grouped(tools), next: page.next }
}

/** Length of a toolkit's name, an id, a version, and their separators. */
const MAX_NAME_CHARS = 2 * MAX_TOOL_ID_CHARS + 20

/**
 * Finds a registered tool.
 * @param name an id, `id@version`, or one of these behind the name of its toolkit and a dot
 */
export async function findRegistered(tenant: TenantApi, agent: string | null, name: string): Promise<Action | null> {
  if (name.length > MAX_NAME_CHARS) return null
  const dot = name.indexOf('.')
  for (const reference of dot > 0 ? [name, name.slice(dot + 1)] : [name]) {
    const tool = await orNull(tenant.tools.find(reference), 'not_found', 'invalid_input')
    if (!tool || !isOpenTo(agent, tool)) continue
    const { toolkit } = tool.definition
    if (reference === name) return alone(tool, reference)
    if (toolkit === name.slice(0, dot)) return inToolkit(toolkit, [fromRegistered(tool, reference)])
  }
  return null
}

/** Finds a tool of the session, which comes after all others. */
export function findOfSession(tools: readonly BroughtTool[], name: string): Action | null {
  const own = listOfSession(tools)
  return (
    own.find((action) => action.name === name) ??
    own.find((action) => action.name === name.replaceAll('__', '.')) ??
    null
  )
}

/** Tools of the session that are described by JSON Schema. */
export const listOfSession = (tools: readonly BroughtTool[]): Action[] =>
  tools.flatMap((tool) => (tool.kind === 'tool' ? [alone(tool, tool.name)] : []))

const isOpenTo = (agent: string | null, { policy }: RegisteredTool) =>
  policy.enabled && permits(policy.allowed_agents, agent)

function grouped(tools: readonly RegisteredTool[]): Action[] {
  return [...Map.groupBy(tools, ({ definition }) => definition.toolkit)].flatMap(([toolkit, members]) =>
    toolkit === null
      ? members.map((tool) => alone(tool, tool.definition.id))
      : inToolkit(
          toolkit,
          members.map((tool) => fromRegistered(tool, tool.definition.id)),
        ),
  )
}

interface Described {
  readonly definition: SourcedDefinition
}

const alone = (tool: Described, name: string): Action => ({
  name,
  description: tool.definition.description,
  isToolkit: false,
  apis: [{ ...fromRegistered(tool, name), name: 'run' }],
})

const inToolkit = (name: string, apis: readonly Api[]): Action => ({ name, description: '', isToolkit: true, apis })

function fromRegistered({ definition }: Described, reference: string): Api {
  const { description, input_schema: inputSchema, output_schema: outputSchema } = definition
  return {
    name: reference,
    described: toLagent({ name: reference, description, inputSchema, outputSchema }),
    inputSchema,
    takesAny: saysNothing(inputSchema),
    answers: { answer: 'json' },
    contentOf: ({ text }) => [{ type: 'text', content: text }],
    toCall: (args) => ({ tool: 'registered_call', args: { tool_id: reference, args } }),
  }
}

/**
 * Whether a schema describes no members: Lagent's parsers, which refuse undescribed arguments, would refuse all arguments
 * of the tool.
 */
const saysNothing = ({ properties, additionalProperties }: Api['inputSchema']) =>
  (properties === undefined || Object.keys(Object(properties)).length === 0) && additionalProperties !== false
