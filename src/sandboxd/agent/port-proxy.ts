import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'

/** Passes a request on to a server that listens inside the sandbox. 502 when there is none, as E2B's edge answers. */
export function proxyToPort(port: number, request: IncomingMessage, response: ServerResponse): void {
  const upstream = httpRequest(
    { host: '127.0.0.1', port, method: request.method, path: request.url, headers: request.headers, agent: false },
    (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.statusMessage, reply.headers)
      reply.pipe(response)
      reply.once('error', () => response.destroy())
    },
  )
  upstream.once('error', () => {
    if (response.headersSent) return response.destroy()
    response.writeHead(502, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ message: 'The sandbox is running but port is not open', port, code: 502 }))
  })
  response.once('close', () => upstream.destroy())
  request.pipe(upstream)
}

/** Proxies a WebSocket or another upgrade: the request is written again unchanged, then bytes pass both ways. */
export function proxyUpgrade(port: number, request: IncomingMessage, client: Duplex, head: Buffer): void {
  const upstream = connect(port, '127.0.0.1', () => {
    upstream.write(`${request.method} ${request.url} HTTP/1.1\r\n${rawHeaderLines(request)}\r\n`)
    upstream.write(head)
    upstream.pipe(client).pipe(upstream)
  })
  upstream.once('error', () => client.destroy())
  client.once('error', () => upstream.destroy())
  client.once('close', () => upstream.destroy())
}

function rawHeaderLines(request: IncomingMessage): string {
  let lines = ''
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    lines += `${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}\r\n`
  }
  return lines
}
