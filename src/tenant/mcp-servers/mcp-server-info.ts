import { remoteChanges } from '../../registry/mcp/remote-changes.ts'
import { remoteId } from '../../registry/mcp/remote-id.ts'
import type { McpServerInfo, McpServerSummary, McpServerTool } from '../mcp-servers-api.ts'
import type { StoredRemote, StoredServer } from './mcp-server-list.ts'

/** A server with the number of its tools in each state. */
export function summaryOf(server: StoredServer, tools: readonly StoredRemote[]): McpServerSummary {
  const counts = { active: 0, quarantined: 0, refused: 0 }
  for (const { kept } of tools) counts[kept.state]++
  return { ...server, counts }
}

/** A server with its tools, as they are shown to its owner. */
export const infoOf = (server: StoredServer, tools: readonly StoredRemote[]): McpServerInfo => ({
  ...summaryOf(server, tools),
  tools: tools.map((tool) => toolOf(server.name, tool)),
})

function toolOf(server: string, { name, kept }: StoredRemote): McpServerTool {
  const { state, seen, accepted, why } = kept
  const isRegistered = state !== 'refused' && accepted !== null
  const shown = 'tool' in seen ? seen.tool : null
  return {
    name,
    id: isRegistered ? remoteId(server, name) : null,
    state,
    title: shown?.title ?? null,
    description: shown?.description ?? null,
    annotations: shown?.annotations ?? {},
    pin: 'pin' in seen ? seen.pin : null,
    acceptedPin: accepted?.pin ?? null,
    why,
    changes:
      state === 'quarantined' && accepted !== null && shown !== null ? remoteChanges(accepted.tool, shown) : null,
  }
}
