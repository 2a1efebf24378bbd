import { MCP_HOST_RESULT_CHARS } from '../../../../../core/limits/mcp.ts'
import { serverEntries, type ToolEntry } from '../../../../callable-tools/tool-entries.ts'
import { wantedTools } from '../../../../callable-tools/wanted-tools.ts'
import type { Services } from '../../../../dialect.ts'
import { unlistedTools } from '../../../../listed-tools.ts'
import type { Endpoint, McpContext } from '../../context.ts'
import { CORE_TOOLS } from './core-tools.ts'
import { hintsFor } from './hints.ts'
import { objectSchema, withSession } from './input-schema.ts'
import { isInSession, isMetaTool, META_TOOLS, type MetaToolName } from './meta-tools.ts'
import { mcpName, titleOf } from './names.ts'
import type { OfferedTool } from './offered-tool.ts'
import { outputSchemas } from './output-schemas.ts'

/**
 * Tools that an address offers, in an order that depends on nothing but which they are: the server's in the order of its catalog,
 * registered ones by id, and the meta-tools.
 */
export async function offeredTools({ endpoint, services }: McpContext): Promise<readonly OfferedTool[]> {
  const tools = (await toolsOf(endpoint, services)).filter(({ name }) => !isMetaTool(name))
  // Two of one name hide the list in some hosts; the first is the one that a call of the name means.
  const byName = new Map(tools.toReversed().map((tool) => [tool.name, tool]))
  return [...tools.filter((tool) => byName.get(tool.name) === tool), ...metaTools(endpoint)]
}

async function toolsOf(endpoint: Endpoint, services: Services): Promise<readonly OfferedTool[]> {
  const { tools } = endpoint
  switch (tools.kind) {
    case 'search':
      return []
    case 'core':
      return coreTools(services, endpoint)
    case 'all':
      return (await listedByUs(services)).map((entry) => offer(entry, endpoint))
    case 'toolkits':
      return offered(await inToolkits(tools.names, services), services, endpoint)
  }
}

/** The server's tools that a list of this tenant shows. */
async function listedByUs(services: Services): Promise<readonly ToolEntry[]> {
  const unlisted = await unlistedTools(services)
  return [...serverEntries(services).values()].filter(({ name }) => !unlisted.has(name))
}

/** Tools of the toolkits of these names, whoever brought them. */
async function inToolkits(names: readonly string[], services: Services): Promise<readonly ToolEntry[]> {
  const kits = await Promise.all(names.map((toolkit) => wantedTools(services, { toolkit })))
  return [...new Map(kits.flat().map((entry) => [entry.name, entry])).values()]
}

async function offered(entries: readonly ToolEntry[], services: Services, endpoint: Endpoint) {
  const schemas = await outputSchemas(entries, services)
  return entries.map((entry) => {
    const outputSchema = schemas.get(entry.name)
    return { ...offer(entry, endpoint), ...(outputSchema && { outputSchema }) }
  })
}

function coreTools(services: Services, endpoint: Endpoint): readonly OfferedTool[] {
  const entries = serverEntries(services)
  return [...CORE_TOOLS].flatMap(([name, shown]) => {
    const entry = entries.get(name)
    return entry ? [offer(entry, endpoint, shown)] : []
  })
}

function offer(entry: ToolEntry, endpoint: Endpoint, shown?: readonly string[]): OfferedTool {
  const inputSchema = objectSchema(entry.inputSchema, shown)
  return {
    name: mcpName(entry.name),
    title: entry.title ?? titleOf(entry.name),
    description: entry.description,
    inputSchema: endpoint.session === null ? withSession(inputSchema) : inputSchema,
    annotations: hintsFor(entry),
    ...(isLong(entry) && { _meta: LONG_RESULTS }),
  }
}

/** Whether answers of a tool may be longer than what hosts take by default. */
const isLong = ({ kind, inputSchema }: ToolEntry) =>
  kind === 'registered' || Object.hasOwn(Object(inputSchema.properties), 'max_chars')

const LONG_RESULTS = { 'anthropic/maxResultSizeChars': MCP_HOST_RESULT_CHARS }

/** The meta-tools; `session_create` is of no use where the address binds a session. */
function metaTools({ session }: Endpoint): readonly OfferedTool[] {
  return (Object.keys(META_TOOLS) as MetaToolName[])
    .filter((name) => session === null || name !== 'session_create')
    .map((name) => {
      const tool = META_TOOLS[name]
      const inputSchema = session === null && isInSession(name) ? withSession(tool.inputSchema) : tool.inputSchema
      return { ...tool, inputSchema, ...(name === 'call_tool' && { _meta: LONG_RESULTS }) }
    })
}
