import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { joinSockets } from '../agent/joined-sockets.ts'
import { EGRESS_IDLE_MS } from '../agent/limits.ts'
import { HEADERS_TIMEOUT_MS, MAX_EGRESS_CLIENTS, MAX_EGRESS_CONNECTIONS, MAX_HEADER_BYTES } from '../limits.ts'
import { withoutHopByHop } from '../proxy.ts'
import { EgressConnections, type EgressRules } from './connections.ts'
import { Refusal, refusalText } from './refusal.ts'
import { connectTarget, type RequestTarget, requestTarget } from './target.ts'

/** Proxy for one sandbox: HTTP in absolute form, and CONNECT, to listed hosts alone. Whoever connects is code of the sandbox. */
export interface EgressProxy {
  readonly server: Server
  /** Ends the proxy with all connections through it. */
  close(): void
}

export function egressProxy(rules: EgressRules): EgressProxy {
  const connections = new EgressConnections(rules)
  const clients = new Set<Socket>()
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    forward(connections, request, response).catch((error: unknown) => refuse(response, error))
  })
  server.on('connection', (socket: Socket) => {
    clients.add(socket)
    // Each of the requests that a client sent one behind the other listens for the end of its connection.
    socket.setMaxListeners(2 * MAX_EGRESS_CONNECTIONS)
    socket.once('close', () => clients.delete(socket))
  })
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    tunnel(connections, request, socket, head).catch((error: unknown) => {
      socket.resume().end(refusalText(asRefusal(error)))
      socket.destroySoon()
    })
  })
  // A failed accept, such as for want of descriptors, must not end the daemon.
  server.on('error', () => undefined)
  server.maxConnections = MAX_EGRESS_CLIENTS
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.timeout = EGRESS_IDLE_MS
  // Uploads may take as long as they need.
  server.requestTimeout = 0
  return {
    server,
    close() {
      server.close()
      for (const client of clients) client.destroy()
      connections.close()
    },
  }
}

async function tunnel(
  connections: EgressConnections,
  { url = '' }: IncomingMessage,
  client: Socket,
  head: Buffer,
): Promise<void> {
  const upstream = await connections.open(connectTarget(url))
  if (client.destroyed) return void upstream.destroy()
  client.write('HTTP/1.1 200 Connection established\r\n\r\n')
  if (head.length > 0) upstream.write(head)
  joinSockets(client, upstream, EGRESS_IDLE_MS)
}

async function forward(
  connections: EgressConnections,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = requestTarget(request.url ?? '', request.headers.host)
  const socket = await connections.open(target)
  if (response.destroyed || request.socket.destroyed) return void socket.destroy()
  socket.setTimeout(EGRESS_IDLE_MS, () => socket.destroy())
  try {
    exchange(target, socket, request, response)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Passes one request and its answer on. Each has a connection of its own, so no client can leave bytes for another request. */
function exchange(target: RequestTarget, socket: Socket, request: IncomingMessage, response: ServerResponse): void {
  const headers = forwardedHeaders(request, target)
  const { path, host } = target
  const upstream = httpRequest(
    { createConnection: () => socket, method: request.method, path, headers, setHost: false },
    (reply) => {
      // The server ended in the middle of an answer: the client must not take it for a whole one.
      reply.once('error', () => response.destroy())
      try {
        response.writeHead(reply.statusCode ?? 502, withoutHopByHop(reply.headers))
      } catch {
        return refuse(response, new Refusal(502, `${host} sent an answer that is no HTTP`)) // such as status 42
      }
      reply.pipe(response)
    },
  )
  const unanswered = () => refuse(response, new Refusal(502, `${host} did not answer`))
  upstream.once('error', unanswered)
  // Node emits nothing else for an answer 101 that no client asked for.
  upstream.once('close', () => {
    if (!response.headersSent) unanswered()
  })
  response.once('close', () => upstream.destroy())
  // An answer behind another one has no connection yet, and no close.
  const left = () => upstream.destroy()
  request.socket.once('close', left)
  upstream.once('close', () => request.socket.off('close', left))
  request.pipe(upstream)
}

/** Headers for the server: none that concern this connection, or that the client names as such. */
function forwardedHeaders({ headers }: IncomingMessage, { host, port }: RequestTarget) {
  const forwarded = withoutHopByHop(headers)
  for (const name of (headers.connection ?? '').split(',')) delete forwarded[name.trim().toLowerCase()]
  delete forwarded['proxy-authorization']
  delete forwarded.expect
  // As they came: the length of a body is no matter of the connection.
  if (headers['content-length'] !== undefined) forwarded['content-length'] = headers['content-length']
  if (headers['transfer-encoding'] !== undefined) forwarded['transfer-encoding'] = 'chunked'
  return { ...forwarded, host: port === 80 ? host : `${host}:${port}`, connection: 'close' }
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  const { status, message } = asRefusal(error)
  response.writeHead(status, message, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
  response.end(`${message}\n`)
}

/** A refusal for anything thrown: a request that Node's own client does not send is the client's fault. */
const asRefusal = (error: unknown) =>
  error instanceof Refusal ? error : new Refusal(400, 'the request cannot be passed on')
