import {
  Client,
  type ConnectOptions,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { withAnySignal } from '../../core/any-signal.ts'
import { FailureError, fail } from '../../core/failure.ts'
import {
  MAX_MCP_LISTING_BYTES,
  MAX_MCP_SERVER_PAGES,
  MAX_MCP_SERVER_TOOLS,
  MCP_LISTING_MS,
} from '../../core/limits/mcp-servers.ts'
import { MAX_ERROR_BODY_CHARS, MAX_TOOL_ANSWER_BYTES } from '../../core/limits/registry.ts'
import { plainText } from '../../core/plain-text.ts'
import { type Http, UnansweredError } from '../../ports/http.ts'
import type { McpAddress, McpAnswer, McpCall, McpListing } from '../../ports/mcp-servers.ts'
import { Exchange, fieldsOf } from './exchange.ts'
import type { OlderSession, OpenSessions } from './open-sessions.ts'

/** Knowledge of a server from an earlier exchange. */
export type Known =
  | { readonly era: 'modern'; readonly prior: NonNullable<ConnectOptions['prior']> }
  /** A server of an older revision, and the session that it keeps; null for one that keeps none. */
  | { readonly era: 'legacy'; readonly session: OlderSession | null }

/** Surroundings of one exchange. */
export interface Surroundings {
  readonly http: Pick<Http, 'open'>
  readonly now: () => number
  readonly address: McpAddress
  readonly known: Known | null
  /** Number of the exchange, of those that may share a session. */
  readonly number: number
  readonly sessions: Pick<OpenSessions, 'used' | 'gone'>
}

/** An answer with what is known of the server now. */
interface Exchanged<T> {
  readonly answer: T
  readonly known: Known
}

/** The session that a server kept is gone: the request was not acted on, and may be made again in a new one. */
export class SessionGone extends Error {}

/** Reads the whole list of tools. */
export async function listTools(
  around: Surroundings,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Exchanged<McpListing>> {
  const bounds = { timeoutMs: Math.min(timeoutMs, MCP_LISTING_MS), maxBytes: MAX_MCP_LISTING_BYTES }
  return exchanged(around, bounds, signal, async ({ client, exchange, transport, options }) => {
    const tools: unknown[] = []
    let ttlMs: number | null = null
    let cursor: string | undefined
    for (let page = 1; ; page++) {
      if (page > MAX_MCP_SERVER_PAGES) {
        fail('limit_exceeded', `its list of tools has more than ${MAX_MCP_SERVER_PAGES} pages (MAX_MCP_SERVER_PAGES)`)
      }
      exchange.taken = null
      const read = await client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        options(),
      )
      const { tools: listed, ttlMs: fresh } = exchange.taken ?? ({} as Exchange['taken'] & object)
      if (!Array.isArray(listed)) fail('upstream', 'it answers tools/list without a list of tools')
      tools.push(...listed)
      if (tools.length > MAX_MCP_SERVER_TOOLS) {
        fail('limit_exceeded', `it lists more than ${MAX_MCP_SERVER_TOOLS} tools (MAX_MCP_SERVER_TOOLS)`)
      }
      if (typeof fresh === 'number') ttlMs = Math.min(ttlMs ?? fresh, fresh)
      cursor = read.nextCursor
      if (cursor === undefined || cursor === '') break
    }
    const { name, version } = fieldsOf(client.getServerVersion())
    const server = typeof name === 'string' && typeof version === 'string' ? { name, version } : null
    const revision = transport.protocolVersion ?? ''
    return { revision, server, tools, ttlMs }
  })
}

/** Calls a tool. @throws SessionGone */
export function callTool(
  around: Surroundings,
  { tool, args, inputSchema, timeoutMs, onProgress }: McpCall,
  signal: AbortSignal,
): Promise<Exchanged<McpAnswer>> {
  const bounds = { timeoutMs, maxBytes: MAX_TOOL_ANSWER_BYTES, ...(onProgress && { onProgress }) }
  return exchanged(around, bounds, signal, async ({ client, exchange, options }) => {
    exchange.taken = null
    // Without a schema of results the client checks none: ours are checked by the toolbox, without backtracking.
    const toolDefinition = { name: tool, inputSchema: { ...inputSchema, type: 'object' as const } }
    const meta = onProgress && { _meta: { progressToken: exchange.progressToken } }
    await client.callTool({ name: tool, arguments: args, ...meta }, { ...options(), toolDefinition })
    const result = exchange.taken ?? fail('upstream', 'it answers tools/call in a form that cannot be read')
    return { result, bytesIn: exchange.bytesIn, bytesOut: exchange.bytesOut }
  })
}

interface Open {
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport
  readonly exchange: Exchange
  /** Options of the next request: the time that is left. */
  options(): { readonly signal: AbortSignal; readonly timeout: number }
}

interface Bounds {
  /** Time for the whole exchange. */
  readonly timeoutMs: number
  /** Bytes of all answers together. */
  readonly maxBytes: number
  readonly onProgress?: McpCall['onProgress']
}

async function exchanged<T>(
  { http, now, address, known, number, sessions }: Surroundings,
  { timeoutMs, maxBytes, onProgress }: Bounds,
  outer: AbortSignal,
  work: (open: Open) => Promise<T>,
): Promise<Exchanged<T>> {
  const over = new AbortController()
  return withAnySignal([outer, over.signal], async (signal) => {
    const endsAt = now() + timeoutMs
    const exchange = new Exchange({
      ...{ http, address, endsAt, now, maxBytes, signal, number },
      abandon: () => over.abort(),
      ...(onProgress && { onProgress }),
    })
    const session = known?.era === 'legacy' ? known.session : null
    const transport = new StreamableHTTPClientTransport(new URL(address.url), {
      fetch: exchange.fetch,
      // The guarded port answers with a redirect and follows none.
      redirectPolicy: 'follow',
      reconnectionOptions: NO_RECONNECTION,
      ...(session && { sessionId: session.id, protocolVersion: session.revision }),
    })
    const client = new Client(CLIENT, OPTIONS)
    const options = () => ({ signal, timeout: Math.max(1, endsAt - now()) })
    let isConnected = session !== null
    let isGone = false
    try {
      const prior = known?.era === 'modern' ? known.prior : known ? LEGACY : undefined
      await client.connect(transport, { ...options(), ...(prior && { prior }) })
      isConnected = true
      const answer = await work({ client, transport, exchange, options })
      return { answer, known: knownOf(client, transport) }
    } catch (thrown) {
      if (outer.aborted) {
        await exchange.settle()
        throw outer.reason
      }
      if (session && (exchange.status === 404 || exchange.status === 400)) {
        isGone = true
        sessions.gone(address, session)
        throw new SessionGone()
      }
      throw failureOf(thrown, exchange, { host: new URL(address.url).host, isConnected, timeoutMs })
    } finally {
      const { sessionId: id, protocolVersion: revision = '' } = transport
      await transport.close().catch(() => undefined)
      over.abort()
      if (id !== undefined && !isGone) void sessions.used(address, { id, revision })
    }
  })
}

/** Nothing is declared that a server could ask back for. */
const OPTIONS: ConstructorParameters<typeof Client>[1] = {
  capabilities: {},
  versionNegotiation: { mode: 'auto' },
  inputRequired: { autoFulfill: false },
  // Foreign patterns are not run: nothing here is checked by the SDK.
  jsonSchemaValidator: {
    getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
  },
}
const CLIENT = { name: 'toolyard', version: '1' }
const LEGACY = { kind: 'legacy' } as const
const NO_RECONNECTION = {
  maxRetries: 0,
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 1,
}

function knownOf(client: Client, { sessionId, protocolVersion }: StreamableHTTPClientTransport): Known {
  const discover = client.getDiscoverResult()
  if (discover) return { era: 'modern', prior: { kind: 'modern', discover } }
  const session = sessionId === undefined ? null : { id: sessionId, revision: protocolVersion ?? '' }
  return { era: 'legacy', session }
}

/** Failure in our words: the SDK's say little of servers, and may quote them without bounds. */
function failureOf(
  thrown: unknown,
  exchange: Exchange,
  {
    host,
    isConnected,
    timeoutMs,
  }: { readonly host: string; readonly isConnected: boolean; readonly timeoutMs: number },
): unknown {
  if (exchange.failure instanceof FailureError) return exchange.failure
  if (thrown instanceof FailureError) {
    const { code, message } = thrown.failure
    return new FailureError({ code, message: `the MCP server ${host} cannot be used: ${message}` })
  }
  const cause = { cause: thrown }
  if (thrown instanceof SdkHttpError) {
    const { text: body } = fieldsOf(thrown.data)
    const text = quoted(typeof body === 'string' ? body : '')
    const message = `HTTP ${exchange.status} from ${host}${text === '' ? '' : `: ${text}`}`
    return new FailureError({ code: exchange.status === 429 ? 'rate_limited' : 'upstream', message }, cause)
  }
  if (thrown instanceof ProtocolError) {
    const message = `the MCP server ${host} answers with error ${thrown.code}: ${quoted(thrown.message)}`
    return new FailureError({ code: thrown.code === INVALID_PARAMS ? 'invalid_input' : 'upstream', message }, cause)
  }
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout) {
    return new UnansweredError(
      { code: 'timeout', message: `${host} did not answer within ${timeoutMs / 1_000} seconds` },
      cause,
    )
  }
  const what = isConnected ? 'gives no answer that can be read' : 'does not answer as an MCP server; check its address'
  const Kind = isConnected ? UnansweredError : FailureError
  return new Kind({ code: 'upstream', message: `${host} ${what}` }, cause)
}

const INVALID_PARAMS = -32_602

/** Beginning of a foreign text. */
const quoted = (text: string) => plainText(text).slice(0, MAX_ERROR_BODY_CHARS).toWellFormed().trim()
