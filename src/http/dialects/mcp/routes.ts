import type { Context } from 'hono'
import type { StateKey } from '../../../auth/state-key.ts'
import { MAX_MCP_BATCH } from '../../../core/limits/connections.ts'
import { type AppEnv, type Dialect, dialectApp, servicesFor } from '../../dialect.ts'
import { isEventStream } from '../../event-stream.ts'
import { discardBody, parseExactJson, readBodyText } from '../../json.ts'
import type { MakeServer, McpContext } from './context.ts'
import { endpointOf } from './endpoint.ts'
import { failureResponse, INVALID_REQUEST, PARSE_ERROR, rpcError, SERVER_ERROR } from './errors.ts'
import { foreignCaller } from './guards.ts'
import type { Connections } from './legacy/front.ts'
import { KnownConnections } from './legacy/known-connections.ts'
import type { InputSchema } from './modern.ts'
import { methodOf, scopeOf } from './scope.ts'
import type { Listen } from './server/resources/listening.ts'
import { withEnd } from './stream-end.ts'
import { usualSession } from './usual-session.ts'

interface Given {
  /** Whether this server runs on somebody's machine. */
  readonly isLocal: boolean
  readonly connections: Connections
  /** Key that signs what clients keep between two requests of a call; null on a server without SECRETS_KEY. */
  readonly stateKey: Pick<StateKey, 'bytes'> | null
  /** Maker of servers in place of the product's own. */
  readonly makeServer?: MakeServer
  /** Source of events in place of the product's own. */
  readonly listen?: Listen
  /** Source of schemas of tools in place of the product's own. */
  readonly inputSchema?: InputSchema
}

interface Parts extends Given {
  /** Connections of the older revisions that were lately there. */
  readonly known: KnownConnections
}

/** MCP over HTTP, revision 2026-07-28 and the older ones with sessions. Everything that imports the SDK is loaded on first use. */
export function mcp(given: Given): Dialect {
  const parts: Parts = { ...given, known: new KnownConnections() }
  const app = dialectApp(async (c, failure) => {
    await discardBody(c.req.raw)
    return failureResponse(failure)
  })
  app.all('*', (c) => serve(c, parts))
  return {
    name: 'mcp',
    owns: (path) => path === '/mcp' || path.startsWith('/mcp/'),
    // A message has an id of its own.
    keepsKey: () => 'not',
    app,
  }
}

async function serve(c: Context<AppEnv>, parts: Parts): Promise<Response> {
  const { raw: request } = c.req
  const { headers, method } = request
  const url = new URL(request.url)
  const foreign = foreignCaller(url, headers, parts.isLocal)
  if (foreign !== null) return rpcError(403, SERVER_ERROR, foreign)
  const endpoint = endpointOf(url)
  if (!endpoint) return rpcError(404, SERVER_ERROR, 'no such path; MCP is served at /mcp and /mcp/s/{session}')
  const services = servicesFor(c, 'read')
  const { caller } = c.env
  if ('failure' in caller) throw new Error('services without a principal')
  const { principal } = caller
  const shared = { endpoint, origin: url.origin }
  const { connections, known } = parts
  const connected = { ...shared, principal, connections, known }

  if (method !== 'POST') {
    const hasSession = headers.has('Mcp-Session-Id') && !(headers.get('MCP-Protocol-Version') ?? '').startsWith('2026')
    if (!hasSession || (method !== 'GET' && method !== 'DELETE')) {
      return rpcError(405, SERVER_ERROR, 'Method not allowed.', { Allow: 'POST' })
    }
    const { serveLegacy } = await import('./lazy.ts')
    const served = () => serveLegacy(request, null, connected)
    return method === 'GET' ? asStream(c, served) : served()
  }

  const lazy = await import('./lazy.ts')
  const { isJsonContentType, isLegacyRequest, makeServer: ownServer, plainRequest, serveLegacy, serveModern } = lazy
  if (!isJsonContentType(headers.get('Content-Type'))) {
    return rpcError(415, SERVER_ERROR, 'Unsupported Media Type: Content-Type must be application/json')
  }
  const text = await readBodyText(request)
  const parsed = parseExactJson(text)
  if (!parsed.ok) {
    return rpcError(400, PARSE_ERROR, `Parse error: the body is not JSON: ${parsed.message} (character ${parsed.at})`)
  }
  const { value: body } = parsed
  if (Array.isArray(body) && body.length > MAX_MCP_BATCH) {
    const message = `a batch has at most ${MAX_MCP_BATCH} messages (MAX_MCP_BATCH); send fewer at once`
    return rpcError(400, INVALID_REQUEST, message)
  }
  servicesFor(c, scopeOf(body))
  const { stateKey, makeServer = ownServer } = parts
  const { goOn = () => {}, report } = c.env
  const means = { services, goOn, ...(report && { report }) }
  const plain = plainRequest(request, body)
  if (!plain && (await isLegacyRequest(request, body))) {
    return atWork(c, await serveLegacy(request, { text, value: body, makeServer, means }, connected))
  }
  const context: McpContext = {
    ...shared,
    ...means,
    era: 'modern',
    usualSession: usualSession(principal.restrictions),
    ...(stateKey && { stateKey: () => stateKey.bytes() }),
  }
  const served = () =>
    serveModern(request, body, {
      plain,
      context,
      makeServer,
      ...(parts.listen && { listen: parts.listen }),
      ...(parts.inputSchema && { inputSchema: parts.inputSchema }),
    })
  return methodOf(body) === 'subscriptions/listen' ? asStream(c, served) : atWork(c, await served())
}

/** The answer, until whose end its request counts as one at work. */
function atWork(c: Context<AppEnv>, answer: Response): Response {
  return isEventStream(answer) && c.env.atWork ? c.env.atWork(answer) : answer
}

/** The answer, which counts as an event stream until it ends. @throws FailureError `rate_limited` */
async function asStream(c: Context<AppEnv>, serve: () => Promise<Response>): Promise<Response> {
  const done = c.env.openStream?.() ?? (() => {})
  try {
    return withEnd(await serve(), done)
  } catch (thrown) {
    done()
    throw thrown
  }
}
