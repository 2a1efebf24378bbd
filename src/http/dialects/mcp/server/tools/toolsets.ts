import { MAX_MCP_KEPT_LISTS, MCP_HOST_RESULT_CHARS } from '../../../../../core/limits/mcp.ts'
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
  const { tools } = endpoint
  switch (tools.kind) {
    case 'search':
      return kept(services, endpoint, NONE, () => [])
    case 'core':
      return kept(services, endpoint, NONE, () => coreTools(services, endpoint))
    case 'all': {
      const unlisted = await unlistedTools(services)
      return kept(services, endpoint, unlisted, () => listedByUs(services, unlisted, endpoint))
    }
    case 'toolkits':
      return whole(await offered(await inToolkits(tools.names, services), services, endpoint), endpoint)
  }
}

const NONE: ReadonlySet<string> = new Set()

/** The list with the meta-tools, and each name once. */
function whole(offers: readonly OfferedTool[], endpoint: Endpoint): readonly OfferedTool[] {
  const tools = offers.filter(({ name }) => !isMetaTool(name))
  // Two of one name hide the list in some hosts; the first is the one that a call of the name means.
  const byName = new Map(tools.toReversed().map((tool) => [tool.name, tool]))
  return [...tools.filter((tool) => byName.get(tool.name) === tool), ...metaTools(endpoint)]
}

/** Lists of the server's own tools, by the catalog that they are of; they have nothing of any tenant. */
const lists = new WeakMap<Services['tools'], Map<string, readonly OfferedTool[]>>()

/** A list of the server's own tools, the same object each time. @param unlisted names that it lacks */
function kept(
  { tools: catalog }: Services,
  { session, tools }: Endpoint,
  unlisted: ReadonlySet<string>,
  make: () => readonly OfferedTool[],
): readonly OfferedTool[] {
  const byKey = lists.get(catalog) ?? new Map<string, readonly OfferedTool[]>()
  lists.set(catalog, byKey)
  const key = [tools.kind, session === null, ...unlisted].join(' ')
  const found = byKey.get(key)
  if (found) return found
  const made = whole(make(), { session, tools })
  if (byKey.size >= MAX_MCP_KEPT_LISTS) byKey.clear()
  byKey.set(key, made)
  return made
}

/** The server's tools that a list of this tenant shows. */
const listedByUs = (services: Services, unlisted: ReadonlySet<string>, endpoint: Endpoint): readonly OfferedTool[] =>
  [...serverEntries(services).values()].filter(({ name }) => !unlisted.has(name)).map((entry) => offer(entry, endpoint))

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
