import type { Sql } from '../../ports/sql.ts'
import type { KeptRemote } from '../../registry/mcp/decide.ts'
import type { McpServerSettings, McpServerSummary } from '../mcp-servers-api.ts'

/** A server as it is stored. */
export type StoredServer = Omit<McpServerSummary, 'counts'>

/** A tool of a server, by its name there. */
export interface StoredRemote {
  readonly name: string
  readonly kept: KeptRemote
}

type Row = {
  readonly name: string
  readonly settings: string
  readonly listing: string | null
  readonly created_at: number
}

/** Remote MCP servers of one tenant, and what is kept of their tools, in its database. */
export class McpServerList {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** All servers in the order of their names. */
  all(): StoredServer[] {
    return this.#sql.all<Row>('SELECT * FROM mcp_servers ORDER BY name').map(stored)
  }

  find(name: string): StoredServer | null {
    const [row] = this.#sql.all<Row>('SELECT * FROM mcp_servers WHERE name = ?', name)
    return row ? stored(row) : null
  }

  /** Tools of a server in the order of its list. */
  tools(server: string): StoredRemote[] {
    return this.#sql
      .all<{ tool: string; kept: string }>(
        'SELECT tool, kept FROM mcp_server_tools WHERE server = ? ORDER BY place',
        server,
      )
      .map(({ tool, kept }) => ({ name: tool, kept: JSON.parse(kept) as KeptRemote }))
  }

  /** Writes a server with its tools, in the caller's transaction. */
  put({ name, listing, createdAt, ...settings }: StoredServer, tools: readonly StoredRemote[]): void {
    this.remove(name)
    this.#sql.all(
      'INSERT INTO mcp_servers (name, settings, listing, created_at) VALUES (?, ?, ?, ?)',
      ...[name, JSON.stringify(settings), listing && JSON.stringify(listing), createdAt],
    )
    for (const [place, tool] of tools.entries()) {
      this.#sql.all(
        'INSERT INTO mcp_server_tools (server, tool, place, kept) VALUES (?, ?, ?, ?)',
        ...[name, tool.name, place, JSON.stringify(tool.kept)],
      )
    }
  }

  /** Removes a server with its tools, in the caller's transaction. */
  remove(name: string): void {
    this.#sql.all('DELETE FROM mcp_server_tools WHERE server = ?', name)
    this.#sql.all('DELETE FROM mcp_servers WHERE name = ?', name)
  }
}

/** Both columns were written by {@link McpServerList.put}. */
const stored = ({ name, settings, listing, created_at }: Row): StoredServer => ({
  name,
  ...(JSON.parse(settings) as McpServerSettings),
  listing: listing === null ? null : (JSON.parse(listing) as StoredServer['listing']),
  createdAt: created_at,
})
