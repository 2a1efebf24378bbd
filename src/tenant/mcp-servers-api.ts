import type { Actor } from '../core/actor.ts'
import type { RemoteLists, RemoteState } from '../registry/mcp/decide.ts'
import type { McpExecutor } from '../registry/mcp/mcp-executor.ts'
import type { RemoteChange } from '../registry/mcp/remote-changes.ts'
import type { RemoteListing } from '../registry/mcp/remote-tool.ts'

/** Remote MCP servers of one tenant, whose tools are registered tools. */
export interface McpServersApi {
  /**
   * Adds a server, and registers the tools of its list. A null list is read later.
   * @throws FailureError `conflict` for a name that is there; `limit_exceeded`
   */
  create(server: NewMcpServer, listing: RemoteListing | null, by: Actor): Promise<McpServerInfo>
  /** All servers by name, without their tools. */
  list(): Promise<readonly McpServerSummary[]>
  /** One server with its tools; null when there is none. */
  find(name: string): Promise<McpServerInfo | null>
  /**
   * Changes settings, and judges the tools anew: those of a new list, or those known.
   * @returns null when there is no such server
   * @throws FailureError `limit_exceeded`
   */
  change(
    name: string,
    changes: McpServerChanges,
    listing: RemoteListing | null,
    by: Actor,
  ): Promise<McpServerInfo | null>
  /** Judges the tools of a new list. @returns null when there is no such server @throws FailureError `limit_exceeded` */
  refresh(name: string, listing: RemoteListing, by: Actor): Promise<McpServerInfo | null>
  /**
   * Accepts a tool as its server described it last.
   * @param pin the one that the caller looked at; left out, the last one
   * @returns null when there is no such server
   * @throws FailureError `not_found` for a tool it does not list; `conflict` when it is refused, or has another pin
   */
  accept(name: string, tool: string, pin: string | null, by: Actor): Promise<McpServerInfo | null>
  /** Removes a server with its tools. @returns false when there is none */
  remove(name: string, by: Actor): Promise<boolean>
}

export interface McpServerSettings extends RemoteLists {
  readonly url: string
  /** Credentials of each request, as names of the tenant's secrets. */
  readonly auth: McpExecutor['auth']
  /** Seconds for one call of a tool. */
  readonly timeout: number
}

export interface NewMcpServer extends McpServerSettings {
  readonly name: string
}

export type McpServerChanges = { readonly [Name in keyof McpServerSettings]?: McpServerSettings[Name] | undefined }

export interface McpServerSummary extends NewMcpServer {
  /** Milliseconds since 1970, as all times here. */
  readonly createdAt: number
  /** The last list: its time, the revision of the protocol, the server's own name. Null before the first. */
  readonly listing: {
    readonly at: number
    readonly revision: string
    readonly server: RemoteListing['server']
  } | null
  /** Number of tools in each state. */
  readonly counts: Readonly<Record<RemoteState, number>>
}

export interface McpServerInfo extends McpServerSummary {
  /** Tools in the order of the server's list. */
  readonly tools: readonly McpServerTool[]
}

export interface McpServerTool {
  /** Name at the server. */
  readonly name: string
  /** Id of the registered tool; null for one that was never registered. */
  readonly id: string | null
  readonly state: RemoteState
  readonly title: string | null
  readonly description: string | null
  readonly annotations: Readonly<Record<string, boolean>>
  /** Pin of the tool as it is at the server now; null for one that cannot be read. */
  readonly pin: string | null
  /** Pin that was accepted; null when none was. */
  readonly acceptedPin: string | null
  /** Why it is refused. */
  readonly why: string | null
  /** Differences from the accepted tool, of a quarantined one; null for one that is new, and for others. */
  readonly changes: readonly RemoteChange[] | null
}
