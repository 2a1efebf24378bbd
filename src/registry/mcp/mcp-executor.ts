import * as z from 'zod'
import { MAX_MCP_SERVER_NAME_CHARS, MAX_REMOTE_NAME_CHARS } from '../../core/limits/mcp-servers.ts'
import { MAX_TOOL_CREDENTIALS } from '../../core/limits/registry.ts'
import { MAX_URL_CHARS } from '../../core/limits/web.ts'
import { Credential } from '../http-request.ts'
import { knownFields } from '../known-fields.ts'

/** Name of a remote MCP server: it begins the ids of its tools. */
export const McpServerName = z
  .string()
  .regex(
    new RegExp(`^[a-z][a-z0-9_]{0,${MAX_MCP_SERVER_NAME_CHARS - 1}}$`),
    `must be a letter and at most ${MAX_MCP_SERVER_NAME_CHARS} of a-z, 0-9 and "_"`,
  )

const IN_HEADERS: ReadonlySet<string> = new Set(['bearer', 'basic', 'header'])

/** Credentials of requests to a remote MCP server: headers alone. */
export const McpAuth = z
  .array(Credential)
  .max(MAX_TOOL_CREDENTIALS)
  .refine(
    (auth) => auth.every(({ type }) => IN_HEADERS.has(type)),
    'an MCP server takes credentials of type bearer, basic and header alone',
  )

/** Calls a tool of a remote MCP server, as the server's list described it when it was pinned. Made by `/v1/mcp-servers` alone. */
export const McpExecutor = knownFields({
  kind: z.literal('mcp'),
  server: McpServerName,
  /** Address of the server. */
  target: z.string().min(1).max(MAX_URL_CHARS),
  /** Name of the tool there. */
  tool: z.string().min(1).max(MAX_REMOTE_NAME_CHARS),
  auth: McpAuth.default([]),
  /** SHA-256 of the tool as it was accepted. */
  pin: z.string().regex(/^[0-9a-f]{64}$/),
  /** Whether the server describes another tool now, which nobody accepted: such a tool is not called. */
  quarantined: z.boolean().default(false),
})
export type McpExecutor = z.output<typeof McpExecutor>

/** Source of a server's tools among the registered ones. */
export const mcpSource = (server: string): string => `mcp:${server}`
