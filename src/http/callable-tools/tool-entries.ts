import { permits } from '../../registry/permitted.ts'
import type { FindableTool } from '../../retrieval/tool-terms.ts'
import type { ShownTool } from '../../tenant/tools-api.ts'
import type { Effect } from '../../tools/define.ts'
import type { ToolInfo } from '../../tools/registry.ts'
import type { Services } from '../dialect.ts'

/** A tool that a caller can call by its name: the server's, or one that its tenant registered. */
export interface ToolEntry {
  readonly name: string
  readonly kind: 'server' | 'registered'
  /** Name for people; null for the server's tools, whose names are their titles. */
  readonly title: string | null
  readonly toolkit: string | null
  readonly description: string
  /** Effect of its calls; null where the server does not know. */
  readonly effect: Effect | null
  readonly inputSchema: Readonly<Record<string, unknown>>
}

type ServersTools = Pick<Services, 'tools' | 'toolkits'>

const servers = new WeakMap<ServersTools['tools'], ReadonlyMap<string, ToolEntry>>()
const registered = new WeakMap<ShownTool, ToolEntry>()
const findables = new WeakMap<ToolEntry, FindableTool>()

/** The server's tools by name: those of its list in catalog order, then those of toolkits. */
export function serverEntries({ tools, toolkits }: ServersTools): ReadonlyMap<string, ToolEntry> {
  let found = servers.get(tools)
  if (!found) {
    const kits = new Map(toolkits.flatMap((kit) => kit.tools.map((tool) => [tool.name, kit.name])))
    const all = [...tools, ...toolkits.flatMap((kit) => kit.tools)]
    found = new Map(all.map((tool) => [tool.name, serverEntry(tool, kits.get(tool.name) ?? null)]))
    servers.set(tools, found)
  }
  return found
}

const serverEntry = ({ name, description, effect, inputSchema }: ToolInfo, toolkit: string | null): ToolEntry => ({
  ...{ name, kind: 'server', title: null, toolkit, description, effect, inputSchema },
})

/** Whether an agent may call a registered tool now. */
export const isOpenTo = ({ policy }: ShownTool, agent: string | null) =>
  policy.enabled && permits(policy.allowed_agents, agent)

/** A registered tool in its stable version. */
export function registeredEntry(tool: ShownTool): ToolEntry {
  let entry = registered.get(tool)
  if (!entry) {
    const { id, name, description, toolkit, inputSchema } = tool
    entry = { name: id, kind: 'registered', title: name, toolkit, description, effect: null, inputSchema }
    registered.set(tool, entry)
  }
  return entry
}

/** A tool as the finder reads it; the same object each time, so that its index is not made anew. */
export function findableOf(entry: ToolEntry): FindableTool {
  let found = findables.get(entry)
  if (!found) {
    const { name, title, description, toolkit, inputSchema } = entry
    const parameters = Object.entries(Object(inputSchema.properties)).map(([parameter, schema]) => {
      const { description: text } = Object(schema)
      return { name: parameter, ...(typeof text === 'string' && { description: text }) }
    })
    found = { id: name, name: title ?? name, description, parameters, ...(toolkit !== null && { toolkit }) }
    findables.set(entry, found)
  }
  return found
}
