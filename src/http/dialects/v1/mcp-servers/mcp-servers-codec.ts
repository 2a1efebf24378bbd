import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import { MAX_MCP_LISTED_NAMES, MAX_REMOTE_NAME_CHARS } from '../../../../core/limits/mcp-servers.ts'
import { MAX_REGISTERED_TIMEOUT_SECONDS } from '../../../../core/limits/registry.ts'
import { MAX_URL_CHARS } from '../../../../core/limits/web.ts'
import { McpAuth, McpServerName } from '../../../../registry/mcp/mcp-executor.ts'
import type { McpServerInfo, McpServerSummary, McpServerTool } from '../../../../tenant/mcp-servers-api.ts'

const time = z.iso.datetime()
const names = z.array(z.string().min(1).max(MAX_REMOTE_NAME_CHARS)).max(MAX_MCP_LISTED_NAMES)

const fields = {
  url: z
    .url({ protocol: /^https?$/ })
    .max(MAX_URL_CHARS)
    .meta({ description: 'Address of the server, on the public internet. Redirects are not followed.' }),
  auth: McpAuth.meta({ description: 'Credentials of each request, as names of secrets: bearer, basic or header.' }),
  allow: names.nullable().meta({ description: 'Tools that are taken, by their names at the server; null for all.' }),
  deny: names.meta({ description: 'Tools that are not taken.' }),
  timeout: z.int().min(1).max(MAX_REGISTERED_TIMEOUT_SECONDS).meta({ description: 'Seconds for one call of a tool.' }),
}
const name = McpServerName.meta({
  description: 'Name of the server: it begins the ids of its tools, and is their toolkit.',
})

export const NewMcpServer = z
  .strictObject({
    name,
    url: fields.url,
    auth: fields.auth.optional(),
    allow: fields.allow.optional(),
    deny: fields.deny.optional(),
    timeout: fields.timeout.optional(),
    connect: z
      .boolean()
      .optional()
      .meta({ description: 'False: the server is not asked for its tools now, but by the first refresh.' }),
  })
  .meta({ id: 'NewMcpServer' })

export const ChangedMcpServer = z.strictObject(z.object(fields).partial().shape).meta({ id: 'ChangedMcpServer' })

export const AcceptedTool = z
  .strictObject({
    pin: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'is no pin: 64 hex digits')
      .optional()
      .meta({ description: 'Pin that you looked at: another one is a conflict.' }),
  })
  .meta({ id: 'AcceptedTool' })

export const ListedMcpServer = z
  .object({
    name,
    ...fields,
    server: z
      .object({ name: z.string(), version: z.string() })
      .nullable()
      .meta({ description: 'What the server says that it is.' }),
    revision: z.string().nullable().meta({ description: 'Revision of MCP that it speaks.' }),
    active: z.int().meta({ description: 'Tools that can be called.' }),
    quarantined: z.int().meta({ description: 'Tools that changed or came, and wait to be accepted.' }),
    refused: z.int().meta({ description: 'Tools that are not taken.' }),
    created_at: time,
    refreshed_at: time.nullable().meta({ description: 'Time of its last list of tools.' }),
  })
  .meta({ id: 'ListedMcpServer' })

const McpServerToolAnswer = z
  .object({
    name: z.string().meta({ description: 'Name at the server.' }),
    id: z.string().nullable().meta({ description: 'Id by which it is called; null for one that is not registered.' }),
    state: z.enum(['active', 'quarantined', 'refused']),
    title: z.string().nullable(),
    description: z.string().nullable().meta({ description: "The server's own words, which nobody has checked." }),
    annotations: z
      .record(z.string(), z.boolean())
      .meta({ description: "The server's own hints, which nothing proves." }),
    pin: z.string().nullable().meta({ description: 'SHA-256 of the tool as the server describes it now.' }),
    accepted_pin: z.string().nullable().meta({ description: 'SHA-256 of the tool as it was accepted.' }),
    why: z.string().nullable().meta({ description: 'Why it is refused.' }),
    changes: z
      .array(z.object({ field: z.string(), before: z.string(), after: z.string() }))
      .nullable()
      .meta({ description: 'What changed in a quarantined tool since it was accepted; null for one that is new.' }),
  })
  .meta({ id: 'McpServerTool' })

export const McpServer = ListedMcpServer.extend({ tools: z.array(McpServerToolAnswer) }).meta({ id: 'McpServer' })

export function encodeSummary(server: McpServerSummary): z.input<typeof ListedMcpServer> {
  const { listing, counts } = server
  return {
    name: server.name,
    url: server.url,
    auth: [...server.auth],
    allow: server.allow && [...server.allow],
    deny: [...server.deny],
    timeout: server.timeout,
    server: listing?.server ?? null,
    revision: listing?.revision ?? null,
    ...counts,
    created_at: new Date(server.createdAt).toISOString(),
    refreshed_at: listing && new Date(listing.at).toISOString(),
  }
}

export const encodeServer = (server: McpServerInfo): z.input<typeof McpServer> => ({
  ...encodeSummary(server),
  tools: server.tools.map(encodeTool),
})

const encodeTool = ({ acceptedPin, changes, ...tool }: McpServerTool): z.input<typeof McpServerToolAnswer> => ({
  ...tool,
  accepted_pin: acceptedPin,
  changes: changes?.map((change) => ({ ...change })) ?? null,
})

/** @throws FailureError `not_found` */
export const failUnknown = (name: string): never =>
  fail('not_found', `there is no MCP server ${name.slice(0, 64)}; GET /v1/mcp-servers lists those there are`)
