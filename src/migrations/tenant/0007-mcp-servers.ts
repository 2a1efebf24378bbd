import { type Migration, runAll } from '../migration.ts'

/** Adds remote MCP servers, and what is kept of each of their tools. */
export const mcpServers: Migration = {
  name: '0007-mcp-servers',
  upgrade(sql) {
    runAll(sql, [
      // `settings` and `listing` are JSON; `listing` is null before the first list. Secrets are named, and stand in `secrets`.
      `CREATE TABLE mcp_servers (
        name TEXT NOT NULL PRIMARY KEY, settings TEXT NOT NULL, listing TEXT, created_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`,
      // `place` is that in the server's list. `kept` is JSON: the tool as it is now and as it was accepted.
      `CREATE TABLE mcp_server_tools (
        server TEXT NOT NULL, tool TEXT NOT NULL, place INTEGER NOT NULL, kept TEXT NOT NULL, PRIMARY KEY (server, tool)
      ) STRICT`,
    ])
  },
}
