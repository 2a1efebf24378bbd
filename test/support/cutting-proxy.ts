import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CuttingProxy {
  /** URL without a slash at its end. */
  readonly url: string
  stop(): Promise<void>
}

/**
 * Proxy on loopback that loses the connection of each request with the header `X-Cut`: `answered` when the answer has come from the
 * server, `sent` when the request was sent, in both directions.
 */
export async function startCuttingProxy(server: string): Promise<CuttingProxy> {
  const proxy = createServer((incoming, outgoing) => {
    const { 'x-cut': cut, host: _, ...headers } = incoming.headers
    const upstream = send(`${server}${incoming.url}`, { method: incoming.method ?? 'GET', headers }, (answer) => {
      if (cut === undefined) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
        return
      }
      answer.resume()
      answer.once('end', () => incoming.socket.destroy())
    })
    upstream.once('error', () => incoming.socket.destroy())
    incoming.pipe(upstream)
    if (cut !== 'sent') return
    // What was written leaves before the socket does.
    upstream.once('finish', () =>
      upstream.socket?.end(() => {
        upstream.destroy()
        incoming.socket.destroy()
      }),
    )
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
