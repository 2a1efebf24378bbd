import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  PerRequestHTTPServerTransport,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { isObject } from '../../../core/json-object.ts'
import type { MakeServer, McpContext } from './context.ts'
import { MODERN_REVISION } from './server/revisions.ts'

/** Methods of which one plain answer is all that there is, and the parameter that `Mcp-Name` repeats. */
const METHODS: ReadonlyMap<unknown, string | null> = new Map([
  ['server/discover', null],
  ['tools/list', null],
  ['tools/call', 'name'],
  ['resources/list', null],
  ['resources/templates/list', null],
  ['resources/read', 'uri'],
  ['prompts/list', null],
  ['prompts/get', 'name'],
  ['completion/complete', null],
])

/**
 * A request of 2026-07-28 whose headers plainly say what its body says. Null for any other, also for one that is right in an unusual
 * way: the SDK's handler has the rules and the errors.
 */
export function plainRequest({ headers }: Request, body: unknown): JSONRPCRequest | null {
  if (!isObject(body) || !isObject(body.params)) return null
  const { id, method, params } = body
  const named = METHODS.get(method)
  if (named === undefined || !isObject(params._meta)) return null
  const isPlain =
    (typeof id === 'string' || typeof id === 'number') &&
    params._meta[PROTOCOL_VERSION_META_KEY] === MODERN_REVISION &&
    headers.get('MCP-Protocol-Version') === MODERN_REVISION &&
    headers.get('Mcp-Method') === method &&
    (named === null || isRepeated(headers.get('Mcp-Name'), params[named]))
  return isPlain ? (body as JSONRPCRequest) : null // its other fields the server checks before anything is done
}

/** Whether a header has a parameter as it is. What is not ASCII comes in base64. */
const isRepeated = (sent: string | null, value: unknown) =>
  sent === value && sent !== null && /^[\x20-\x7e]+$/.test(sent) && !sent.startsWith('=?')

/**
 * Answers such a request by plain JSON, on a server of its own.
 * @returns null where the server refused it before it did anything: the SDK's handler knows with which status
 */
export async function servePlain(
  message: JSONRPCRequest,
  { context, makeServer }: { readonly context: McpContext; readonly makeServer: MakeServer },
): Promise<Response | null> {
  const server = makeServer(context)
  const exchange = new OneExchange({ classification: CLASSIFICATION })
  server.onerror = () => exchange.refuse()
  await server.connect(exchange)
  const answer = await exchange.answer(message)
  return answer && Response.json(answer, { status: statusOf(answer) })
}

const CLASSIFICATION = { era: 'modern', revision: MODERN_REVISION } as const

/** Status of an answer that a handler gave: its errors are answers too, but for one. */
const statusOf = (answer: JSONRPCMessage) =>
  'error' in answer && answer.error.code === ProtocolErrorCode.MissingRequiredClientCapability ? 400 : 200

/**
 * Transport of one request and its answer. It is of the SDK's class so that a server knows the revision by it, and lacks what that has for
 * streams and for clients that leave, which costs more than a short call.
 */
class OneExchange extends PerRequestHTTPServerTransport {
  #take: (message: JSONRPCMessage | null) => void = () => {}

  refuse(): void {
    this.#take(null)
  }

  /** @throws Error for what is no answer: there is no stream for it */
  override async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message) throw new Error(`${message.method} cannot be sent before a plain answer`)
    this.#take(message)
  }

  /** @returns null where the message was answered before a handler had it */
  answer(message: JSONRPCRequest): Promise<JSONRPCMessage | null> {
    return new Promise((resolve) => {
      // A handler begins in a later turn: what comes until then is the protocol's own refusal.
      this.#take = () => resolve(null)
      this.onmessage?.(message, { classification: CLASSIFICATION })
      this.#take = (answer) => answer && resolve(answer)
    })
  }
}
