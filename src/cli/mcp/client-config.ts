/** Clients of MCP whose configuration is known: docs/dialects/mcp-clients.md. */
export const MCP_CLIENTS = ['claude', 'cursor', 'vscode'] as const
export type McpClient = (typeof MCP_CLIENTS)[number]

/** Configuration of a client for one server. */
export interface ClientConfig {
  /** Path of its file within a project. */
  readonly file: string
  /** Content of the file, beside which other servers may stand. */
  readonly content: Readonly<Record<string, unknown>>
  /** Key in `content` below which servers stand by name. */
  readonly serversKey: string
}

/**
 * Configuration of a client of MCP. The key never stands in it: it is read from TOOLYARD_API_KEY, or asked for by the client.
 * @param url of the MCP endpoint
 * @param hasKey whether the server wants a key
 */
export function clientConfig(client: McpClient, name: string, url: string, hasKey: boolean): ClientConfig {
  const headers = (reference: string) => (hasKey ? { headers: { Authorization: `Bearer ${reference}` } } : {})
  switch (client) {
    case 'claude': {
      const server = { type: 'http', url, ...headers(envReference('')) }
      return { file: '.mcp.json', serversKey: 'mcpServers', content: { mcpServers: { [name]: server } } }
    }
    case 'cursor': {
      const server = { url, ...headers(envReference('env:')) }
      return { file: '.cursor/mcp.json', serversKey: 'mcpServers', content: { mcpServers: { [name]: server } } }
    }
    case 'vscode': {
      const id = `${name}-key`
      const input = { type: 'promptString', id, description: 'Key of Toolyard', password: true }
      const server = { type: 'http', url, ...headers(`\${input:${id}}`) }
      const content = { ...(hasKey && { inputs: [input] }), servers: { [name]: server } }
      return { file: '.vscode/mcp.json', serversKey: 'servers', content }
    }
  }
}

const envReference = (prefix: string): string => `\${${prefix}TOOLYARD_API_KEY}`

/** The configuration with that of one server put in; all else stays. Null for text that is no JSON object. */
export function mergedConfig(
  text: string | null,
  { content, serversKey }: ClientConfig,
): Record<string, unknown> | null {
  const before = text === null || text.trim() === '' ? {} : parsed(text)
  if (!isRecord(before)) return null
  const servers = before[serversKey] ?? {}
  const inputs = before.inputs ?? []
  if (!isRecord(servers) || !Array.isArray(inputs)) return null
  const added = (content.inputs ?? []) as readonly { readonly id: string }[]
  const others = inputs.filter((input) => !added.some(({ id }) => isRecord(input) && input.id === id))
  return {
    ...before,
    ...(added.length > 0 && { inputs: [...others, ...added] }),
    [serversKey]: { ...servers, ...(content[serversKey] as object) },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
