import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A site or a service on this machine, in the place of one in the internet. */
export interface StandIn {
  /** `http://127.0.0.1:port` */
  readonly url: string
  /** `127.0.0.1:port` */
  readonly host: string
  /** Requests so far, in order. */
  readonly requests: readonly StandInRequest[]
  stop(): Promise<void>
}

export interface StandInRequest {
  readonly method: string
  /** Path with its query. */
  readonly path: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type StandInAnswer =
  | {
      readonly status?: number
      readonly headers?: Record<string, string | string[]>
      readonly body?: string | Uint8Array
    }
  /** Function that answers by itself: for answers that never end, or come slowly. */
  | ((response: ServerResponse) => void)

/** Listens until its `stop`; what `answer` throws is answered with 500 and its text. */
export async function startStandIn(answer: (request: StandInRequest) => StandInAnswer): Promise<StandIn> {
  const requests: StandInRequest[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const path = incoming.url ?? '/'
    const { method = 'GET', headers } = incoming
    const request = {
      method,
      path,
      url: new URL(path, 'http://stand-in'),
      headers,
      body: Buffer.concat(chunks).toString(),
    }
    requests.push(request)
    try {
      const given = answer(request)
      if (typeof given === 'function') given(response)
      else response.writeHead(given.status ?? 200, given.headers).end(given.body)
    } catch (thrown) {
      response.writeHead(500).end(String(thrown))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    requests,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Stand-in for one test; see {@link startStandIn}. */
export async function standIn(answer: (request: StandInRequest) => StandInAnswer): Promise<StandIn> {
  const server = await startStandIn(answer)
  onTestFinished(() => server.stop())
  return server
}

export const jsonAnswer = (body: unknown, status = 200, headers: Record<string, string> = {}): StandInAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** A DNS-over-HTTPS resolver that knows these names and no others. */
export function dnsAnswer(names: Readonly<Record<string, readonly string[]>>, { url }: StandInRequest): StandInAnswer {
  const name = url.searchParams.get('name') ?? ''
  const type = url.searchParams.get('type') === 'AAAA' ? 28 : 1
  const addresses = (names[name] ?? []).filter((address) => address.includes(':') === (type === 28))
  const Answer = addresses.map((data) => ({ name, type, TTL: 60, data }))
  return jsonAnswer({
    Status: name in names ? 0 : 3,
    Answer: [{ name, type: 5, TTL: 60, data: 'alias.example.' }, ...Answer],
  })
}
