import type { Actor } from '../../core/actor.ts'
import { fail } from '../../core/failure.ts'
import { MAX_MCP_SERVERS } from '../../core/limits/mcp-servers.ts'
import type { ServedGroup } from '../../core/served.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Sql } from '../../ports/sql.ts'
import { decideRemote, type KeptRemote } from '../../registry/mcp/decide.ts'
import { mcpSource } from '../../registry/mcp/mcp-executor.ts'
import { remoteDefinition } from '../../registry/mcp/remote-definition.ts'
import { remoteId } from '../../registry/mcp/remote-id.ts'
import type { ListedRemote, RemoteListing } from '../../registry/mcp/remote-tool.ts'
import type { AuditLog } from '../audit-log.ts'
import type { BuiltinTool } from '../chain-check.ts'
import type {
  McpServerChanges,
  McpServerInfo,
  McpServerSummary,
  McpServersApi,
  NewMcpServer,
} from '../mcp-servers-api.ts'
import type { ToolList } from '../tool-list.ts'
import type { ToolChange } from '../tools-api.ts'
import type { ToolsGroup } from '../tools-group.ts'
import type { Upkeep } from '../upkeep.ts'
import { infoOf, summaryOf } from './mcp-server-info.ts'
import { McpServerList, type StoredRemote, type StoredServer } from './mcp-server-list.ts'

interface Parts {
  readonly sql: Sql
  readonly clock: Clock
  readonly builtin: BuiltinTool
  readonly list: Pick<ToolList, 'row'>
  readonly tools: Pick<ToolsGroup, 'change'>
  readonly audit: Pick<AuditLog, 'append'>
  readonly upkeep: Pick<Upkeep, 'plan'>
}

/** A change as the audit log has it. */
interface Done {
  readonly action: string
  readonly by: Actor
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Remote MCP servers of one tenant: which of their tools are registered, in which version, and what waits to be accepted. */
export class McpServersGroup implements ServedGroup<McpServersApi> {
  readonly #parts: Parts
  readonly #servers: McpServerList

  constructor(parts: Parts) {
    this.#parts = parts
    this.#servers = new McpServerList(parts.sql)
  }

  create(server: NewMcpServer, listing: RemoteListing | null, by: Actor): Promise<McpServerInfo> {
    const { name } = server
    if (this.#servers.find(name))
      fail('conflict', `there is an MCP server ${name} already; change it, or take another name`)
    if (this.#servers.all().length >= MAX_MCP_SERVERS) {
      fail('limit_exceeded', `there are ${MAX_MCP_SERVERS} MCP servers already (MAX_MCP_SERVERS); delete one first`)
    }
    const made = { ...server, listing: null, createdAt: this.#parts.clock.now() }
    return this.#judge(made, listing, { action: 'mcp_server.create', by })
  }

  list(): readonly McpServerSummary[] {
    return this.#servers.all().map((server) => summaryOf(server, this.#servers.tools(server.name)))
  }

  find(name: string): McpServerInfo | null {
    const server = this.#servers.find(name)
    return server && infoOf(server, this.#servers.tools(name))
  }

  async change(
    name: string,
    { url, auth, timeout, allow, deny }: McpServerChanges,
    listing: RemoteListing | null,
    by: Actor,
  ): Promise<McpServerInfo | null> {
    const before = this.#servers.find(name)
    if (!before) return null
    const after = {
      ...before,
      url: url ?? before.url,
      auth: auth ?? before.auth,
      timeout: timeout ?? before.timeout,
      allow: allow === undefined ? before.allow : allow,
      deny: deny ?? before.deny,
    }
    return this.#judge(after, listing, { action: 'mcp_server.change', by })
  }

  async refresh(name: string, listing: RemoteListing, by: Actor): Promise<McpServerInfo | null> {
    const server = this.#servers.find(name)
    return server && this.#judge(server, listing, { action: 'mcp_server.refresh', by })
  }

  async accept(name: string, tool: string, pin: string | null, by: Actor): Promise<McpServerInfo | null> {
    const server = this.#servers.find(name)
    if (!server) return null
    const before = this.#servers.tools(name)
    const found = before.find((one) => one.name === tool)
    if (!found) fail('not_found', `the MCP server ${name} lists no tool ${tool.slice(0, 128)}`)
    const { state, seen, why } = found.kept
    if (state === 'refused' || 'unreadable' in seen) fail('conflict', `${tool} cannot be accepted: ${why}`)
    if (pin !== null && pin !== seen.pin) {
      fail('conflict', `${tool} changed again and has the pin ${seen.pin} now; look at it before you accept it`)
    }
    const accepted: KeptRemote = { state: 'active', seen, accepted: seen, why: null }
    const after = before.map((one) => (one === found ? { name: tool, kept: accepted } : one))
    return this.#keep(server, after, { action: 'mcp_server.accept', by, detail: { tool, pin: seen.pin } })
  }

  async remove(name: string, by: Actor): Promise<boolean> {
    if (!this.#servers.find(name)) return false
    const { sql, tools, audit, upkeep } = this.#parts
    await tools.change([{ op: 'delete_others', source: mcpSource(name), keep: [] }], by)
    sql.transaction(() => {
      this.#servers.remove(name)
      audit.append([{ action: 'mcp_server.delete', by, subject: name, decision: 'done' }])
    })
    await upkeep.plan()
    return true
  }

  /** Judges the tools of a list, or again those that are known, and keeps them. */
  #judge(server: StoredServer, listing: RemoteListing | null, done: Done): Promise<McpServerInfo> {
    const known = this.#servers.tools(server.name)
    const before = new Map(known.map(({ name, kept }) => [name, kept]))
    const listed: readonly ListedRemote[] = listing
      ? listing.tools
      : known.map(({ name, kept }) => ({ name, seen: kept.seen }))
    const ids = new Set<string>()
    const tools = listed.map(({ name, seen }): StoredRemote => {
      const taken = this.#whyTaken(server.name, remoteId(server.name, name), ids)
      // Whoever registers a server has its tools as they are; what comes later is accepted one by one.
      const isTrusting = server.listing === null
      return {
        name,
        kept: decideRemote(name, seen, { before: before.get(name) ?? null, lists: server, taken, isTrusting }),
      }
    })
    const { clock } = this.#parts
    const after = listing
      ? { ...server, listing: { at: clock.now(), revision: listing.revision, server: listing.server } }
      : server
    return this.#keep(after, tools, done)
  }

  /** Why the id of a server's tool cannot be had; null when it can, and then it is noted in `ids`. */
  #whyTaken(server: string, id: string, ids: Set<string>): string | null {
    if (ids.has(id)) return `another tool of this server has the id ${id}`
    if (this.#parts.builtin(id) !== null) return `${id} is the name of a tool of this server`
    const row = this.#parts.list.row(id)
    if (row && row.source !== mcpSource(server)) return `there is a tool ${id} already`
    ids.add(id)
    return null
  }

  /** Registers what may be called, and keeps the rest to be shown. */
  async #keep(server: StoredServer, tools: readonly StoredRemote[], done: Done): Promise<McpServerInfo> {
    const { sql, audit, upkeep } = this.#parts
    const source = mcpSource(server.name)
    const puts = tools.flatMap(({ name, kept: { state, accepted } }): Extract<ToolChange, { op: 'put' }>[] => {
      if (state === 'refused' || accepted === null) return []
      const { pin, tool } = accepted
      const who = { id: remoteId(server.name, name), server: server.name, tool: name, pin }
      return [{ op: 'put', definition: remoteDefinition(who, tool, server, state === 'quarantined'), source }]
    })
    const keep = puts.map(({ definition }) => definition.id)
    await this.#parts.tools.change([...puts, { op: 'delete_others', source, keep }], done.by)
    const { counts } = summaryOf(server, tools)
    sql.transaction(() => {
      this.#servers.put(server, tools)
      const detail = { host: URL.parse(server.url)?.host ?? '', ...counts, ...done.detail }
      audit.append([{ action: done.action, by: done.by, subject: server.name, decision: 'done', detail }])
    })
    await upkeep.plan()
    return infoOf(server, tools)
  }
}
