import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { type AgentClient, untilAnswered } from './agent-client.ts'
import { sendJson } from './http-reply.ts'

/** Headers that concern one connection only. @see RFC 9110 section 7.6.1 */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']
/** Secrets and addresses that end here: nothing inside the sandbox needs them. */
const DROPPED = ['x-access-token', 'e2b-traffic-access-token', 'x-api-key']

/**
 * Proxies a request to a sandbox's agent, streaming both ways; a slow reader holds the other side back.
 * @returns a function for the end of the sandbox: it answers that the sandbox does not run, or cuts off an answer that has begun
 */
export function proxyRequest(
  client: AgentClient,
  sandboxId: string,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): () => void {
  const answered = untilAnswered(client)
  const upstream = httpRequest(
    {
      socketPath: client.socketPath,
      agent: client.connections,
      method: request.method,
      path: request.url,
      headers: forwarded(request.headers, port),
    },
    (reply) => {
      answered()
      response.writeHead(reply.statusCode ?? 502, reply.statusMessage, withoutHopByHop(reply.headers))
      reply.pipe(response)
      // The sandbox ended in the middle of an answer: the client must not take it for a whole one.
      reply.once('aborted', () => response.destroy())
      reply.once('error', () => response.destroy())
    },
  )
  upstream.once('error', () => {
    answered()
    request.unpipe()
    request.resume()
    notRunning(response, sandboxId)
  })
  response.once('close', () => {
    answered()
    if (!response.writableFinished) upstream.destroy()
  })
  request.pipe(upstream)
  return () => {
    if (!response.headersSent) upstream.destroy(new Error('the sandbox does not run'))
    else if (!response.writableEnded) response.destroy()
  }
}

/** E2B's answer for a sandbox that does not run, on which the SDK's `isRunning` relies. */
export function notRunning(response: ServerResponse, sandboxId: string): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  const message = 'The sandbox was not found'
  sendJson(response, 502, { sandboxId, message, code: 502 })
}

/** WebSocket and other upgrades to a port inside the sandbox. */
export function proxyUpgrade(
  agent: AgentClient,
  port: number,
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
): void {
  const upstream = connect(agent.socketPath, () => {
    const headers = Object.entries({ ...request.headers, 'e2b-sandbox-port': String(port) })
    const lines = headers.filter(([name]) => !DROPPED.includes(name)).map(([name, value]) => `${name}: ${value}\r\n`)
    upstream.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
    upstream.write(head)
    upstream.pipe(client).pipe(upstream)
  })
  upstream.once('error', () => client.destroy())
  client.once('error', () => upstream.destroy())
  client.once('close', () => upstream.destroy())
}

function forwarded(headers: IncomingHttpHeaders, port: number): IncomingHttpHeaders {
  const result = withoutHopByHop(headers)
  for (const name of DROPPED) delete result[name]
  // Without a length the body is sent in chunks, as it came.
  if (headers['transfer-encoding'] !== undefined) result['transfer-encoding'] = 'chunked'
  result['e2b-sandbox-port'] = String(port)
  return result
}

/** Headers without those of one connection, which a proxy does not pass on. */
export function withoutHopByHop(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const result = { ...headers }
  for (const name of HOP_BY_HOP) delete result[name]
  return result
}
