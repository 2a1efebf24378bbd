import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { sessionName } from '../../../../core/ids.ts'
import { MCP_RETRY_MS } from '../../../../core/limits/connections.ts'
import type { Services } from '../../../dialect.ts'
import type { GoOn } from '../../../idempotency/go-on.ts'
import { parseExactJson } from '../../../json.ts'
import type { Endpoint, MakeServer, McpContext } from '../context.ts'
import { PARSE_ERROR, rpcError } from '../errors.ts'
import { EventLog } from './event-log.ts'

interface Parts {
  /** `Mcp-Session-Id`. */
  readonly id: string
  readonly endpoint: Endpoint
  readonly origin: string
  /** Services of the request at hand: a key's rights may change while the connection lasts. */
  services(): Services
  readonly goOn: GoOn
  readonly makeServer: MakeServer
}

/** One connection of a client of 2025-11-25 or older: the SDK's transport and server, and the streams' last messages. */
export class Connection {
  readonly #transport: WebStandardStreamableHTTPServerTransport
  readonly #server: Server

  private constructor(parts: Parts) {
    const { id, endpoint, origin, goOn, makeServer } = parts
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: new EventLog(),
      retryInterval: MCP_RETRY_MS,
    })
    const context: McpContext = {
      era: 'legacy',
      endpoint,
      origin,
      goOn,
      get services() {
        return parts.services()
      },
      usualSession: sessionName(`mcp_${id.slice(0, 12)}`),
    }
    this.#server = makeServer(context)
  }

  static async open(parts: Parts): Promise<Connection> {
    const connection = new Connection(parts)
    await connection.#server.connect(connection.#transport)
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
    if (text === null) return this.#transport.handleRequest(request)
    const parsed = parseExactJson(text)
    if (!parsed.ok) return rpcError(400, PARSE_ERROR, `Parse error: the body is not JSON: ${parsed.message}`)
    return this.#transport.handleRequest(request, { parsedBody: parsed.value })
  }

  async close(): Promise<void> {
    await this.#server.close()
  }
}

const INITIALIZED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
