import * as z from 'zod'
import { MAX_MCP_SERVERS } from '../../../../core/limits/mcp-servers.ts'
import type { Operation } from '../../../operations/operation.ts'
import { PageOf, pageQuery } from '../../../operations/page.ts'
import { AcceptedTool, ChangedMcpServer, ListedMcpServer, McpServer, NewMcpServer } from './mcp-servers-codec.ts'

const tag = 'mcp servers'
const scope = 'admin'
const params = { server: 'Name of the server.' }
const example = { params: { server: 'weather' }, status: 200 }

export const CREATE: Operation<never, typeof NewMcpServer> = {
  id: 'createMcpServer',
  tag,
  summary: 'Add a remote MCP server, whose tools become registered tools',
  description:
    'The server is asked for its tools, and each is pinned as it is described now: one that changes later is not called until it is accepted.',
  scope,
  body: NewMcpServer,
  answers: {
    201: {
      description: 'The server with its tools.',
      content: McpServer,
      headers: { Location: 'Where the server is looked at.' },
    },
  },
  problems: [403, 409, 502, 504],
  example: { body: { name: 'weather', url: 'https://mcp.example/mcp', connect: false }, status: 201 },
}

const ListQuery = z.strictObject(pageQuery(MAX_MCP_SERVERS))

export const LIST: Operation<typeof ListQuery> = {
  id: 'listMcpServers',
  tag,
  summary: 'List remote MCP servers in the order of their names',
  scope: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of servers.', content: PageOf(ListedMcpServer) } },
  problems: [],
  example: { status: 200 },
}

export const GET: Operation = {
  id: 'getMcpServer',
  tag,
  summary: 'Get a remote MCP server with its tools',
  scope: 'read',
  params,
  answers: { 200: { description: 'The server with its tools, as it was last asked.', content: McpServer } },
  problems: [404],
  example,
}

export const UPDATE: Operation<never, typeof ChangedMcpServer> = {
  id: 'updateMcpServer',
  tag,
  summary: 'Change a remote MCP server',
  description:
    'What is left out stays. The server is asked for its tools where url or auth is given; other changes judge the known ones anew.',
  scope,
  params,
  body: ChangedMcpServer,
  answers: { 200: { description: 'The server after it.', content: McpServer } },
  problems: [403, 404, 409, 502, 504],
  example: { ...example, body: { deny: ['delete_everything'], timeout: 60 } },
}

export const DELETE: Operation = {
  id: 'deleteMcpServer',
  tag,
  summary: 'Delete a remote MCP server with its tools',
  scope,
  params,
  answers: { 204: { description: 'It is gone with its tools.' } },
  problems: [404],
  example: { ...example, status: 204 },
}

export const REFRESH: Operation = {
  id: 'refreshMcpServer',
  tag,
  summary: 'Ask a remote MCP server for its tools',
  description:
    'New and changed tools are quarantined, but for those of the first list. Tools that it lists no more are gone.',
  scope,
  params,
  answers: { 200: { description: 'The server with its tools.', content: McpServer } },
  problems: [403, 404, 409, 502, 504],
  example: { params: { server: 'none' }, status: 404 },
}

export const ACCEPT: Operation<never, typeof AcceptedTool> = {
  id: 'acceptMcpServerTool',
  tag,
  summary: 'Accept a tool as its server described it last',
  scope,
  params: { ...params, tool: 'Name of the tool at the server.' },
  body: AcceptedTool,
  answers: { 200: { description: 'The server with its tools.', content: McpServer } },
  problems: [404, 409],
  example: { params: { server: 'none', tool: 'now' }, body: {}, status: 404 },
}
