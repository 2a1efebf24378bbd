import { plainText } from '../../core/plain-text.ts'
import type { McpAddress, McpServers } from '../../ports/mcp-servers.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { McpExecutor } from '../../registry/mcp/mcp-executor.ts'
import {
  type ListedRemote,
  type RemoteListing,
  type RemoteTool,
  readRemoteTools,
} from '../../registry/mcp/remote-tool.ts'
import { openCredentials } from './credentials.ts'
import type { Mask } from './masked.ts'
import { withoutSecrets } from './without-secrets.ts'

/**
 * Asks a server for its tools.
 * @throws FailureError `conflict` for a secret that is not there; why the server cannot be used
 */
export async function remoteListing(
  { url, auth }: { readonly url: McpAddress['url']; readonly auth: McpExecutor['auth'] },
  { secrets, mcpServers }: { readonly secrets: Secrets; readonly mcpServers: Pick<McpServers, 'list'> },
  signal: AbortSignal,
): Promise<RemoteListing> {
  const { headers, mask } = await openCredentials(auth, secrets)
  const { revision, server, tools } = await withoutSecrets(mask, () => mcpServers.list({ url, headers }, signal))
  const shown = (text: string) => mask.text(plainText(text)).slice(0, MAX_SHOWN_NAME_CHARS).toWellFormed()
  return {
    revision: shown(revision),
    server: server && { name: shown(server.name), version: shown(server.version) },
    tools: readRemoteTools(tools).map((tool, at) => masked(tool, at, mask)),
  }
}

/** Length of the name and the version that a server gives itself. */
const MAX_SHOWN_NAME_CHARS = 200

/** The tool without secrets; its pin is that of what the server sent. */
function masked({ name, seen }: ListedRemote, at: number, mask: Mask): ListedRemote {
  if (mask.text(name) !== name) return { name: `?${at + 1}`, seen: { unreadable: 'its name repeats a secret' } }
  if ('unreadable' in seen) return { name, seen: { unreadable: mask.text(seen.unreadable) } }
  // The cast is sound: the mask changes texts alone.
  return { name, seen: { ...seen, tool: mask.value(seen.tool) as RemoteTool } }
}
