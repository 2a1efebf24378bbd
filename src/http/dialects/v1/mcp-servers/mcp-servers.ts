import type { Hono } from 'hono'
import { REGISTERED_TIMEOUT_SECONDS } from '../../../../core/limits/registry.ts'
import type { RemoteListing } from '../../../../registry/mcp/remote-tool.ts'
import type { McpServerSettings } from '../../../../tenant/mcp-servers-api.ts'
import { remoteListing } from '../../../../tools/registered/mcp-listing.ts'
import type { AppEnv, Services } from '../../../dialect.ts'
import { encodeHeld } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { encodeServer, encodeSummary, failUnknown } from './mcp-servers-codec.ts'
import { ACCEPT, CREATE, DELETE, GET, LIST, REFRESH, UPDATE } from './mcp-servers-operations.ts'

/** `/v1/mcp-servers`: remote MCP servers, whose tools become registered tools. */
export function addMcpServers(app: Hono<AppEnv>): void {
  route(app, 'post', '/v1/mcp-servers', CREATE, async (c, { services, body }) => {
    const { tenant, key } = services
    const { connect = true, auth = [], allow = null, deny = [], timeout = REGISTERED_TIMEOUT_SECONDS, ...named } = body
    const server = { ...named, auth, allow, deny, timeout }
    const listing = connect ? await listingOf(services, server, c.req.raw.signal) : null
    const made = await tenant.mcpServers.create(server, listing, { key, agent: null })
    c.header('Location', `/v1/mcp-servers/${made.name}`)
    return c.json(encodeServer(made), 201)
  })

  route(app, 'get', '/v1/mcp-servers', LIST, async (c, { services, query }) =>
    c.json(encodeHeld((await services.tenant.mcpServers.list()).map(encodeSummary), query, ({ name }) => name)),
  )

  route(app, 'get', '/v1/mcp-servers/:server', GET, async (c, { services }) => {
    const name = c.req.param('server')
    return c.json(encodeServer((await services.tenant.mcpServers.find(name)) ?? failUnknown(name)))
  })

  route(app, 'patch', '/v1/mcp-servers/:server', UPDATE, async (c, { services, body }) => {
    const { tenant, key } = services
    const name = c.req.param('server')
    const before = (await tenant.mcpServers.find(name)) ?? failUnknown(name)
    const { url = before.url, auth = before.auth } = body
    const isElsewhere = body.url !== undefined || body.auth !== undefined
    const listing = isElsewhere ? await listingOf(services, { url, auth }, c.req.raw.signal) : null
    const changed = await tenant.mcpServers.change(name, body, listing, { key, agent: null })
    return c.json(encodeServer(changed ?? failUnknown(name)))
  })

  route(app, 'delete', '/v1/mcp-servers/:server', DELETE, async (c, { services: { tenant, key } }) => {
    const name = c.req.param('server')
    if (!(await tenant.mcpServers.remove(name, { key, agent: null }))) failUnknown(name)
    return c.body(null, 204)
  })

  route(app, 'post', '/v1/mcp-servers/:server/refresh', REFRESH, async (c, { services }) => {
    const { tenant, key } = services
    const name = c.req.param('server')
    const server = (await tenant.mcpServers.find(name)) ?? failUnknown(name)
    const listing = await listingOf(services, server, c.req.raw.signal)
    const refreshed = await tenant.mcpServers.refresh(name, listing, { key, agent: null })
    return c.json(encodeServer(refreshed ?? failUnknown(name)))
  })

  route(app, 'post', '/v1/mcp-servers/:server/tools/:tool/accept', ACCEPT, async (c, { services, body }) => {
    const { tenant, key } = services
    const { server, tool } = c.req.param()
    const accepted = await tenant.mcpServers.accept(server, tool, body.pin ?? null, { key, agent: null })
    return c.json(encodeServer(accepted ?? failUnknown(server)))
  })
}

/** List of a server's tools as they are now. @throws FailureError why it cannot be had */
const listingOf = (
  { tenant, mcpServers }: Services,
  server: Pick<McpServerSettings, 'url' | 'auth'>,
  signal: AbortSignal,
): Promise<RemoteListing> => remoteListing(server, { mcpServers, secrets: (name) => tenant.secrets.open(name) }, signal)
