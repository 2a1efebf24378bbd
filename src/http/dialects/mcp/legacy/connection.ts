import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { SessionName } from '../../../../core/ids.ts'
import { MCP_RETRY_MS } from '../../../../core/limits/connections.ts'
import type { Services } from '../../../dialect.ts'
import type { GoOn } from '../../../idempotency/go-on.ts'
import { parseExactJson } from '../../../json.ts'
import type { Endpoint, MakeServer, McpContext } from '../context.ts'
import { PARSE_ERROR, rpcError } from '../errors.ts'
import { withEnd } from '../stream-end.ts'
import { EventLog, isOfOwnStream } from './event-log.ts'
import { KeptSubscriptions, type KeptUris } from './kept-subscriptions.ts'
import { withOlderCode } from './older-codes.ts'

interface Parts {
  /** `Mcp-Session-Id`. */
  readonly id: string
  readonly endpoint: Endpoint
  readonly origin: string
  readonly usualSession: SessionName
  /** Services of the request at hand: a key's rights may change while the connection lasts. */
  services(): Services
  readonly goOn: GoOn
  readonly makeServer: MakeServer
  readonly uris: KeptUris
}

/** One connection of a client of 2025-11-25 or older: the SDK's transport and server, and the streams' last messages. */
export class Connection {
  readonly #transport: WebStandardStreamableHTTPServerTransport
  readonly #server: Server
  readonly #subscriptions: KeptSubscriptions

  private constructor(parts: Parts) {
    const { id, endpoint, origin, usualSession, goOn, makeServer, uris } = parts
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: new EventLog(),
      retryInterval: MCP_RETRY_MS,
    })
    const context = {
      era: 'legacy',
      endpoint,
      origin,
      goOn,
      get services() {
        return parts.services()
      },
      capabilities: () => this.#server.getClientCapabilities(),
      usualSession,
    } satisfies McpContext
    this.#subscriptions = new KeptSubscriptions({
      sight: context,
      kept: uris,
      // A stream that is closing meanwhile hears nothing, and its client asks for it again.
      changed: (uri) => void this.#server.sendResourceUpdated({ uri }).catch(() => undefined),
      ended: () => this.#transport.closeStandaloneSSEStream(),
    })
    this.#server = makeServer(Object.assign(context, { subscriptions: this.#subscriptions }))
  }

  static async open(parts: Parts): Promise<Connection> {
    const connection = new Connection(parts)
    await connection.#server.connect(connection.#transport)
    const send = connection.#transport.send.bind(connection.#transport)
    connection.#transport.send = (message, options) => send(withOlderCode(message), options)
    return connection
  }

  /**
   * Makes a connection again as it was agreed on: the same `initialize` has the same answer, which nobody gets.
   * @param initialize body of the connection's first request
   */
  static async restore(parts: Parts, initialize: string): Promise<Connection> {
    const connection = await Connection.open(parts)
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'Mcp-Session-Id': parts.id,
    }
    for (const body of [initialize, INITIALIZED]) {
      const request = new Request('http://connection/', { method: 'POST', headers, body })
      await (await connection.serve(request, body)).text()
    }
    return connection
  }

  /** @param text body of a POST */
  async serve(request: Request, text: string | null): Promise<Response> {
    if (request.method === 'GET') return this.#stream(request)
    if (text === null) return this.#transport.handleRequest(request)
    const parsed = parseExactJson(text)
    if (!parsed.ok) return rpcError(400, PARSE_ERROR, `Parse error: the body is not JSON: ${parsed.message}`)
    return this.#transport.handleRequest(request, { parsedBody: parsed.value })
  }

  /** The stream of what is no answer to a request, with its subscriptions; or the rest of a call's stream. */
  async #stream(request: Request): Promise<Response> {
    const lastEvent = request.headers.get('Last-Event-ID')
    if (lastEvent !== null && !isOfOwnStream(lastEvent)) return this.#transport.handleRequest(request)
    await this.#subscriptions.restore()
    const answer = await this.#transport.handleRequest(request)
    if (!answer.ok) return answer
    this.#subscriptions.open()
    return withEnd(answer, () => this.#subscriptions.pause())
  }

  async close(): Promise<void> {
    this.#subscriptions.pause()
    await this.#server.close()
  }
}

const INITIALIZED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
