import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server'
import type { MakeServer, McpContext } from '../context.ts'
import { toolOf } from '../scope.ts'
import { mayLast } from '../server/calls/run-call.ts'
import { SerialisedTools } from '../server/tools/serialised-tools.ts'
import { withOlderCode } from './older-codes.ts'

/** Methods whose answers depend on the caller and the address, and on nothing that a connection has. */
const METHODS: ReadonlySet<string> = new Set([
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
])

/**
 * The request, if it can be answered at once and without its connection's object: before its result nothing is sent, and nobody cancels it. Null
 * for any other, and for one that is not as it should be, whose errors the SDK's transport has.
 */
export function directRequest({ headers }: Request, body: unknown, context: McpContext): JSONRPCRequest | null {
  if (!takesPlainJson(headers.get('Accept') ?? '')) return null
  const revision = headers.get('MCP-Protocol-Version')
  if (revision !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) return null
  if (!isJSONRPCRequest(body) || !METHODS.has(body.method)) return null
  return body.method === 'tools/call' && mayLast(context, { tool: toolOf(body) }) ? null : body
}

/** Whether a client takes both kinds of answers, as it must, and names plain JSON first: who names the stream first gets a stream. */
function takesPlainJson(accept: string): boolean {
  const [json, stream] = [accept.indexOf('application/json'), accept.indexOf('text/event-stream')]
  return json !== -1 && json < stream
}

/** Answers such a request by plain JSON, on a server of its own. */
export async function serveDirect(
  request: Request,
  message: JSONRPCRequest,
  { context, makeServer }: { readonly context: McpContext; readonly makeServer: MakeServer },
): Promise<Response> {
  const serialised = message.method === 'tools/list' ? new SerialisedTools() : undefined
  const server = makeServer({ ...context, ...(serialised && { serialised }) })
  const exchange = new OneExchange()
  await server.connect(exchange)
  const answer = Response.json(withOlderCode(await exchange.answer(message, request)), {
    headers: { 'Mcp-Session-Id': request.headers.get('Mcp-Session-Id') ?? '' },
  })
  return serialised ? serialised.putInto(answer) : answer
}

/** Transport of one request and its answer. */
class OneExchange implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>
  #answered: ((message: JSONRPCMessage) => void) | null = null

  async start(): Promise<void> {}
  async close(): Promise<void> {}

  /** @throws Error for what is no answer: there is no stream for it */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message) throw new Error(`${message.method} cannot be sent before a plain answer`)
    this.#answered?.(message)
  }

  answer(message: JSONRPCRequest, request: Request): Promise<JSONRPCMessage> {
    return new Promise((resolve) => {
      this.#answered = resolve
      this.onmessage?.(message, { request })
    })
  }
}
